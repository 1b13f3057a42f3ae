"""GML and GraphML come in with all their nodes, and new graphs go out in them."""

from __future__ import annotations

import pytest

import covey
from covey.errors import DataError
from covey.graph.markup import gml_text, graphml_text

EDGES = [("Ann & Co", "Bob"), ("Bob", "Cleo"), ("Cleo", "Ann & Co"), ("Cleo", "Dan")]


@pytest.mark.parametrize(("ending", "write"), [("gml", gml_text), ("graphml", graphml_text)])
def test_what_was_written_is_read_again(tmp_path, ending, write) -> None:
    pytest.importorskip("networkx", reason="networkx reads GML and GraphML")
    path = tmp_path / f"friends.{ending}"
    path.write_text(write(EDGES), encoding="utf-8")

    graph = covey.read_graph(path)

    assert (graph.n_nodes, graph.n_edges) == (4, 4)


def test_nodes_without_an_edge_are_read_and_known_to_be_all(tmp_path) -> None:
    pytest.importorskip("networkx", reason="networkx reads GML and GraphML")
    path = tmp_path / "friends.gml"
    lonely = "  node [\n    id 99\n  ]\n]"
    path.write_text(gml_text(EDGES).rstrip().removesuffix("]") + lonely, encoding="utf-8")

    graph = covey.read_graph(path)
    release = covey.publish(graph, "degree-histogram", epsilon=1.0)

    assert graph.n_nodes == 5
    assert release.guarantee.kind == "edge-dp"


@pytest.mark.parametrize("name", ["x.gml", "x.graphml"])
def test_a_damaged_file_is_refused_without_its_content(tmp_path, name) -> None:
    pytest.importorskip("networkx", reason="networkx reads GML and GraphML")
    (tmp_path / name).write_text("<graphml><secret>Ann</graphml")

    with pytest.raises(DataError, match="is not valid") as raised:
        covey.read_graph(tmp_path / name)

    assert "Ann" not in str(raised.value)


def test_two_kinds_of_nodes_are_told(tmp_path) -> None:
    (tmp_path / "events.txt").write_text("".join(f"p{i} e{i % 6}\n" for i in range(20)))
    (tmp_path / "people.txt").write_text("".join(f"p{i} p{i // 2}\n" for i in range(1, 20)))

    assert "two kinds of nodes" in covey.read_graph(tmp_path / "events.txt").notes[0]
    assert covey.read_graph(tmp_path / "people.txt").notes == ()
