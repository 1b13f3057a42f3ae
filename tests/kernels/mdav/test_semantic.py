"""MD, MDAV and V-MDAV over numbers and concepts form the groups of a slow and plain version."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from covey.kernels.mdav.md import md
from covey.kernels.mdav.mdav import mdav
from covey.kernels.mdav.mixed_records import Mixed, packed
from covey.kernels.mdav.semantic import semantic_md, semantic_mdav, semantic_vmdav
from covey.kernels.mdav.v_mdav import vmdav
from covey.table.taxonomy import Taxonomy
from tests.oracles import microaggregation as plain
from tests.oracles.shapes import shapes

SPORT = Taxonomy.from_edges(
    "sport",
    [
        ("sport", ""),
        ("water", "sport"),
        ("winter", "sport"),
        ("swimming", "water"),
        ("sailing", "water"),
        ("ski", "winter"),
        ("tennis", "sport"),
    ],
)
WIDTH = len(SPORT.concepts)
FLAT = 3
CONCEPTS = packed([WIDTH, FLAT], [SPORT.distances, None], [SPORT.ancestors, None], [0.5, 1.0])


def _parts(a, b):
    concept = SPORT.distances[int(a[1]), int(b[1])] / 0.5
    return [abs(a[0] - b[0]), concept, float(a[2] != b[2])]


def _distances(X, among, point):
    squares = [[part * part for part in _parts(X[i], point)] for i in among]
    return np.array([s[0] + s[1] + s[2] for s in squares])


def _city_block(a, b):
    parts = _parts(a, b)
    return parts[0] + parts[1] + parts[2]


def _centroid(X, among):
    rows = X[list(among)]
    counts = np.bincount(rows[:, 1].astype(int), minlength=WIDTH)
    steps = np.rint(SPORT.distances * 2**30).astype(int)
    away = np.where(counts @ SPORT.ancestors > 0, steps @ counts, np.iinfo(int).max)
    modes = np.bincount(rows[:, 2].astype(int), minlength=FLAT)
    return np.array([rows[:, 0].sum() / len(rows), np.argmin(away), np.argmax(modes)])


def mixed(rows) -> tuple[np.ndarray, Mixed]:
    """Return the same records for the oracle and for the kernel, sorted by content."""
    X = np.array(sorted(rows), dtype=np.float64)
    return X, Mixed(X[:, :1].copy(), X[:, 1:].astype(np.int64), CONCEPTS)


RECORDS = st.lists(
    st.tuples(st.integers(0, 3), st.integers(0, WIDTH - 1), st.integers(0, FLAT - 1)),
    min_size=8,
    max_size=34,
)


@settings(max_examples=150, deadline=None)
@given(rows=RECORDS, k=st.integers(2, 4), gamma=st.sampled_from([0.0, 0.3, 1.1, 3.0]))
def test_groups_equal_the_plain_ones(rows, k, gamma) -> None:
    X, records = mixed(rows)
    with pytest.MonkeyPatch.context() as patch:
        for part in (_distances, _city_block, _centroid):
            patch.setattr(plain, part.__name__[1:], part)

        for loop in ("3k", "2k"):
            assert semantic_mdav(records, k, loop=loop).tolist() == plain.mdav(X, k, loop).tolist()
        assert semantic_md(records, k).tolist() == plain.md(X, k).tolist()
        assert semantic_vmdav(records, k, gamma).tolist() == plain.vmdav(X, k, gamma).tolist()


@pytest.mark.parametrize("shape", tuple(shapes(4, 1)))
def test_without_categories_they_are_the_kernels_for_numbers(shape) -> None:
    X = shapes(90, 3)[shape]
    records = Mixed(X, np.empty((90, 0), dtype=np.int64), packed([], [], [], []))

    assert semantic_mdav(records, 4).tolist() == mdav(X, 4).tolist()
    assert semantic_md(records, 4).tolist() == md(X, 4).tolist()
    assert semantic_vmdav(records, 4, 0.5).tolist() == vmdav(X, 4, 0.5).tolist()
