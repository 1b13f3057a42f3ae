"""Who is compared, what does each of them promise, and how is one run of it made and timed?"""

from __future__ import annotations

import json
import math
import os
import resource
import signal
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import polars as pl

from benchmarks.rivals.cells import decoded, encoded
from benchmarks.rivals.tables import Columns, Split, columns_of

ROOT = Path(__file__).resolve().parents[2]
PYTHONS = {
    "opendp": ROOT / ".venv-rivals/opendp/bin/python",
    "dpmm": ROOT / ".venv-rivals/dpmm/bin/python",
}
"""The environments of others, which need other versions than ours and than each other's."""

DELTA = 1e-9


@dataclass(frozen=True, slots=True, kw_only=True)
class Contender:
    """A system in the comparison.

    Parameters
    ----------
    name : str
        What tables call it.
    run : str
        Its name in `ours.RUNS`, or the algorithm of `peers_….py`.
    promise : str
        What it guarantees at a given epsilon.
    peer : str
        Whose it is, if not ours.
    needs : str
        The system of Covey's registry without which it cannot run.
    """

    name: str
    run: str
    promise: str
    peer: str = ""
    needs: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Done:
    """The rows of one run, and what it took."""

    released: Columns
    seconds: float
    kilobytes: int


class Failed(Exception):  # noqa: N818 — the page reports it, and the comparison goes on
    """A run came to nothing; says why."""


PURE = "pure epsilon, one record added or removed"
ZCDP = f"(epsilon, {DELTA:g}) through zero-concentrated privacy, one record added or removed"
CONTENDERS = {
    c.name: c
    for c in (
        Contender(name="column-model", run="column-model", promise=PURE, needs="column-model"),
        Contender(
            name="column-model, target named",
            run="column-model-target",
            promise=f"{PURE}; the plan names the target column",
            needs="column-model",
        ),
        Contender(name="private-tree", run="private-tree", promise=PURE, needs="private-tree"),
        Contender(
            name="rank-blocks",
            run="rank-blocks",
            promise="pure 2 epsilon, one record replaced, n public: what one record added or "
            "removed at epsilon implies for a replaced one; numeric columns alone",
            needs="rank-blocks",
        ),
        Contender(name="histograms", run="histograms", promise=f"{PURE}; independent columns"),
        *(
            Contender(name=f"{run.upper()} ({name})", run=run, promise=ZCDP, peer=name.lower())
            for name in ("dpmm", "OpenDP")
            for run in ("mst", "aim")
        ),
        Contender(name="the records", run="records", promise="none: a yardstick for models"),
    )
}


def run_once(
    contender: Contender, split: Split, epsilon: float, source: Sequence[str], limit: float
) -> Done:
    """Run a contender in a new process; ``source`` are the options that name the table."""
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        out, report = folder / "rows", folder / "report.json"
        given = ["--epsilon", str(epsilon)]
        if contender.peer:
            codes, sizes = encoded(split, columns_of(split.train))
            pl.DataFrame(codes).write_csv(folder / "codes.csv")
            (folder / "domain.json").write_text(json.dumps(sizes))
            files = [folder / "codes.csv", folder / "domain.json", out, report]
            peer = Path(__file__).with_name(f"peers_{contender.peer}.py")
            script = [PYTHONS[contender.peer], peer, contender.run]
            _call([*script, *files, *given, "--delta", str(DELTA)], limit)
            found = pl.read_csv(out)
            rows = {name: found[name].to_numpy().astype(np.int64) for name in found.columns}
            released = decoded(split, rows, np.random.default_rng())
        else:
            out = out.with_suffix(".npz")
            script = [sys.executable, "-m", "benchmarks.rivals.ours", contender.run]
            _call([*script, out, report, *source, *given], limit)
            with np.load(out) as kept:
                released = dict(kept)
        took = json.loads(report.read_text())
    return Done(released=released, seconds=took["seconds"], kilobytes=took["kilobytes"])


def _call(command: Sequence[str | Path], limit: float) -> None:
    """Run a process for at most so many seconds of the processor, ten times that of the clock.

    Of the processor: what else the machine does must not decide who is too slow.
    """

    def limited() -> None:
        resource.setrlimit(resource.RLIMIT_CPU, (math.ceil(limit), math.ceil(limit)))

    try:
        done = subprocess.run(
            list(map(str, command)),
            cwd=ROOT,
            capture_output=True,
            text=True,
            timeout=10 * limit,
            check=False,
            preexec_fn=limited,
            env={**os.environ, "OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"},
        )
    except subprocess.TimeoutExpired:
        raise Failed(f"stopped after {10 * limit:.0f} s without a result") from None
    except FileNotFoundError:
        raise Failed("its environment is missing: `make rivals` makes it") from None
    if done.returncode in {-signal.SIGKILL, -signal.SIGXCPU}:
        raise Failed(f"stopped after {limit:.0f} s of the processor without a result")
    if done.returncode:
        told = [line.strip() for line in done.stderr.splitlines() if line.strip(' ")')]
        raise Failed(told[-1][:300] if told else f"ended with code {done.returncode}")
