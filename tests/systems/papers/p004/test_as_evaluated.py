"""The paper's evaluation is repeated for categories and mixed tables, and promises nothing."""

from dataclasses import dataclass, field
from fractions import Fraction

import numpy as np
import polars as pl
import pytest

import covey
from covey.aggregate.semantic import cluster_marginality, concept_counts
from covey.core import GuaranteeKind
from covey.systems.papers.p004.insensitive import AS_EVALUATED
from covey.table import Taxonomy
from tests.core.stand_ins import Silent

EDGES = [
    ("job", ""),
    ("office", "job"),
    ("outdoors", "job"),
    ("clerk", "office"),
    ("teacher", "office"),
    ("farmer", "outdoors"),
    ("sailor", "outdoors"),
]
VALUES = ("clerk", "teacher", "farmer", "sailor")


@dataclass
class Nearest(Silent):
    """Takes the likeliest candidate, and remembers what was asked."""

    rates: list[Fraction] = field(default_factory=list)
    losses: list[np.ndarray] = field(default_factory=list)

    def choices(self, losses, *, rate):
        """Return the first of the smallest losses."""
        self.rates.append(rate)
        self.losses.append(losses)
        return np.argmin(losses, axis=1)


@pytest.fixture
def people(tmp_path) -> covey.Table:
    """Twelve people with a job and an age."""
    Taxonomy.from_edges("job", EDGES).save(tmp_path / "job.csv")
    schema = covey.Schema(
        (
            covey.Attribute("job", scale="nominal", taxonomy="job.csv", missing="refuse"),
            covey.Attribute("age", bounds=(0, 100)),
            covey.Attribute("town", scale="nominal", categories=("A", "B"), missing="refuse"),
        ),
        folder=tmp_path,
    )
    frame = pl.DataFrame(
        {
            "job": [VALUES[i % 4] for i in range(12)],
            "age": [20 + 5 * i for i in range(12)],
            "town": ["AB"[i % 2] for i in range(12)],
        }
    )
    return covey.read_table(frame, schema)


def evaluated(table: covey.Table, source: Silent, **parameters: object):
    """Return what the evaluation publishes with this source of noise."""
    settings = AS_EVALUATED.settings({"epsilon": 2.0, "k": 3, **parameters})
    return AS_EVALUATED.run(table, settings, source, None)


def test_each_record_gets_the_least_marginal_concept_of_its_cluster_without_noise(people) -> None:
    source = Nearest()

    outcome = evaluated(people, source, columns=("job",))

    taxonomy = people.taxonomy("job").with_domain(VALUES)
    codes = taxonomy.codes(people.texts("job"))
    groups = [tuple(row) for row in source.losses[0].tolist()]
    labels = np.array([sorted(set(groups)).index(group) for group in groups])
    counts = concept_counts(labels, codes, clusters=labels.max() + 1, taxonomy=taxonomy)
    best = cluster_marginality(counts, taxonomy).min(axis=1)[labels]
    released = cluster_marginality(counts, taxonomy)[
        labels, taxonomy.codes(outcome.columns["job"].tolist())
    ]
    assert np.allclose(released, best)


def test_the_printed_distance_of_the_boundaries_and_n_over_k_divide_epsilon(people) -> None:
    source = Nearest()

    evaluated(people, source, columns=("job",))

    taxonomy = people.taxonomy("job").with_domain(VALUES)
    bottom, top = taxonomy.boundaries
    expected = 2.0 / (2 * (12 / 3) * taxonomy.distances[bottom, top] * 2**20)
    assert float(source.rates[0]) == pytest.approx(expected, rel=1e-5)


def test_numbers_and_categories_stand_in_the_same_rows(people) -> None:
    release, trace = covey.publish(people, "insensitive", epsilon=1e6, k=2, paper=True, trace=True)

    assert list(release.data.columns) == ["job", "age", "town"]
    assert release.guarantee.kind is GuaranteeKind.NONE
    assert release.guarantee.epsilon == 3 * Fraction(10) ** 6
    assert any("boundaries of a taxonomy" in reason for reason in release.guarantee.reasons)
    assert any("1.5 times" in reason for reason in release.guarantee.reasons)
    scores = covey.evaluate(people, release, trace)
    assert scores["sse"] > 0.0


def test_one_categorical_column_alone_takes_no_bound_from_the_data(people) -> None:
    guarantee = evaluated(people, Nearest(), columns=("town",)).guarantee

    assert guarantee.columns == ("town",)
    assert not any("1.5 times" in reason for reason in guarantee.reasons)
