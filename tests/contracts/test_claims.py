"""Every claim is hunted for neighbours that break it, is attained, and has a page of proof."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pytest
from hypothesis import find, given, settings
from hypothesis import strategies as st

from covey.aggregate import block_sums, cluster_sums
from covey.partition import rank_block_sizes
from covey.perturb import Grid
from covey.privacy import CLAIMS, sensitivity
from covey.systems import SYSTEMS
from covey.table import Attribute, Schema
from tests.contracts.neighbours import (
    HIGH,
    LOW,
    neighbouring_columns,
    neighbouring_tables,
    schema_of,
    table_of,
)
from tests.perturb.recording import RecordingNoise

PROOFS = Path(__file__).parents[2] / "docs" / "proofs"


@dataclass(frozen=True, slots=True, kw_only=True)
class Moved:
    """How far a statistic moved between two neighbours, and how far it may."""

    by: int
    allowed: int


def difference(here, there) -> int:
    """Return the exact L1 distance of two integer vectors of the same length."""
    assert len(here) == len(there)
    return sum(abs(int(a) - int(b)) for a, b in zip(here, there, strict=True))


@st.composite
def record_values(draw) -> Moved:
    pair = draw(neighbouring_columns(shuffled=False))

    here, there = (pair.grid.integers(column) for column in (pair.here, pair.there))

    return Moved(
        by=difference(here, there),
        allowed=sensitivity("laplace", "values", steps=pair.grid.steps).l1,
    )


def sums_of_ranks(column, k: int, grid: Grid) -> np.ndarray:
    """Compute the sums as the system does: grid, sort, public blocks, integer sums."""
    integers = grid.integers(column)
    order = np.argsort(integers, kind="stable")
    return block_sums(integers[order], rank_block_sizes(integers.size, k))


@st.composite
def rank_block_sums(draw) -> Moved:
    pair = draw(neighbouring_columns(shuffled=True))

    here, there = (sums_of_ranks(column, pair.k, pair.grid) for column in (pair.here, pair.there))

    return Moved(
        by=difference(here, there),
        allowed=sensitivity("rank-blocks", "sums", steps=pair.grid.steps).l1,
    )


@st.composite
def sums_of_fixed_clusters(draw) -> Moved:
    pair = draw(neighbouring_columns(shuffled=False))
    clusters = draw(st.integers(1, pair.here.size))
    labels = np.array([draw(st.integers(0, clusters - 1)) for _ in pair.here], dtype=np.int64)

    here, there = (
        cluster_sums(pair.grid.integers(column), labels, clusters)
        for column in (pair.here, pair.there)
    )

    return Moved(
        by=difference(here, there),
        allowed=sensitivity("fixed-partition", "sums", steps=pair.grid.steps).l1,
    )


def insensitive_run(table, *, k: int, order: str):
    """Run the system without noise and return what it was about to perturb."""
    source, system = RecordingNoise(), SYSTEMS["insensitive"]
    settings = system.settings({"epsilon": 1.0, "k": k, "order": order})
    system.run(table, settings, source, None)
    return source.asked


@st.composite
def insensitive_sums(draw) -> Moved:
    pair = draw(
        neighbouring_tables(numeric=st.integers(2, 3), nominal=st.integers(0, 1), shuffled=True)
    )
    k = draw(st.integers(2, pair[0].n // 2))
    order = draw(st.sampled_from(["single", "corners"]))

    asked = zip(*(insensitive_run(table, k=k, order=order) for table in pair), strict=True)

    moved = [
        Moved(
            by=difference(here.integers, there.integers),
            allowed=sensitivity(
                "insensitive", "sums", steps=GRID_STEPS[j % 2], clusters=pair[0].n // k
            ).l1,
        )
        for j, (here, there) in enumerate(asked)
        if hasattr(here, "integers")
    ]
    return max(moved, key=lambda move: move.by / move.allowed)


GRID_STEPS = tuple(Grid.between(LOW, HIGH, integer=integer).steps for integer in (False, True))


@st.composite
def sums_along_the_curve(draw) -> Moved:
    pair = draw(neighbouring_tables(numeric=st.integers(1, 3), nominal=st.just(0), shuffled=True))
    k = draw(st.integers(2, pair[0].n // 2))

    (here,), (there,) = (insensitive_run(table, k=k, order="hilbert") for table in pair)

    return Moved(by=difference(here.integers, there.integers), allowed=here.l1)


@st.composite
def marginalities(draw) -> Moved:
    pair = draw(neighbouring_tables(numeric=st.integers(0, 1), nominal=st.just(1), shuffled=True))
    k = draw(st.integers(2, pair[0].n // 2))

    asked = [insensitive_run(table, k=k, order="corners") for table in pair]

    here, there = (run[-1] for run in asked)
    share = 1 if len(pair[0].schema.attributes) == 1 else 2
    # rate = (epsilon / attributes) / clusters / (2 · sensitivity)
    allowed = 1 / (share * len(here.losses) * 2 * here.rate)
    assert allowed == sensitivity("insensitive", "marginality", steps=int(allowed)).l1
    rows = zip(here.losses, there.losses, strict=True)
    return Moved(
        by=max(abs(a - b) for row in rows for a, b in zip(*row, strict=True)),
        allowed=int(allowed),
    )


HUNTERS: dict[tuple[str, str], Callable[[], st.SearchStrategy[Moved]]] = {
    ("laplace", "values"): record_values,
    ("rank-blocks", "sums"): rank_block_sums,
    ("fixed-partition", "sums"): sums_of_fixed_clusters,
    ("insensitive", "sums"): insensitive_sums,
    ("insensitive", "chain-sums"): sums_along_the_curve,
    ("insensitive", "marginality"): marginalities,
}


def test_every_claim_is_hunted_and_every_hunter_has_a_claim() -> None:
    assert set(HUNTERS) == set(CLAIMS)


@pytest.mark.parametrize("claim", HUNTERS, ids=" ".join)
@settings(max_examples=300)
@given(data=st.data())
def test_no_neighbour_moves_a_statistic_further_than_its_claim_allows(claim, data) -> None:
    moved = data.draw(HUNTERS[claim]())

    assert moved.by <= moved.allowed


@pytest.mark.parametrize("proof", sorted({claim.proof for claim in CLAIMS.values()}))
def test_every_claim_has_a_page_with_claim_proof_and_conditions(proof) -> None:
    page = (PROOFS / f"{proof}.md").read_text(encoding="utf-8")

    headings = [line for line in page.splitlines() if line.startswith("## ")]

    assert [f"## {title}" for title in ("Claim", "Proof", "Conditions")] == [
        line for line in headings if line in ("## Claim", "## Proof", "## Conditions")
    ]


def test_the_noise_itself_has_a_page_with_claim_proof_and_conditions() -> None:
    page = (PROOFS / "discrete-laplace.md").read_text(encoding="utf-8")

    assert all(f"\n## {title}\n" in page for title in ("Claim", "Proof", "Conditions"))


@pytest.mark.parametrize(("n", "k"), [(7, 7), (7, 3), (12, 4), (13, 4), (25, 2)])
def test_rank_blocks_attain_their_bound_however_many_blocks_take_part(n, k) -> None:
    grid = Grid.between(0.0, 1.0)
    here = np.linspace(0.0, 1.0, n)
    there = np.append(here[1:], 1.0)

    moved = np.abs(sums_of_ranks(here, k, grid) - sums_of_ranks(there, k, grid))

    assert moved.sum() == sensitivity("rank-blocks", "sums", steps=grid.steps).l1
    assert np.count_nonzero(moved) == n // k


def test_a_record_that_goes_from_bound_to_bound_attains_the_bound_of_record_values() -> None:
    grid = Grid.between(-1.0, 1.0)

    moved = difference(grid.integers([0.3, -1.0]), grid.integers([0.3, 1.0]))

    assert moved == sensitivity("laplace", "values", steps=grid.steps).l1


def test_fixed_clusters_attain_their_bound() -> None:
    grid, labels = Grid.between(-1.0, 1.0), np.array([0, 1, 1])

    moved = difference(
        cluster_sums(grid.integers([0.3, -1.0, 0.2]), labels, 2),
        cluster_sums(grid.integers([0.3, 1.0, 0.2]), labels, 2),
    )

    assert moved == sensitivity("fixed-partition", "sums", steps=grid.steps).l1


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
        insensitive_run(table_of(records, schema), k=k, order="single")[0].integers
        for records in (here, there)
    ]

    steps = Grid.between(0.0, 1.0).steps
    allowed = sensitivity("insensitive", "sums", steps=steps, clusters=clusters).l1
    assert 0.999 * allowed <= difference(*sums) <= allowed


def test_the_chain_of_one_attribute_is_attained() -> None:
    schema = Schema((Attribute("x", bounds=(0.0, 1.0)),))

    (here,), (there,) = (
        insensitive_run(table_of([(0.0,)] * 7 + [(last,)], schema), k=2, order="hilbert")
        for last in (0.0, 1.0)
    )

    assert difference(here.integers, there.integers) == here.l1


def test_the_marginality_of_two_categories_attains_its_bound() -> None:
    (here,), (there,) = (
        insensitive_run(table_of([("chess",)] * 7 + [(last,)], schema_of(0, 1)), k=4, order="single")
        for last in ("chess", "judo")
    )

    moved = [
        abs(a - b)
        for row in zip(here.losses, there.losses, strict=True)
        for a, b in zip(*row, strict=True)
    ]

    assert max(moved) == 1 / (2 * 2 * here.rate)


def test_the_hunt_finds_a_surplus_that_goes_where_the_data_suggest() -> None:
    def sums(column, k: int, grid: Grid) -> np.ndarray:
        integers = np.sort(grid.integers(column))
        sizes = rank_block_sizes(integers.size, k)
        sizes[sizes.size // 2] = k
        # As in the printed MDAV: the end that is farther from the average is cut off first.
        farther = abs(integers[-1] - integers.mean()) > abs(integers[0] - integers.mean())
        sizes[0 if farther else -1] += integers.size - sizes.sum()
        return block_sums(integers, sizes)

    def breaks(pair) -> bool:
        moved = np.abs(sums(pair.here, pair.k, pair.grid) - sums(pair.there, pair.k, pair.grid))
        return moved.sum() > pair.grid.steps

    found = find(
        neighbouring_columns(shuffled=True),
        breaks,
        settings=settings(max_examples=5000, derandomize=True, database=None),
    )

    assert breaks(found)


def test_the_hunt_finds_a_bound_that_is_too_small_by_one_step() -> None:
    found = find(
        rank_block_sums(),
        lambda moved: moved.by > moved.allowed - 1,
        settings=settings(max_examples=5000, derandomize=True, database=None),
    )

    assert found.by == found.allowed
