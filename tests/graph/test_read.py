"""Edge lists of all usual shapes give the same graph, and others are refused with what to do."""

import gzip
from pathlib import Path

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from covey.errors import DataError
from covey.graph import Graph, read_graph

SENTINEL = "7777777"
TRIANGLE = [[1, 2], [1, 30], [2, 30]]


def edges(graph: Graph) -> list[list]:
    return graph.ids[graph.edges()].tolist()


def written(folder: Path, text: str | bytes, name: str = "edges.txt") -> Path:
    path = folder / name
    raw = text if isinstance(text, bytes) else text.encode()
    path.write_bytes(gzip.compress(raw) if path.suffix == ".gz" else raw)
    return path


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("e.txt", "1 2\n1 30\n2 30\n"),
        ("e.txt", "1 2\n1 30\n2 30"),
        ("e.txt", "1\t2\n1\t30\n30\t2\n"),
        ("e.txt", "  1   2 \n1 30\n  2 \t 30\n"),
        ("e.txt", "\n\n1 2\n\n1 30\n   \n2 30\n\n"),
        ("e.txt", "1 2\r\n1 30\r\n2 30\r\n"),
        ("e.txt", "# a comment\n% another\n1 2\n# 5 6\n1 30\n2 30\n#\n"),
        ("e.txt", "# FromNodeId\tToNodeId\n1\t2\n1\t30\n2\t30\n"),
        ("e.csv", "1,2\n1,30\n2,30\n"),
        ("e.csv", "\ufeff1, 2\n1, 30\n2, 30\n"),
        ("e.csv", '"1","2"\n"1","30"\n"2","30"\n'),
        ("e.csv", "1;2\n1;30\n2;30\n"),
        ("e.csv", "1,2,\n1,30,\n2,30,\n"),
        ("E.TSV", "1\t2\n1\t30\n2\t30\n"),
        ("e.edges", "1 2\n1 30\n2 30\n"),
        ("e.txt.gz", "# a comment\n1 2\n1 30\n2 30\n"),
        ("e.csv.gz", "1,2\n1,30\n2,30\n"),
    ],
)
def test_edge_lists_of_all_shapes_are_read(tmp_path, name, text) -> None:
    graph = read_graph(written(tmp_path, text, name), strict=True)

    assert edges(graph) == TRIANGLE
    assert graph.ids.dtype == np.int64
    assert (graph.kind, graph.notes) == ("csv", ())


@pytest.mark.parametrize(
    "header", ["source,target", "Source,Target", "person,friend", "u,v", "from,to", "id_1,id_2"]
)
def test_a_header_above_integers_is_seen_and_noted(tmp_path, header) -> None:
    graph = read_graph(written(tmp_path, f"{header}\n1,2\n1,30\n30,2\n", "e.csv"))

    assert edges(graph) == TRIANGLE
    assert graph.notes == ("the first line was read as the names of the columns.",)


def test_a_usual_header_above_texts_is_seen(tmp_path) -> None:
    graph = read_graph(written(tmp_path, "source,target\nAnn,Bob\n", "e.csv"))

    assert edges(graph) == [["Ann", "Bob"]]


@pytest.mark.parametrize("text", ["node1 node2\nnode2 node3\n", "u v\nv node3\n", "a b\nc d\n"])
def test_names_of_nodes_in_the_first_line_are_no_header(tmp_path, text) -> None:
    graph = read_graph(written(tmp_path, text))

    assert graph.n_edges == 2
    assert graph.notes == ()


@pytest.mark.parametrize(
    ("text", "ids"),
    [
        ("Ann Bob\nBob Cy\n", ["Ann", "Bob", "Cy"]),
        ("1 Bob\n10 2\n", ["1", "10", "2", "Bob"]),
        ("007 7\n7 8\n", ["007", "7", "8"]),
        ("1.0 2\n2 3\n", ["1.0", "2", "3"]),
        ("Zoë,Ann B\nAnn B,Ün\n", ["Ann B", "Zoë", "Ün"]),
        ('"Doe, J",Ann\n', ["Ann", "Doe, J"]),
        ("New York\tRome\n", ["New York", "Rome"]),
        ("99999999999999999999 1\n2 3\n", ["1", "2", "3", "99999999999999999999"]),
    ],
)
def test_other_names_than_integers_are_texts_and_keep_their_letters(tmp_path, text, ids) -> None:
    graph = read_graph(written(tmp_path, text))

    assert graph.ids.tolist() == ids
    assert all(isinstance(name, str) for name in graph.ids)


