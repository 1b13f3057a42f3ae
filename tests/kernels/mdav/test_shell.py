"""The shell names the farthest record that a scan names, and asks few records for it."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from covey.kernels.mdav import shell as module
from covey.kernels.mdav.farthest import farthest
from covey.kernels.mdav.kd_tree import Tree, build_tree
from covey.kernels.mdav.kd_tree_removal import remove
from covey.kernels.mdav.shell import (
    CENTRE,
    SEED,
    Shell,
    remove_from_shell,
    shell_of,
)
from tests.oracles import microaggregation as oracle
from tests.oracles.shapes import by_content, shapes

SHAPES = tuple(shapes(4, 1))


def around(X: np.ndarray) -> tuple[Tree, Shell]:
    tree = build_tree(X, np.arange(len(X)), 8)
    return tree, shell_of(X, np.arange(len(X)), X.mean(axis=0))


def farthest_record(X: np.ndarray, tree: Tree, shell: Shell, point: np.ndarray, role: int) -> int:
    found = module.farthest_record(X, tree.place, shell, point, role)
    return found if found >= 0 else farthest(tree, point)[1]


def take_out(tree: Tree, shell: Shell, records: np.ndarray) -> None:
    remove(tree, records)
    remove_from_shell(shell, records)


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("d", [1, 2, 5])
@pytest.mark.parametrize("limit", [20, 8192])
def test_it_names_the_farthest_while_records_leave(
    shape: str, d: int, limit: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "LIMIT", limit)
    X = shapes(700, d)[shape]
    rng = np.random.default_rng(1)
    tree, shell = around(X)
    left = list(range(len(X)))
    while len(left) > 40:
        centre = oracle.centroid(X, left)
        r = farthest_record(X, tree, shell, centre, CENTRE)
        s = farthest_record(X, tree, shell, X[r], SEED)
        anywhere = X[rng.integers(len(X))] + 0.5

        assert r == oracle.farthest(X, left, centre)
        assert s == oracle.farthest(X, left, X[r])
        assert farthest_record(X, tree, shell, anywhere, SEED) == oracle.farthest(X, left, anywhere)

        group = np.array(oracle.nearest(X, left, X[r], 15))
        take_out(tree, shell, group)
        left = oracle.without(left, group.tolist())


@settings(max_examples=100)
@given(
    rows=st.lists(st.tuples(*[st.integers(0, 4)] * 2), min_size=3, max_size=40),
    point=st.tuples(*[st.integers(-1, 5)] * 2),
    keep=st.integers(1, 40),
)
def test_equals_are_taken_by_index_on_grids_full_of_ties(rows, point, keep) -> None:
    X = by_content(np.array(rows, dtype=np.float64))
    where = np.array(point, dtype=np.float64)
    tree, shell = around(X)
    farthest_record(X, tree, shell, where, SEED)
    order = np.random.default_rng(len(X)).permutation(len(X))
    take_out(tree, shell, order[keep:])

    found = farthest_record(X, tree, shell, where, SEED)

    assert found == oracle.farthest(X, sorted(order[:keep].tolist()), where)


def test_no_record_outside_the_shell_is_farther_out_than_one_inside() -> None:
    X = shapes(5_000, 3)["normal"]
    tree, shell = around(X)
    farthest_record(X, tree, shell, X[0], SEED)
    held = shell.records[: shell.state[0]]
    radii = np.sqrt(((X - shell.origin) ** 2).sum(axis=1))

    outside = np.setdiff1d(np.arange(len(X)), held)

    assert radii[outside].max() <= radii[held].min()
    assert (np.diff(shell.radii[: len(held)]) <= 0.0).all()
    assert (shell.place[outside] == -1).all()
    assert (shell.place[held] == np.arange(len(held))).all()


def test_removed_records_do_not_crowd_the_shell() -> None:
    X = shapes(5_000, 3)["normal"]
    tree, shell = around(X)
    farthest_record(X, tree, shell, X.mean(axis=0), CENTRE)
    size = int(shell.state[0])

    take_out(tree, shell, shell.records[: size // 2].copy())

    assert shell.state[:2].tolist() == [size - size // 2, 0]


def test_in_round_data_a_small_share_of_the_records_answers() -> None:
    X = shapes(50_000, 3)["normal"]
    tree, shell = around(X)

    for point in X[::5_000]:
        farthest_record(X, tree, shell, 3.0 * point / np.linalg.norm(point), SEED)

    assert 0 < shell.state[0] < 0.05 * len(X)
    assert (shell.pauses == 0).all()


def test_a_shell_that_cannot_answer_pauses(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "LIMIT", 64)
    X = shapes(2_000, 2)["clustered"]
    tree, shell = around(X)
    farthest_record(X, tree, shell, X.mean(axis=0), SEED)

    pauses = []
    for _ in range(40):
        farthest_record(X, tree, shell, X.mean(axis=0) + 1.0, SEED)
        pauses.append(int(shell.pauses[SEED, 1]))

    assert pauses == sorted(pauses)
    assert pauses[-1] > 7
