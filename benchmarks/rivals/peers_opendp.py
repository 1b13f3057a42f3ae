"""Run MST or AIM of OpenDP, in an environment of its own: this file imports nothing of Covey.

    python peers_opendp.py mst codes.csv domain.json out.csv report.json --epsilon 1 --delta 1e-9

``codes.csv`` holds whole numbers from 0, ``domain.json`` how many each column can have.
"""

from __future__ import annotations

import argparse
import json
import math
import resource
import time
from pathlib import Path

import opendp.prelude as dp
import polars as pl
from opendp.extras.mbi import _mst

# OpenDP 0.16 divides the budget of MST's choices one float too generously, and then refuses its
# own last choice as too dear ("insufficient budget").  A billionth less for each is affordable.
_mst.prior = lambda budget: budget * (1 - 1e-9)

ALGORITHMS = {"mst": dp.mbi.MST, "aim": dp.mbi.AIM}


def main() -> None:
    """Synthesise rows, and say what it took."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("algorithm", choices=list(ALGORITHMS))
    for name in ("codes", "domain", "out", "report"):
        parser.add_argument(name, type=Path)
    parser.add_argument("--epsilon", type=float, required=True)
    parser.add_argument("--delta", type=float, required=True)
    options = parser.parse_args()
    codes = pl.read_csv(options.codes)
    sizes = json.loads(options.domain.read_text(encoding="utf-8"))
    dp.enable_features("contrib")
    start = time.process_time()
    # A column with one possible value has nothing to protect and no cut.
    varying = [name for name in codes.columns if sizes[name] > 1]
    released = synthesise(codes.select(varying), sizes, options)
    constant = [pl.lit(0, pl.Int64).alias(name) for name in codes.columns if sizes[name] == 1]
    released.with_columns(constant).select(codes.columns).write_csv(options.out)
    seconds = time.process_time() - start
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    options.report.write_text(json.dumps({"seconds": seconds, "kilobytes": peak}))


def synthesise(
    codes: pl.DataFrame, sizes: dict[str, int], options: argparse.Namespace
) -> pl.DataFrame:
    """Return rows of codes, one record being added or removed between neighbours."""
    rho = largest_rho(options.epsilon, options.delta)
    context = dp.Context.compositor(
        data=codes.lazy(),
        privacy_unit=dp.unit_of(contributions=1),
        privacy_loss=dp.loss_of(rho=rho),
    )
    # Cuts instead of keys: with keys there would be a cell for missing values in each column.
    cuts = {name: list(range(sizes[name] - 1)) for name in codes.columns}
    table = (
        context.query(rho=rho)
        .contingency_table(cuts=cuts, algorithm=ALGORITHMS[options.algorithm]())
        .release()
    )
    found = table.model.synthetic_data().df
    return pl.DataFrame({name: found[name].to_numpy().astype("int64") for name in codes.columns})


def largest_rho(epsilon: float, delta: float) -> float:
    """Return the rho of zero-concentrated privacy that implies (epsilon, delta)."""
    low, high = 0.0, epsilon
    for _ in range(100):
        middle = (low + high) / 2
        low, high = (middle, high) if _delta(middle, epsilon) <= delta else (low, middle)
    return low


def _delta(rho: float, epsilon: float) -> float:
    """Canonne, Kamath, Steinke 2020, proposition 12, by search over the order."""
    if rho == 0:
        return 0.0

    def log_delta(alpha: float) -> float:
        return (
            (alpha - 1) * (alpha * rho - epsilon)
            + alpha * math.log1p(-1 / alpha)
            - math.log(alpha - 1)
        )

    return math.exp(min(log_delta(1 + 10 ** (k / 200)) for k in range(-400, 1200)))


if __name__ == "__main__":
    main()
