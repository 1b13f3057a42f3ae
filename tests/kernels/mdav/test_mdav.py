"""All paths of MDAV form the groups of the plain algorithm, to the last record."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from covey.kernels.mdav.mdav import mdav
from tests.oracles import microaggregation as oracle
from tests.oracles.shapes import by_content, shapes

SHAPES = tuple(shapes(4, 1))
PATHS = ("tree", "scan", "blocks")


@pytest.mark.parametrize("path", PATHS)
@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize(("n", "d", "k"), [(31, 1, 3), (120, 2, 4), (150, 4, 7), (90, 20, 5)])
def test_each_path_equals_the_oracle(shape: str, n: int, d: int, k: int, path: str) -> None:
    X = shapes(n, d)[shape]

    assert mdav(X, k, path=path).tolist() == oracle.mdav(X, k).tolist()


@pytest.mark.parametrize("path", PATHS)
@pytest.mark.parametrize("shape", ["normal", "tied", "duplicated"])
def test_the_printed_loop_equals_its_oracle(shape: str, path: str) -> None:
    X = shapes(57, 3)[shape]

    found = mdav(X, 5, loop="2k", path=path)

    assert found.tolist() == oracle.mdav(X, 5, loop="2k").tolist()


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize(("d", "k"), [(1, 3), (3, 10), (6, 25), (12, 10)])
def test_the_paths_agree_where_the_oracle_would_take_too_long(shape: str, d: int, k: int) -> None:
    X = shapes(4000, d)[shape]

    by_tree = mdav(X, k, path="tree")

    assert np.array_equal(by_tree, mdav(X, k, path="scan"))
    assert np.array_equal(by_tree, mdav(X, k, path="blocks"))


@settings(max_examples=150)
@given(
    rows=st.lists(st.tuples(*[st.integers(0, 3)] * 3), min_size=4, max_size=40),
    k=st.integers(2, 5),
    path=st.sampled_from(PATHS),
)
def test_grids_full_of_ties_equal_the_oracle(rows, k, path) -> None:
    X = by_content(np.array(rows, dtype=np.float64))

    expected = oracle.mdav(X, k) if len(X) >= 2 * k else np.zeros(len(X), dtype=np.int64)

    assert mdav(X, k, path=path).tolist() == expected.tolist()


@pytest.mark.parametrize("path", PATHS)
def test_the_records_are_not_modified_and_groups_have_k_records(path: str) -> None:
    X = shapes(5003, 4)["normal"]
    before = X.copy()

    sizes = np.bincount(mdav(X, 10, path=path))

    assert np.array_equal(X, before)
    assert (sizes[:-1] == 10).all()
    assert 10 <= sizes[-1] < 20


@pytest.mark.parametrize("path", PATHS)
def test_progress_is_reported_up_to_the_end(path: str) -> None:
    X = shapes(20_000, 2)["normal"]
    seen: list[tuple[int, int]] = []

    mdav(X, 5, path=path, progress=lambda done, total: seen.append((done, total)))

    assert seen[-1] == (20_000, 20_000)
    assert [done for done, _ in seen] == sorted(done for done, _ in seen)


@pytest.mark.parametrize("path", PATHS)
def test_an_interruption_stops_the_work(path: str) -> None:
    def interrupt(*_: int) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        mdav(shapes(20_000, 2)["normal"], 5, path=path, progress=interrupt)
