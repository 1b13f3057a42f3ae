"""How long does each way take, beside the others, in the same minutes?"""

from __future__ import annotations

import json
import math
import os
import platform
import subprocess
import sys
import time
from dataclasses import asdict, dataclass, field
from importlib.metadata import version
from pathlib import Path
from statistics import median
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

HEAD = Path(__file__).with_name("speed_head.md")


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """One line of the table: who did what at which size, and how long it took."""

    job: str
    who: str
    n: int
    seconds: float
    note: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Verdict:
    """One acceptance criterion and the ratio or number that was measured for it."""

    claim: str
    measured: float
    limit: float
    holds: bool


@dataclass(slots=True)
class Results:
    """What a run of the benchmark found; prints each line as it comes."""

    rows: list[Row] = field(default_factory=list)
    exponents: list[tuple[str, float]] = field(default_factory=list)
    verdicts: list[Verdict] = field(default_factory=list)
    before: dict[tuple[str, str, int], float] | None = None

    def add(self, job: str, who: str, n: int, seconds: float, note: str = "") -> float:
        """Record a time and return it."""
        row = Row(job=job, who=who, n=n, seconds=seconds, note=note)
        self.rows.append(row)
        print(f"  {job:<28} {who:<34} n={n:<9,} {seconds:10.4f} s  {note}", flush=True)
        return seconds

    def grows(self, job: str, times: Mapping[int, float]) -> float:
        """Record and return the exponent with which the time of a job grows."""
        fitted = exponent(times)
        span = f"{job}, n from {min(times):,} to {max(times):,}"
        self.exponents.append((span, fitted))
        print(f"  time of {span} grows as n^{fitted:.2f}", flush=True)
        return fitted

    def at_most(self, claim: str, measured: float, limit: float) -> None:
        """Record a criterion that asks for at most ``limit``."""
        self._judge(claim, measured, limit, holds=measured <= limit)

    def at_least(self, claim: str, measured: float, limit: float) -> None:
        """Record a criterion that asks for at least ``limit``."""
        self._judge(claim, measured, limit, holds=measured >= limit)

    def _judge(self, claim: str, measured: float, limit: float, *, holds: bool) -> None:
        verdict = Verdict(claim=claim, measured=float(measured), limit=limit, holds=bool(holds))
        self.verdicts.append(verdict)
        print(f"  {_word(verdict)}: {verdict.claim}: {verdict.measured:.4g}", flush=True)

    def write(self, folder: Path, page: Path | None, *, quick: bool, seconds: float) -> None:
        """Write ``results.md`` and ``results.json``, and the page of the documents if asked."""
        folder.mkdir(parents=True, exist_ok=True)
        machine = _machine()
        if self.before is None:
            self.before = _measured_before(folder / "results.json")
        document = {
            "machine": machine,
            "quick": quick,
            "seconds": round(seconds, 1),
            "exponents": dict(self.exponents),
            "rows": [asdict(row) for row in self.rows],
            "acceptance": [asdict(verdict) for verdict in self.verdicts],
        }
        (folder / "results.json").write_text(json.dumps(document, indent=1) + "\n")
        tables = self._markdown(machine, self.before, quick=quick, seconds=seconds)
        (folder / "results.md").write_text("# Covey beside its peers\n\n" + tables)
        if page is not None:
            page.write_text(HEAD.read_text(encoding="utf-8") + tables, encoding="utf-8")

    def _markdown(
        self,
        machine: Mapping[str, str],
        before: Mapping[tuple[str, str, int], float],
        *,
        quick: bool,
        seconds: float,
    ) -> str:
        lines = [
            f"One run of {seconds:.0f} s{' (quick)' if quick else ''}; "
            + "; ".join(f"{name} {value}" for name, value in machine.items())
            + ".",
            "Medians of interleaved repetitions, processor time of one core.",
            "",
            "| claim | measured | limit | |",
            "|---|---:|---:|---|",
            *(
                f"| {v.claim} | {v.measured:.4g} | {v.limit:g} | {_word(v)} |"
                for v in self.verdicts
            ),
            "",
            "| time of | grows as |",
            "|---|---|",
            *(f"| {span} | n^{fitted:.2f} |" for span, fitted in self.exponents),
            "",
            "| job | who | n | seconds | last time | |",
            "|---|---|---:|---:|---:|---|",
            *(
                f"| {r.job} | {r.who} | {r.n:,} | {r.seconds:.4g} | "
                f"{_last(before.get((r.job, r.who, r.n)))} | {r.note} |"
                for r in self.rows
            ),
        ]
        return "\n".join(lines) + "\n"


def interleaved(ways: Mapping[str, Callable[[], Any]], repeats: int) -> dict[str, float]:
    """Return the median seconds of each way, run in turns so that all see the same machine.

    Seconds of the processor, not of the clock: all ways use one core, and another process that
    takes its share must not decide a ratio.
    """
    seconds: dict[str, list[float]] = {name: [] for name in ways}
    for _ in range(repeats):
        for name, way in ways.items():
            seconds[name].append(once(way))
    return {name: median(taken) for name, taken in seconds.items()}


def once(way: Callable[[], Any]) -> float:
    """Return the seconds of the processor that one call takes."""
    start = time.process_time()
    way()
    return time.process_time() - start


def exponent(times: Mapping[int, float]) -> float:
    """Fit ``seconds ~ n ** exponent`` to two or more sizes, by least squares of logarithms."""
    x = [math.log(n) for n in times]
    y = [math.log(seconds) for seconds in times.values()]
    middle_x, middle_y = sum(x) / len(x), sum(y) / len(y)
    slope = sum((a - middle_x) * (b - middle_y) for a, b in zip(x, y, strict=True))
    return slope / sum((a - middle_x) ** 2 for a in x)


def in_a_new_process(script: str, **environment: str) -> dict[str, float]:
    """Run a script that prints one JSON object, and return the object."""
    done = subprocess.run(
        [sys.executable, "-c", script],
        env={**os.environ, **environment},
        capture_output=True,
        text=True,
        check=True,
    )
    found: dict[str, float] = json.loads(done.stdout.splitlines()[-1])
    return found


def _measured_before(path: Path) -> dict[tuple[str, str, int], float]:
    """Read what the run before found, if there was one."""
    if not path.exists():
        return {}
    rows = json.loads(path.read_text(encoding="utf-8"))["rows"]
    return {(row["job"], row["who"], row["n"]): row["seconds"] for row in rows}


def _last(seconds: float | None) -> str:
    return "" if seconds is None else f"{seconds:.4g}"


def _word(verdict: Verdict) -> str:
    return "pass" if verdict.holds else "MISS"


def _machine() -> dict[str, str]:
    return {
        "cores": str(os.cpu_count()),
        # Seconds of the processor grow too, by up to twice, where others use its caches.
        **({"load": f"{os.getloadavg()[1]:.1f}"} if hasattr(os, "getloadavg") else {}),
        "system": f"{platform.system()} {platform.machine()}",
        "python": platform.python_version(),
        **{name: version(name) for name in ("covey", "numpy", "numba", "scipy")},
    }