def test_integers_are_numbered_by_value_even_if_they_are_negative_or_far_apart() -> None:
    far = np.array([[5, -3], [2**62, 10], [-(2**62), 5]])

    graph = read_graph(far)

    assert graph.ids.tolist() == [-(2**62), -3, 5, 10, 2**62]
    assert edges(graph) == [[-(2**62), 5], [-3, 5], [10, 2**62]]


def test_self_loops_and_repetitions_are_dropped_with_a_count(tmp_path) -> None:
    path = written(tmp_path, "1 2\n2 2\n1 2\n1 2\n4 4\n2 1\n2 3\n")

    graph = read_graph(path)

    assert edges(graph) == [[1, 2], [2, 3]]
    assert graph.ids.tolist() == [1, 2, 3, 4]
    assert graph.notes == (
        "edges in both directions, as in a directed list: 1, read as one each.",
        "self-loops: 2, dropped; their nodes stay.",
        "repetitions of edges: 2, dropped.",
    )


@pytest.mark.parametrize("text", ["1 2 0.5\n2 3 7\n", "1 2 0.5 2001\n2 3 1e3 2002\n", "1 2 {}\n"])
def test_further_columns_are_dropped_with_an_explanation(tmp_path, text) -> None:
    graph = read_graph(written(tmp_path, text))

    assert edges(graph)[0] == [1, 2]
    assert len(graph.notes) == 1
    assert "weights" in graph.notes[0]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("1 2\n2 2\n", "self-loops"),
        ("1 2\n1 2\n", "repeated edges"),
        ("1 2\n2 1\n", "both directions"),
        ("1 2 0.5\n", "weights"),
    ],
)
def test_strict_reading_refuses_what_would_be_dropped(tmp_path, text, message) -> None:
    with pytest.raises(DataError, match=f"{message}.*strict"):
        read_graph(written(tmp_path, text), strict=True)


@given(
    st.lists(st.tuples(st.integers(-5, 20), st.integers(-5, 20)), min_size=1, max_size=40),
    st.sampled_from([" ", "\t", ",", " , "]),
)
def test_a_written_list_reads_as_the_set_of_its_pairs(tmp_path_factory, pairs, separator) -> None:
    text = "".join(f"{u}{separator}{v}\n" for u, v in pairs)
    path = written(tmp_path_factory.mktemp("lists"), text)

    graph = read_graph(path)

    assert {tuple(edge) for edge in edges(graph)} == {
        tuple(sorted(p)) for p in pairs if p[0] != p[1]
    }
    assert graph.ids.tolist() == sorted({v for p in pairs for v in p})


@pytest.mark.parametrize("further", [[7, 1], (7,), np.array([7, 2]), {7}])
def test_further_nodes_are_isolated(tmp_path, further) -> None:
    graph = read_graph(written(tmp_path, "1 2\n"), nodes=further, strict=True)

    assert graph.ids.tolist() == [1, 2, 7]
    assert graph.degrees.tolist() == [1, 1, 0]


@pytest.mark.parametrize("text", ["7\n8\n1\n", "# alone\nnode\n7\n8\n", "7,a\n8,b\n"])
def test_further_nodes_come_from_a_file(tmp_path, text) -> None:
    path = written(tmp_path, "1 2\n")

    graph = read_graph(path, nodes=written(tmp_path, text, "nodes.csv"))

    assert graph.ids.tolist() == [1, 2, 7, 8]


def test_further_nodes_that_are_texts_make_all_names_texts(tmp_path) -> None:
    graph = read_graph(written(tmp_path, "1 2\n"), nodes=["Ann", 3])

    assert graph.ids.tolist() == ["1", "2", "3", "Ann"]


@pytest.mark.parametrize(
    ("columns", "expected"),
    [
        ({"a": [1, 2], "b": [30, 4]}, [[1, 30], [2, 4]]),
        ({"a": ["1", "x"], "b": ["30", "y"]}, [["1", "30"], ["x", "y"]]),
        ({"a": [1, 2], "b": ["30", "y"]}, [["1", "30"], ["2", "y"]]),
    ],
)
def test_parquet_is_read_by_the_types_of_its_columns(tmp_path, columns, expected) -> None:
    pl.DataFrame(columns).write_parquet(tmp_path / "e.parquet")

    graph = read_graph(str(tmp_path / "e.parquet"))

    assert edges(graph) == expected
    assert graph.kind == "parquet"


