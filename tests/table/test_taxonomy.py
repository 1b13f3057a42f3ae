"""A taxonomy is a graph under one root, and its distances are those of the paper."""

from __future__ import annotations

import os
from itertools import product
from math import log2
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from covey.errors import TaxonomyError
from covey.table.taxonomy import Taxonomy

ROOT = Path(__file__).parents[2]
DATA = Path(os.environ.get("COVEY_DATA", ROOT / ".." / "shared" / "data"))
SPORT = Taxonomy.from_edges(
    "sport",
    [
        ("sport", ""),
        ("water", "sport"),
        ("winter", "sport"),
        ("sailing", "water"),
        ("swimming", "water"),
        ("ski", "winter"),
        ("chess", "sport"),
    ],
)


@st.composite
def taxonomies(draw: st.DrawFn) -> Taxonomy:
    """Draw a directed acyclic graph: each concept has one to three earlier ones as parents."""
    size = draw(st.integers(1, 12))
    edges = [("c0", "")]
    for child in range(1, size):
        parents = draw(st.sets(st.integers(0, child - 1), min_size=1, max_size=3))
        edges += [(f"c{child}", f"c{parent}") for parent in parents]
    return Taxonomy.from_edges("drawn", edges)


def written(folder: Path, text: str) -> Path:
    path = folder / "colour.csv"
    path.write_text(text, encoding="utf-8")
    return path


def code(taxonomy: Taxonomy, concept: str) -> int:
    return taxonomy.concepts.index(concept)


def test_ancestors_include_the_concept_itself_and_all_above_it() -> None:
    above = SPORT.ancestors[code(SPORT, "ski")]

    assert {SPORT.concepts[i] for i in np.flatnonzero(above)} == {"ski", "winter", "sport"}


@pytest.mark.parametrize(
    ("one", "other", "apart", "together"),
    [
        ("sailing", "swimming", 2, 4),
        ("sailing", "ski", 4, 5),
        ("chess", "ski", 3, 4),
        ("water", "sport", 1, 2),
        ("ski", "ski", 0, 3),
    ],
)
def test_distance_is_the_logarithm_of_the_share_of_ancestors_not_in_common(
    one: str, other: str, apart: int, together: int
) -> None:
    distance = SPORT.distances[code(SPORT, one), code(SPORT, other)]

    assert distance == pytest.approx(log2(1 + apart / together), rel=1e-15)


@given(taxonomies())
def test_distance_is_a_metric_between_zero_and_one(taxonomy: Taxonomy) -> None:
    table = taxonomy.distances
    detour = (table[:, :, None] + table[None, :, :]).min(axis=1)

    assert np.array_equal(table, table.T)
    assert (np.diag(table) == 0).all()
    assert ((table > 0) | np.eye(len(table), dtype=bool)).all()
    assert (table < 1).all()
    assert (table <= detour + 1e-12).all()


@given(taxonomies())
def test_diameter_bounds_what_one_replaced_value_does_to_any_marginality(
    taxonomy: Taxonomy,
) -> None:
    table = taxonomy.distances
    change = np.abs(table[:, :, None] - table[:, None, :]).max()

    assert change <= taxonomy.diameter + 1e-12
    assert taxonomy.diameter == table.max()


def test_diameter_exceeds_the_distance_of_the_boundaries_in_the_known_example() -> None:
    edges = [("root", ""), ("U", "root"), ("V", "root"), ("w", "root")]
    for side in "UV":
        edges += [(f"{side}{i}", f"{side}{i - 1}" if i else side) for i in range(7)]
        edges += [(f"{side}leaf{i}", f"{side}6") for i in range(10)]
    leaves = [f"{side}leaf{i}" for side, i in product("UV", range(10))]
    taxonomy = Taxonomy.from_edges("deep", edges).with_domain([*leaves, "w"])

    bottom, top = taxonomy.boundaries

    assert taxonomy.concepts[bottom] == "w"
    assert taxonomy.distances[bottom, top] == pytest.approx(log2(1 + 10 / 11))
    assert taxonomy.diameter == pytest.approx(log2(1 + 18 / 19))


def test_marginality_sums_the_distances_to_the_leaves() -> None:
    leaves = [code(SPORT, name) for name in ("chess", "sailing", "ski", "swimming")]

    expected = [sum(SPORT.distances[i, j] for j in leaves) for i in range(len(SPORT.concepts))]

    assert SPORT.leaves == tuple(leaves)
    np.testing.assert_allclose(SPORT.marginality, expected, rtol=1e-14)


def test_boundaries_are_the_most_marginal_value_and_the_farthest_from_it() -> None:
    bottom, top = SPORT.boundaries

    # ski: 2 log2(1.8) + log2(1.75); sailing and swimming have each other nearby.
    assert (SPORT.concepts[bottom], SPORT.concepts[top]) == ("ski", "sailing")


