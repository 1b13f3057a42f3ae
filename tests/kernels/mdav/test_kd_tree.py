"""The tree keeps tight boxes as records leave it, and finds what a scan of all records finds."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from covey.kernels.mdav.farthest import farthest
from covey.kernels.mdav.kd_tree import LEAF, Tree, build_tree, nearest
from covey.kernels.mdav.kd_tree_removal import remaining, remove
from covey.kernels.mdav.nearest import empty_nearest
from tests.oracles import microaggregation as oracle
from tests.oracles.shapes import by_content, shapes

SHAPES = tuple(shapes(4, 1))
SIZES = [(1, 2, 4), (57, 1, 4), (200, 3, 8), (300, 12, 64)]


def contents(tree: Tree, node: int) -> list[int]:
    """List the records in the leaves below a node."""
    leaves = len(tree.counts)
    if node >= leaves:
        return tree.records[node - leaves, : tree.counts[node - leaves]].tolist()
    return contents(tree, 2 * node) + contents(tree, 2 * node + 1)


def check(tree: Tree, X: np.ndarray, records: list[int]) -> None:
    """Assert all that a tree of these records promises."""
    leaves, _, capacity = tree.points.shape
    radii = ((X - tree.origin) ** 2).sum(axis=1)
    extended = np.column_stack([X, radii])
    assert sorted(contents(tree, 1)) == sorted(records)
    assert remaining(tree).tolist() == sorted(records)
    for record in records:
        leaf, slot = divmod(int(tree.place[record]), capacity)
        assert slot < tree.counts[leaf]
        assert tree.records[leaf, slot] == record
        assert tree.points[leaf, :-1, slot].tolist() == X[record].tolist()
        assert tree.points[leaf, -1, slot] == pytest.approx(radii[record], rel=1e-12, abs=1e-300)
    for node in range(1, 2 * leaves):
        inside = contents(tree, node)
        assert tree.lowest[node] == min(inside, default=len(X))
        if node > 1:
            box = tree.boxes[node // 2, :, 2 * (node % 2) : 2 * (node % 2) + 2]
            if inside:
                assert box[:-1, 0].tolist() == X[inside].min(axis=0).tolist()
                assert box[:-1, 1].tolist() == X[inside].max(axis=0).tolist()
                assert box[-1, 0] == pytest.approx(extended[inside, -1].min(), rel=1e-12)
                assert box[-1, 1] == pytest.approx(extended[inside, -1].max(), rel=1e-12)
            else:
                assert (box[:, 0] == np.inf).all()
                assert (box[:, 1] == -np.inf).all()


def found_nearest(tree: Tree, point: np.ndarray, k: int) -> list[int]:
    """Return the k nearest in the order of their distance, equals by index."""
    heap = empty_nearest(k)
    size, _ = nearest(tree, point, heap, 0)
    return heap.records[:size][np.lexsort((heap.records[:size], heap.distances[:size]))].tolist()


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize(("n", "d", "leaf"), SIZES)
def test_a_new_tree_keeps_its_promises(shape: str, n: int, d: int, leaf: int) -> None:
    X = shapes(n, d)[shape]
    before = X.copy()

    tree = build_tree(X, np.arange(n), leaf)

    assert tree.counts.max() <= leaf
    assert tree.counts.max() - tree.counts.min() <= 1
    assert np.array_equal(X, before)
    check(tree, X, list(range(n)))


@pytest.mark.parametrize("shape", SHAPES)
def test_boxes_stay_tight_while_records_leave_in_any_order(shape: str) -> None:
    X = shapes(90, 3)[shape]
    tree = build_tree(X, np.arange(90), 8)
    order = np.random.default_rng(1).permutation(90)

    for start in range(0, 90, 9):
        remove(tree, order[start : start + 9])

        check(tree, X, order[start + 9 :].tolist())


@pytest.mark.parametrize("shape", SHAPES)
def test_a_tree_rebuilt_of_what_remains_keeps_its_promises(shape: str) -> None:
    X = shapes(150, 4)[shape]
    first = build_tree(X, np.arange(150), 8)
    gone = np.random.default_rng(2).permutation(150)[:100]
    remove(first, gone)

    tree = build_tree(X, remaining(first), 8)

    left = [i for i in range(150) if i not in set(gone.tolist())]
    check(tree, X, left)
    assert (tree.place[gone] == -1).all()


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("d", [1, 4, 11])
def test_searches_find_what_a_scan_finds_before_and_after_removals(shape: str, d: int) -> None:
    X = shapes(160, d)[shape]
    rng = np.random.default_rng(3)
    points = np.vstack([X[rng.integers(160, size=8)], X.mean(axis=0), X.max(axis=0) + 1.0])
    tree = build_tree(X, np.arange(160), 8)
    left = list(range(160))
    while left:
        for point in points:
            distance, record, _ = farthest(tree, point)

            assert record == oracle.farthest(X, left, point)
            assert distance == oracle.distances(X, [record], point)[0]
            assert found_nearest(tree, point, 7) == oracle.nearest(X, left, point, 7)
        gone = rng.choice(left, size=min(45, len(left)), replace=False)
        remove(tree, gone)
        left = oracle.without(left, gone.tolist())


@settings(max_examples=150)
@given(
    rows=st.lists(st.tuples(*[st.integers(0, 3)] * 3), min_size=2, max_size=40),
    point=st.tuples(*[st.integers(-1, 4)] * 3),
    keep=st.integers(1, 40),
    k=st.integers(1, 6),
)
def test_equals_are_taken_by_index_on_grids_full_of_ties(rows, point, keep, k) -> None:
    X = by_content(np.array(rows, dtype=np.float64))
    where = np.array(point, dtype=np.float64)
    n = len(X)
    tree = build_tree(X, np.arange(n), 2)
    order = np.random.default_rng(n).permutation(n)
    remove(tree, order[keep:])
    left = sorted(order[:keep].tolist())

    assert farthest(tree, where)[1] == oracle.farthest(X, left, where)
    assert found_nearest(tree, where, k) == oracle.nearest(X, left, where, k)


def test_a_search_goes_on_from_candidates_it_is_given() -> None:
    X = shapes(200, 3)["normal"]
    tree = build_tree(X, np.arange(200), 8)
    heap = empty_nearest(1)

    size, _ = nearest(tree, X[17] + 1e-9, heap, 0)
    nearest(tree, X[120] + 1.0, heap, size)

    assert heap.records.tolist() == [17]


@pytest.mark.parametrize("shape", ["normal", "lognormal", "clustered"])
def test_a_search_computes_few_distances_and_hardly_more_among_more_records(shape: str) -> None:
    work = {}
    for n in (2_000, 32_000):
        X = shapes(n, 3)[shape]
        tree = build_tree(X, np.arange(n), LEAF)
        heap = empty_nearest(10)
        asked = X[np.random.default_rng(4).integers(n, size=50)]
        work[n] = np.mean([nearest(tree, point, heap, 0)[1] for point in asked])

    assert work[32_000] < 10 * LEAF
    assert work[32_000] < 2 * work[2_000]


def test_the_farthest_of_round_data_is_found_in_few_leaves() -> None:
    X = shapes(32_000, 3)["normal"]
    tree = build_tree(X, np.arange(len(X)), LEAF)

    work = np.mean([farthest(tree, point)[2] for point in X[::640]])

    assert work < 0.05 * len(X)
