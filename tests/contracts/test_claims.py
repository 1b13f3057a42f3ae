"""Every claim is hunted for neighbours that break it, is attained, and has a page of proof."""

from __future__ import annotations

from functools import partial
from itertools import product
from pathlib import Path

import numpy as np
import pytest
from hypothesis import Phase, find, given, settings
from hypothesis import strategies as st

from covey.aggregate import cluster_sums, sums_of_ranks
from covey.aggregate.moments import moment_sums
from covey.core.exact import THOUSANDTHS
from covey.partition import rank_block_sizes
from covey.partition.priv_tree import even_side
from covey.systems import ALL_CLAIMS
from covey.table import Attribute, Schema
from covey.table.grid import Grid
from tests.contracts.cross_hunters import (
    pair_scores,
    rank_products,
    squared_moves,
    squared_moves_of_weights,
    weighted_counts,
)
from tests.contracts.graph_hunters import (
    box_counts,
    cell_counts,
    histograms,
    sampled,
    sizes_after_projection,
    sorted_sums,
)
from tests.contracts.hunters import (
    bound,
    difference,
    distances_of_records,
    insensitive_sums,
    largest_move,
    marginalities,
    medoids_of_fixed_clusters,
    moments_of_fixed_clusters,
    rank_block_sums,
    rank_sums,
    record_values,
    run,
    sampled_records,
    sums_along_the_curve,
    sums_of_fixed_clusters,
)
from tests.contracts.neighbours import neighbouring_columns, schema_of, table_of
from tests.contracts.tree_hunters import (
    category_counts,
    leaves,
    structures,
    table_sizes,
    tree_loss,
)

PROOFS = Path(__file__).parents[2] / "docs" / "proofs"
HUNT = settings(max_examples=5000, derandomize=True, database=None, phases=[Phase.generate])
ROUNDING = 1e-9  # the loss of a tree is a sum of logarithms in floats

HUNTERS = {
    ("laplace", "values"): record_values,
    ("exponential", "distance"): distances_of_records,
    ("rank-blocks", "sums"): rank_block_sums,
    ("fixed-partition", "sums"): sums_of_fixed_clusters,
    ("fixed-partition", "medoids"): medoids_of_fixed_clusters,
    ("cross-moment", "moments"): moments_of_fixed_clusters,
    ("insensitive", "sums"): insensitive_sums,
    ("insensitive", "chain-sums"): sums_along_the_curve,
    ("insensitive", "marginality"): marginalities,
    ("private-tree", "structure"): partial(structures, replaced=True),
    ("private-tree", "structure-add-remove"): partial(structures, replaced=False),
    ("private-tree", "leaves"): partial(leaves, replaced=True),
    ("private-tree", "leaves-add-remove"): partial(leaves, replaced=False),
    ("private-tree", "size"): table_sizes,
    ("personalised", "records"): partial(sampled_records, replaced=True),
    ("personalised", "records-add-remove"): partial(sampled_records, replaced=False),
    ("histogram", "counts"): partial(category_counts, replaced=True),
    ("histogram", "counts-add-remove"): partial(category_counts, replaced=False),
    ("pair-scores", "scores"): partial(pair_scores, replaced=True),
    ("pair-scores", "scores-add-remove"): partial(pair_scores, replaced=False),
    ("rank-products", "sums"): partial(rank_products, replaced=True),
    ("rank-products", "sums-add-remove"): partial(rank_products, replaced=False),
    ("weighted-counts", "sums"): partial(weighted_counts, replaced=True),
    ("weighted-counts", "sums-add-remove"): partial(weighted_counts, replaced=False),
    ("degrees", "sorted-sums"): sorted_sums,
    ("degrees", "histogram"): partial(histograms, cumulative=False, node=False),
    ("degrees", "cumulative"): partial(histograms, cumulative=True, node=False),
    ("joint-degrees", "boxes"): partial(box_counts, node=False),
    ("joint-degrees", "top-coded"): partial(cell_counts, node=False),
    ("projected-degrees", "histogram"): partial(histograms, cumulative=False, node=True),
    ("projected-degrees", "cumulative"): partial(histograms, cumulative=True, node=True),
    ("projected-joint-degrees", "boxes"): partial(box_counts, node=True),
    ("projected-joint-degrees", "cells"): partial(cell_counts, node=True),
    ("projected-edges", "sizes"): sizes_after_projection,
    ("personalised", "edges"): partial(sampled, node=False),
    ("personalised", "nodes"): partial(sampled, node=True),
}


def test_every_claim_is_hunted_and_every_hunter_has_a_claim() -> None:
    assert set(HUNTERS) == set(ALL_CLAIMS)


@pytest.mark.parametrize("claim", HUNTERS, ids=" ".join)
@settings(max_examples=100)
@given(data=st.data())
def test_no_neighbour_moves_a_statistic_further_than_its_claim_allows(claim, data) -> None:
    moved = data.draw(HUNTERS[claim]())

    assert moved.by <= moved.allowed * (1 + ROUNDING)