def test_narrowing_the_domain_moves_boundaries_and_refuses_other_concepts() -> None:
    water = SPORT.with_domain(["sailing", "swimming", "water"])

    assert {water.concepts[i] for i in water.boundaries} == {"sailing", "swimming"}
    assert water.diameter == pytest.approx(log2(1.5))
    assert water.concepts == SPORT.concepts
    with pytest.raises(TaxonomyError, match="not in its taxonomy"):
        water.codes(["ski"])


def test_domain_of_unknown_values_is_refused() -> None:
    with pytest.raises(TaxonomyError, match=r"no concepts of its taxonomy.*'golf'"):
        SPORT.with_domain(["ski", "golf"])


def test_tables_are_computed_once_and_read_only() -> None:
    assert SPORT.distances is SPORT.distances
    for table in (SPORT.distances, SPORT.ancestors, SPORT.marginality):
        with pytest.raises(ValueError, match="read-only"):
            table[0] = 1


def test_rows_of_the_file_may_come_in_any_order(tmp_path: Path) -> None:
    rows = ["red,colour", "blue,colour", "crimson,red", "colour,"]
    here = Taxonomy.load(written(tmp_path, "\n".join(["child,parent", *rows])))
    there = Taxonomy.load(written(tmp_path, "\r\n".join(["child,parent", *rows[::-1], ""])))

    assert here == there
    assert here.name == "colour"
    assert here.concepts[here.root] == "colour"


@given(taxonomy=taxonomies())
def test_saved_taxonomy_loads_as_the_same(
    taxonomy: Taxonomy, tmp_path_factory: pytest.TempPathFactory
) -> None:
    path = tmp_path_factory.mktemp("taxonomy") / "drawn.csv"
    taxonomy.save(path)

    assert Taxonomy.load(path) == taxonomy


def test_names_with_commas_quotes_blanks_and_accents_survive_saving(tmp_path: Path) -> None:
    taxonomy = Taxonomy.flat("odd", ["a,b", 'say "x"', " blank ", "Übung", "two\nlines"])
    taxonomy.save(tmp_path / "odd.csv")

    assert Taxonomy.load(tmp_path / "odd.csv") == taxonomy


def test_byte_order_mark_of_a_spreadsheet_is_no_part_of_the_header(tmp_path: Path) -> None:
    path = written(tmp_path, "\ufeffchild,parent\ncolour,\n")

    assert Taxonomy.load(path).concepts == ("colour",)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "no header.*child,parent"),
        ("colour,\nred,colour\n", "no header.*child,parent"),
        ("child,parent\n", "is empty.*root"),
        ("child,parent\nred,blue\nblue,red\n", "cycle.*Remove the row"),
        ("child,parent\nroot,\nred,red\n", "cycle .'?red'? -> '?red'?"),
        ("child,parent\nroot,\na,root\na,c\nb,a\nc,b\n", "cycle"),
        ("child,parent\nred,\nblue,\n", "several roots .'blue', 'red'."),
        ("child,parent\nred,colour\n", "no row of their own .'colour'.*empty parent"),
        ("child,parent\ncolour,\nred,colour\nred,colour\n", "'red' under 'colour' twice"),
        ("child,parent\ncolour,\n,colour\n", "row without a child"),
        ("child,parent\ncolour,\nred,colour,1\n", "row 2 .*two columns.*double quotes"),
        ('child,parent\ncolour,\n"red,colour\n', "not a CSV file"),
    ],
)
def test_what_is_not_a_taxonomy_is_refused_with_the_next_step(
    tmp_path: Path, text: str, message: str
) -> None:
    with pytest.raises(TaxonomyError, match=message):
        Taxonomy.load(written(tmp_path, text))


def test_unreadable_files_are_named(tmp_path: Path) -> None:
    (tmp_path / "latin.csv").write_bytes("child,parent\nÜbung,\n".encode("latin-1"))

    with pytest.raises(TaxonomyError, match=r"nowhere\.csv.*cannot be read"):
        Taxonomy.load(tmp_path / "nowhere.csv")
    with pytest.raises(TaxonomyError, match="cannot be read"):
        Taxonomy.load(tmp_path)
    with pytest.raises(TaxonomyError, match="not UTF-8"):
        Taxonomy.load(tmp_path / "latin.csv")
    with pytest.raises(TaxonomyError, match="cannot be written"):
        SPORT.save(tmp_path / "no" / "folder.csv")


def test_more_concepts_than_memory_can_compare_are_refused_where_they_are_compared() -> None:
    wide = Taxonomy.flat("wide", map(str, range(10_001)))

    assert len(wide.leaves) == 10_001
    with pytest.raises(TaxonomyError, match="more than 10,000 concepts"):
        _ = wide.distances


