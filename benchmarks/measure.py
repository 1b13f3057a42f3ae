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
from statistics import median
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from pathlib import Path


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

    def write(self, folder: Path, *, quick: bool, seconds: float) -> None:
        """Write ``results.md`` and ``results.json``."""
        folder.mkdir(parents=True, exist_ok=True)
        machine = _machine()
        document = {
            "machine": machine,
            "quick": quick,
            "seconds": round(seconds, 1),
            "exponents": dict(self.exponents),
            "rows": [asdict(row) for row in self.rows],
            "acceptance": [asdict(verdict) for verdict in self.verdicts],
        }
        (folder / "results.json").write_text(json.dumps(document, indent=1) + "\n")
        (folder / "results.md").write_text(self._markdown(machine, quick=quick, seconds=seconds))

    def _markdown(self, machine: Mapping[str, str], *, quick: bool, seconds: float) -> str:
        lines = [
            "# Covey beside its peers",
            "",
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
            "| job | who | n | seconds | |",
            "|---|---|---:|---:|---|",
            *(f"| {r.job} | {r.who} | {r.n:,} | {r.seconds:.4g} | {r.note} |" for r in self.rows),
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


def _word(verdict: Verdict) -> str:
    return "pass" if verdict.holds else "MISS"


def _machine() -> dict[str, str]:
    return {
        "cores": str(os.cpu_count()),
        "system": f"{platform.system()} {platform.machine()}",
        "python": platform.python_version(),
        **{name: version(name) for name in ("covey", "numpy", "numba", "scipy")},
    }
