"""Choose epsilon before anybody looks at the records, publish, and keep the account.

Only public facts are asked: what the columns mean, and how many records there are.
"""

import tempfile
from fractions import Fraction
from pathlib import Path

import numpy as np
import polars as pl

import covey
from covey.ledger import create_ledger

SCHEMA = covey.Schema(
    (
        covey.Attribute("age", bounds=(18, 70), integer=True, unit="years"),
        covey.Attribute("wage", bounds=(0, 12_000), unit="euros a month"),
    )
)
WORKERS = 2_000
ACCEPTABLE = 0.15
"""The error of the two-way table that the readers can live with, agreed on beforehand."""


def main() -> None:
    """Go from an acceptable error to epsilon, and from there to a release."""
    # Every system that is up to the task is tried on made-up records.
    advice = covey.advise(SCHEMA, n=WORKERS, epsilon=1.0)
    print(f"advised: {advice.system}, judged by the error of {advice.criterion}\n")
    for epsilon, error in advice.by_epsilon.items():
        print(f"epsilon {epsilon:5.2f}: error about {error:.3f}")

    # The smallest epsilon that is good enough protects most.
    enough = [epsilon for epsilon, error in advice.by_epsilon.items() if error <= ACCEPTABLE]
    epsilon = min(enough, default=max(advice.by_epsilon))
    print(f"\nchosen: epsilon {epsilon:g}\n")

    with tempfile.TemporaryDirectory() as folder:
        # The ledger refuses what would go beyond the limit, whoever asks.
        ledger = Path(folder) / "workers.ledger"
        create_ledger(ledger, Fraction(2 * epsilon))
        release = covey.publish(
            workers(), advice.system, schema=SCHEMA, epsilon=epsilon, ledger=ledger
        )
        print(release.guarantee, "\n")
        print(release.accuracy.filter(pl.col("statistic") == "mean"), "\n")
        try:
            covey.publish(workers(), "laplace", schema=SCHEMA, epsilon=5 * epsilon, ledger=ledger)
        except covey.CoveyError as refusal:
            print("refused:", refusal)


def workers() -> pl.DataFrame:
    """Make up workers who earn more as they grow older."""
    random = np.random.default_rng(3)
    age = random.integers(18, 71, size=WORKERS)
    wage = np.clip(random.lognormal(7.2 + 0.012 * age, 0.35), 0, 12_000)
    return pl.DataFrame({"age": age, "wage": wage.round(2)})


if __name__ == "__main__":
    main()