def test_codes_and_values_undo_each_other() -> None:
    column = ["ski", "water", "ski", "chess"]

    assert SPORT.values(SPORT.codes(column)) == column
    assert SPORT.codes(np.array(column, dtype=object)).dtype == np.int64


@pytest.mark.parametrize("stranger", ["secret-value", None, 7, float("nan")])
def test_strange_value_is_refused_without_being_quoted(stranger: object) -> None:
    with pytest.raises(TaxonomyError, match=r"attribute 'hobby'.*Compare") as caught:
        SPORT.codes(["ski", stranger], attribute="hobby")

    assert "secret" not in str(caught.value)


def test_flat_values_are_all_equally_far_apart() -> None:
    taxonomy = Taxonomy.flat("letter", ["b", "a", "*"])
    values = taxonomy.codes(["*", "a", "b"])
    table = taxonomy.distances[np.ix_(values, values)]

    np.testing.assert_allclose(table, log2(5 / 3) * (1 - np.eye(3)), rtol=1e-15)
    assert taxonomy.concepts[taxonomy.root] == "**"


def test_codes_that_begin_alike_are_nearer() -> None:
    taxonomy = Taxonomy.from_prefixes("disease", ["A01", "A01.1", "A01.2", "A02", "B20", "A01*"])

    assert set(taxonomy.concepts) == {
        *("*", "A0*", "A01", "A01.*", "A01.1", "A01.2", "A02", "B20", "A01*"),
    }
    above = taxonomy.ancestors[code(taxonomy, "A01.2")]
    assert {taxonomy.concepts[i] for i in np.flatnonzero(above)} == {
        *("*", "A0*", "A01", "A01.*", "A01.2"),
    }


def test_common_beginning_of_all_codes_is_the_root_unless_it_is_a_code() -> None:
    assert Taxonomy.from_prefixes("x", ["A1", "A2"]).concepts == ("A*", "A1", "A2")
    assert Taxonomy.from_prefixes("x", ["A", "A1", "A2"]).concepts == ("*", "A", "A1", "A2")
    assert Taxonomy.from_prefixes("x", ["A"]).concepts == ("*", "A")


@given(st.sets(st.text("AB*.", min_size=1, max_size=4), min_size=1, max_size=12))
def test_prefixes_make_a_taxonomy_of_any_codes(codes: set[str]) -> None:
    taxonomy = Taxonomy.from_prefixes("any", codes)

    for longer, shorter in product(codes, codes):
        below = taxonomy.ancestors[code(taxonomy, longer), code(taxonomy, shorter)]
        assert below == longer.startswith(shorter)


@given(st.integers(1, 40))
def test_binary_tree_is_balanced_and_keeps_neighbours_near(size: int) -> None:
    values = [str(i) for i in range(size)]
    taxonomy = Taxonomy.binary("rank", values)
    depth = taxonomy.ancestors[taxonomy.codes(values)].sum(axis=1)

    assert len(taxonomy.concepts) == 2 * size - 1
    assert set(taxonomy.values(np.array(taxonomy.leaves))) == set(values)
    assert depth.max() - depth.min() <= 1


@pytest.mark.parametrize("make", [Taxonomy.flat, Taxonomy.from_prefixes, Taxonomy.binary])
def test_drafts_refuse_no_values_empty_values_and_repeated_values(make) -> None:
    for values, message in ([], "are none"), (["a", ""], "an empty one"), (["a", "a"], "repeat"):
        with pytest.raises(TaxonomyError, match=message):
            make("letter", values)


@pytest.mark.skipif(not (DATA / "taxonomies").exists(), reason="reference data not at COVEY_DATA")
@pytest.mark.parametrize(
    ("name", "concepts", "leaves", "depth"),
    [
        ("education", 24, 16, 3),
        ("marital-status", 11, 6, 3),
        ("native-country", 60, 42, 7),
        ("occupation", 40, 16, 6),
        ("race", 8, 5, 2),
        ("relationship", 9, 4, 4),
        ("sex", 5, 2, 2),
        ("workclass", 10, 7, 2),
    ],
)
def test_taxonomies_of_adult_load_with_the_counts_stated_for_them(
    name: str, concepts: int, leaves: int, depth: int
) -> None:
    taxonomy = Taxonomy.load(DATA / "taxonomies" / f"{name}.csv")

    assert len(taxonomy.concepts) == concepts
    assert len(taxonomy.leaves) == leaves
    if name != "relationship":  # not a tree: more ancestors than steps to the root
        assert taxonomy.ancestors.sum(axis=1).max() == depth + 1