@pytest.mark.parametrize("proof", sorted({claim.proof for claim in ALL_CLAIMS.values()}))
def test_every_claim_has_a_page_with_claim_proof_and_conditions(proof) -> None:
    page = (PROOFS / f"{proof}.md").read_text(encoding="utf-8")

    headings = [
        line for line in page.splitlines() if line in ("## Claim", "## Proof", "## Conditions")
    ]

    assert headings == ["## Claim", "## Proof", "## Conditions"]


@pytest.mark.parametrize("noise", ["discrete-laplace", "exponential-mechanism", "cube-noise"])
def test_every_kind_of_noise_has_a_page_with_claim_proof_and_conditions(noise) -> None:
    page = (PROOFS / f"{noise}.md").read_text(encoding="utf-8")

    assert all(f"\n## {title}\n" in page for title in ("Claim", "Proof", "Conditions"))


@pytest.mark.parametrize(("n", "k"), [(7, 7), (7, 3), (12, 4), (13, 4), (25, 2)])
def test_rank_blocks_attain_their_bound_however_many_blocks_take_part(n, k) -> None:
    grid = Grid.between(0.0, 1.0)
    here = np.linspace(0.0, 1.0, n)
    there = np.append(here[1:], 1.0)

    moved = np.abs(rank_sums(here, k, grid) - rank_sums(there, k, grid))

    assert moved.sum() == bound("rank-blocks", "sums", steps=grid.steps)
    assert np.count_nonzero(moved) == n // k


@pytest.mark.parametrize("name", ["scores", "scores-add-remove"])
def test_scores_of_pairs_attain_their_bound(name) -> None:
    hunter = HUNTERS["pair-scores", name]

    assert find(hunter(), lambda moved: moved.by == moved.allowed, settings=HUNT)


@pytest.mark.parametrize("name", ["sums", "sums-add-remove"])
def test_products_of_ranks_attain_their_bound(name) -> None:
    hunter = HUNTERS["rank-products", name]

    assert find(hunter(), lambda moved: moved.by == moved.allowed, settings=HUNT)


@pytest.mark.parametrize("name", ["sums", "sums-add-remove"])
def test_sums_of_weights_attain_their_bound(name) -> None:
    hunter = HUNTERS["weighted-counts", name]

    assert find(hunter(), lambda moved: moved.by == moved.allowed, settings=HUNT)


@pytest.mark.parametrize("replaced", [True, False])
@pytest.mark.parametrize("products", [True, False])
@settings(max_examples=300)
@given(data=st.data())
def test_no_neighbour_moves_squares_further_than_their_claim_allows(
    products, replaced, data
) -> None:
    moved = data.draw(squared_moves(replaced=replaced, products=products))

    assert moved.by <= moved.allowed


@pytest.mark.parametrize("replaced", [True, False])
@settings(max_examples=300)
@given(data=st.data())
def test_no_neighbour_moves_squares_of_weights_further_than_their_claim_allows(
    replaced, data
) -> None:
    moved = data.draw(squared_moves_of_weights(replaced=replaced))

    assert moved.by <= moved.allowed


@pytest.mark.parametrize("replaced", [True, False])
def test_sums_of_weights_attain_their_bound_on_squares(replaced) -> None:
    hunter = squared_moves_of_weights(replaced=replaced)

    assert find(hunter, lambda moved: moved.by == moved.allowed, settings=HUNT)


@pytest.mark.parametrize("replaced", [True, False])
def test_counts_attain_their_bound_on_squares(replaced) -> None:
    hunter = squared_moves(replaced=replaced, products=False)

    assert find(hunter, lambda moved: moved.by == moved.allowed, settings=HUNT)


@pytest.mark.parametrize("columns", [2, 3, 4, 5])
def test_products_of_ranks_move_by_no_more_than_their_squares_and_attain_them(columns) -> None:
    # In every rank the sum of squares is convex, so it is largest where ranks are −1 or 1.
    records = np.array(list(product((-1, 1), repeat=columns)))
    first, second = np.triu_indices(columns, 1)
    products = records[:, first] * records[:, second]
    moves = ((products[:, None, :] - products[None, :, :]) ** 2).sum(axis=2)
    public = {"unit": 1, "columns": columns}

    # The bound is attained where columns can be parted in halves.
    assert moves.max() == columns**2 - columns % 2
    assert moves.max() <= ALL_CLAIMS["rank-products", "sums"].squared(public) == columns**2
    added = ALL_CLAIMS["rank-products", "sums-add-remove"].squared(public)
    assert (products**2).sum(axis=1).max() == added


def test_a_record_that_goes_from_bound_to_bound_attains_the_bound_of_record_values() -> None:
    grid = Grid.between(-1.0, 1.0)

    moved = difference(grid.integers([0.3, -1.0]), grid.integers([0.3, 1.0]))

    assert moved == bound("laplace", "values", steps=grid.steps)


