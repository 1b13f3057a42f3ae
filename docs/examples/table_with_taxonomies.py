"""Publish a table with numbers and two taxonomies, and see what is left of it.

The records are made up: 3,000 patients with an age, a length of stay, a diagnosis and a town.
"""

import tempfile
from pathlib import Path

import numpy as np
import polars as pl

import covey

# A taxonomy is public knowledge about a column: what is a kind of what.
DIAGNOSES = """child,parent
any,
heart,any
infarction,heart
angina,heart
lung,any
asthma,lung
pneumonia,lung
bones,any
hip fracture,bones
arthritis,bones
"""

TOWNS = """child,parent
country,
north,country
Aburg,north
Bdorf,north
south,country
Cstadt,south
Dheim,south
"""

# Bounds come from what a column means, never from the records.
SCHEMA = """
[[attribute]]
name = "age"
scale = "numeric"
bounds = [0, 120]
integer = true
unit = "years"

[[attribute]]
name = "stay"
role = "confidential"
scale = "numeric"
bounds = [0, 60]
integer = true
unit = "days"

[[attribute]]
name = "diagnosis"
role = "confidential"
scale = "nominal"
taxonomy = "diagnoses.csv"

[[attribute]]
name = "town"
scale = "nominal"
taxonomy = "towns.csv"
"""


def main() -> None:
    """Publish the same patients with two systems."""
    with tempfile.TemporaryDirectory() as folder:
        here = Path(folder)
        (here / "diagnoses.csv").write_text(DIAGNOSES)
        (here / "towns.csv").write_text(TOWNS)
        (here / "patients.toml").write_text(SCHEMA)
        patients().write_csv(here / "patients.csv")

        schema = covey.Schema.load(here / "patients.toml")
        table = covey.read_table(here / "patients.csv", schema)

        # The whole table at once.
        release = covey.publish(table, "private-tree", epsilon=1.0)
        print(release.guarantee, "\n")
        print(release.data.head(3), "\n")

        # Each published mean and count says how far off it may be.
        print(release.accuracy.filter(pl.col("statistic") == "mean"), "\n")

        # What paper 004 proposes: clusters, and a concept of the taxonomy for each.  Its noise
        # asks for few large clusters, which blur a table of this size.
        clustered = covey.publish(table, "insensitive", epsilon=1.0)
        print(clustered.data["diagnosis"].value_counts(sort=True).head(3), "\n")

        # For the curator only: computed on the originals, not to be published.
        for name, made in (("private-tree", release), ("insensitive", clustered)):
            scores = covey.evaluate(table, made)
            print(f"{name}: error of the distributions {scores['ks']:.3f}")

        made = release.save(here / "out")
        print("\nThe release folder:", ", ".join(sorted(path.name for path in made.iterdir())))


def patients() -> pl.DataFrame:
    """Make up patients whose diagnosis goes with their age and their stay."""
    random = np.random.default_rng(7)
    leaves = ["infarction", "angina", "asthma", "pneumonia", "hip fracture", "arthritis"]
    typical_age = np.array([66, 62, 35, 55, 80, 70])
    typical_stay = np.array([9, 4, 2, 8, 16, 5])
    kind = random.choice(6, size=3000, p=[0.2, 0.2, 0.25, 0.15, 0.1, 0.1])
    return pl.DataFrame(
        {
            "age": np.clip(random.normal(typical_age[kind], 12), 0, 110).astype(int),
            "stay": np.clip(random.gamma(2.0, typical_stay[kind] / 2), 0, 60).astype(int),
            "diagnosis": [leaves[code] for code in kind],
            "town": random.choice(["Aburg", "Bdorf", "Cstadt", "Dheim"], size=3000),
        }
    )


if __name__ == "__main__":
    main()