def test_small_and_categorical_columns_of_parquet_are_read(tmp_path) -> None:
    small = pl.DataFrame({"a": [1], "b": [2]}, schema={"a": pl.UInt8, "b": pl.Int16})
    small.write_parquet(tmp_path / "small.parquet")
    named = pl.DataFrame({"a": ["x"], "b": ["y"]}, schema={"a": pl.Categorical, "b": pl.String})
    named.write_parquet(tmp_path / "named.parquet")

    assert edges(read_graph(tmp_path / "small.parquet")) == [[1, 2]]
    assert edges(read_graph(tmp_path / "named.parquet")) == [["x", "y"]]


@pytest.mark.parametrize(
    ("columns", "message"),
    [
        ({"a": [1, 2]}, "one column"),
        ({"a": [1.5, 2.5], "b": [1, 2]}, "'a' has neither integers nor texts"),
        ({"a": [1, None], "b": [1, 2]}, "lacks the name"),
        ({"a": [], "b": []}, "no edge"),
    ],
)
def test_parquet_that_is_no_edge_list_is_refused(tmp_path, columns, message) -> None:
    pl.DataFrame(columns).write_parquet(tmp_path / "e.parquet")

    with pytest.raises(DataError, match=message):
        read_graph(tmp_path / "e.parquet")


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        ("e.txt", "", "no line besides comments"),
        ("e.txt", "# only\n% comments\n\n", "no line besides comments"),
        ("e.csv", "source,target\n", "no edge"),
        ("e.txt", f"{SENTINEL}\n5\n", "one column"),
        ("e.csv", f"{SENTINEL},2\n3\n", "lacks the name"),
        ("e.csv", f"1,2\n{SENTINEL},\n", "lacks the name"),
        ("e.csv", ",\n1,2\n", "lacks the name"),
        ("e.txt", f"1 2\n1 2 {SENTINEL}\n", "equally many fields"),
        ("e.txt", b"\x00\x01\x02 \xff\xfe", "not UTF-8"),
        ("e.txt", b"1 2\n\xe9 4\n", "not UTF-8"),
        ("e.txt", b"1 2\n3 \x00\n", "not UTF-8"),
        ("e.mtx", "1 2\n", "unknown kind"),
        ("e.parquet", "1 2\n", "not a readable Parquet"),
    ],
)
def test_what_is_no_edge_list_is_refused_without_quoting_it(tmp_path, name, text, message) -> None:
    with pytest.raises(DataError, match=message) as refusal:
        read_graph(written(tmp_path, text, name))

    assert SENTINEL not in str(refusal.value)


def test_a_damaged_archive_is_refused(tmp_path) -> None:
    path = tmp_path / "e.txt.gz"
    path.write_bytes(gzip.compress(b"1 2\n" * 500)[:-20])

    with pytest.raises(DataError, match="cannot be read"):
        read_graph(path)


def test_a_missing_file_is_named(tmp_path) -> None:
    with pytest.raises(DataError, match=r"no file .*nothere\.txt"):
        read_graph(tmp_path / "nothere.txt")
    with pytest.raises(DataError, match=r"no file .*nothere\.txt"):
        read_graph(np.array([[1, 2]]), nodes=tmp_path / "nothere.txt")


def test_an_array_of_edges_is_read_and_left_alone() -> None:
    array = np.array([[30, 1], [1, 2], [2, 30]], dtype=np.int32)
    before = array.copy()

    graph = read_graph(array)

    assert edges(graph) == TRIANGLE
    assert (array == before).all()


def test_an_array_without_edges_needs_nodes() -> None:
    empty = np.empty((0, 2), dtype=np.int64)

    assert read_graph(empty, nodes=range(3)).degrees.tolist() == [0, 0, 0]
    with pytest.raises(DataError, match="no nodes"):
        read_graph(empty)


@pytest.mark.parametrize("array", [np.ones((2, 2)), np.ones((2, 3), int), np.ones(4, int)])
def test_an_array_of_another_shape_or_type_is_refused(array) -> None:
    with pytest.raises(DataError, match=r"shape \(m, 2\)"):
        read_graph(array)


@pytest.mark.parametrize("source", [7, None, [(1, 2)], {"a": "b"}])
def test_another_thing_is_refused_with_what_can_be_read(source) -> None:
    with pytest.raises(DataError, match=f"from a {type(source).__name__}.*networkx"):
        read_graph(source)