def test_fixed_clusters_attain_their_bound() -> None:
    grid, labels = Grid.between(-1.0, 1.0), np.array([0, 1, 1])

    moved = difference(
        cluster_sums(grid.integers([0.3, -1.0, 0.2]), labels, 2),
        cluster_sums(grid.integers([0.3, 1.0, 0.2]), labels, 2),
    )

    assert moved == bound("fixed-partition", "sums", steps=grid.steps)


@pytest.mark.parametrize("k", [2, 3])
@pytest.mark.parametrize("clusters", [2, 4])
def test_insensitive_clusters_come_within_a_thousandth_of_their_bound(k, clusters) -> None:
    # Along the order, the records jump from one end of the first attribute to the other.
    schema = Schema((Attribute("x", bounds=(0.0, 1.0)), Attribute("y", bounds=(0.0, 1.0))))
    tiny = 1e-5
    jumps = [(1.0, i * tiny) if i % 2 == 0 else (i * tiny, 1.0) for i in range(clusters + 1)]
    here = [record for record in jumps[:clusters] for _ in range(k)]
    there = [*here[1:], jumps[clusters]]

    sums = [
        run(table_of(records, schema), "insensitive", k=k, order="single")[0]["values"]
        for records in (here, there)
    ]

    steps = Grid.between(0.0, 1.0).steps
    allowed = bound("insensitive", "sums", steps=steps, clusters=clusters)
    assert 0.999 * allowed <= difference(*sums) <= allowed


def test_the_chain_of_one_attribute_is_attained() -> None:
    schema = Schema((Attribute("x", bounds=(0.0, 1.0)),))

    (here,), (there,) = (
        run(table_of([(0.0,)] * 7 + [(last,)], schema), "insensitive", k=2, order="hilbert")
        for last in (0.0, 1.0)
    )

    assert difference(here["values"], there["values"]) == here["l1"]


def test_two_categories_attain_the_bound_of_marginality() -> None:
    (here,), (there,) = (
        run(table_of([("chess",)] * 7 + [(last,)], schema_of(0, 1)), "insensitive", k=4)
        for last in ("chess", "judo")
    )

    assert largest_move(here, there) == 1 / (2 * 2 * here["rate"])


def test_two_categories_attain_the_bound_of_distances() -> None:
    (here,), (there,) = (
        run(table_of([("chess",)] * 7 + [(last,)], schema_of(0, 1)), "exponential")
        for last in ("chess", "judo")
    )

    assert largest_move(here, there) == 1 / (2 * here["rate"])


def test_the_structure_of_a_tree_comes_within_a_tenth_of_its_bound() -> None:
    # Many copies of one value make a deep path that every level pays for; a second heap far
    # away makes a leaf that is surprising on the other side.
    sides, scale = (even_side(2**10),), 50.0
    rest = [(0,)] * 280 + [(1023,)] * 400

    loss = tree_loss([*rest, (0,)], [*rest, (1023,)], sides, scale)

    allowed = bound("private-tree", "structure") / THOUSANDTHS
    assert 0.9 * 3.6 <= loss * scale <= allowed == 3.6


@pytest.mark.parametrize(("k", "others"), [(3, [0, 1]), (4, [0, 0, 0]), (6, [0] * 5)])
def test_a_coskewness_attains_its_bound(k, others) -> None:
    steps, resolution = 10, 2**20
    labels, sizes = np.zeros(k, dtype=np.int64), np.array([k])

    here, there = (
        moment_sums(
            np.array([[value * steps] for value in (*others, last)]),
            [steps],
            labels,
            sizes,
            [(0, 0, 0)],
            resolution=resolution,
        )[0]
        for last in (0, 1)
    )

    allowed = bound("cross-moment", "moments", steps=resolution, entries=0, coskewnesses=1, k=k)
    assert difference(here, there) == allowed


def test_the_hunt_finds_a_surplus_that_goes_where_the_data_suggest() -> None:
    def sums(column, k: int, grid: Grid) -> np.ndarray:
        integers = np.sort(grid.integers(column))
        sizes = rank_block_sizes(integers.size, k)
        sizes[sizes.size // 2] = k
        # As in the printed MDAV: the end that is farther from the average is cut off first.
        farther = abs(integers[-1] - integers.mean()) > abs(integers[0] - integers.mean())
        sizes[0 if farther else -1] += integers.size - sizes.sum()
        return sums_of_ranks(np.bincount(integers), sizes)

    def breaks(pair) -> bool:
        moved = np.abs(sums(pair.here, pair.k, pair.grid) - sums(pair.there, pair.k, pair.grid))
        return moved.sum() > pair.grid.steps

    found = find(
        neighbouring_columns(shuffled=True),
        breaks,
        settings=HUNT,
    )

    assert breaks(found)


@pytest.mark.parametrize("claim", [("laplace", "values"), ("rank-blocks", "sums")], ids=" ".join)
def test_the_hunt_finds_a_bound_that_is_too_small_by_one_step(claim) -> None:
    found = find(
        HUNTERS[claim](),
        lambda moved: moved.by > moved.allowed - 1,
        settings=HUNT,
    )

    assert found.by == found.allowed
