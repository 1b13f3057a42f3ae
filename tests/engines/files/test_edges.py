"""Degrees of a graph that is read edge by edge are those of the graph in memory."""

from __future__ import annotations

import gzip
import os
from pathlib import Path

import numpy as np
import polars as pl
import pytest

import covey
from covey.engines.files.edges import count_graph
from covey.engines.files.limit import Memory
from covey.errors import DataError, PlanError

WIDE = Memory.of("1GB")


@pytest.fixture(scope="module")
def edges():
    rng = np.random.default_rng(3)
    ends = rng.zipf(1.6, (6_000, 2)) % 900
    return np.concatenate([ends, ends[:500, ::-1], ends[:200]])


def written(folder, edges, form):
    frame = pl.DataFrame({"source": edges[:, 0], "target": edges[:, 1]})
    texts = frame.select(pl.format("n{}", "source"), pl.format("n{}", "target").alias("t"))
    path = folder / {"parquet": "e.parquet", "names": "e.csv"}.get(form, "e.txt")
    if form == "parquet":
        frame.write_parquet(path)
    elif form == "names":
        texts.write_csv(path, include_header=False)
    elif form == "header":
        frame.write_csv(path, separator="\t")
    else:
        path.write_text("# a comment\n" + "\n".join(f"{u}  {v} " for u, v in edges) + "\n% end\n")
    return path


@pytest.mark.parametrize("form", ["parquet", "names", "header", "blanks"])
@pytest.mark.parametrize("classes", [1, 5])
def test_degrees_and_joint_degrees_are_counted_alike(tmp_path, edges, form, classes) -> None:
    path = written(tmp_path, edges, form)
    graph = covey.read_graph(path)
    memory = WIDE if classes == 1 else Memory(limit=WIDE.limit - WIDE.free + 600_000)

    counted = count_graph(path, memory, None)

    assert sorted(counted.degrees) == sorted(graph.degrees)
    expected = covey.joint_degrees(graph)
    assert np.array_equal(counted.joint.keys, expected.keys)
    assert np.array_equal(counted.joint.counts, expected.counts)
    assert counted.n_edges == graph.n_edges


@pytest.mark.parametrize("name", ["ca-GrQc", "wiki-Vote"])
def test_reference_graphs_are_counted_alike(tmp_path, name) -> None:
    packed = Path(os.environ["COVEY_DATA"]) / "graphs" / f"{name}.txt.gz"
    if not packed.is_file():
        pytest.skip(f"the network {name} is not in COVEY_DATA")
    path = tmp_path / f"{name}.txt"
    path.write_bytes(gzip.decompress(packed.read_bytes()))
    graph = covey.read_graph(packed)

    counted = count_graph(path, WIDE, None)

    expected = covey.joint_degrees(graph)
    assert sorted(counted.degrees) == sorted(graph.degrees)
    assert np.array_equal(counted.joint.keys, expected.keys)
    assert np.array_equal(counted.joint.counts, expected.counts)


@pytest.mark.parametrize("regenerate", [False, True])
@pytest.mark.parametrize("system", ["degree-histogram", "joint-degree-boxes"])
def test_a_seeded_release_is_the_same_from_both_engines(
    tmp_path, edges, system, regenerate
) -> None:
    path = written(tmp_path, edges, "parquet")
    asked = {"epsilon": 1.0, "unit": "edge", "regenerate": regenerate, "random_state": 4}

    expected = covey.publish(path, system, **asked)
    found = covey.publish(path, system, engine="stream", **asked)

    assert found.frame.equals(expected.frame)
    assert found.guarantee == expected.guarantee
    assert found.plan.fingerprint == expected.plan.fingerprint
    assert found.extras.keys() == expected.extras.keys()
    assert ("edges" in found.extras) == regenerate
    assert all(table.equals(expected.extras[name]) for name, table in found.extras.items())


@pytest.mark.parametrize(
    ("system", "asked", "words"),
    [
        ("degree-histogram", {"epsilon": 1.0, "unit": "node"}, "edge by edge"),
        ("joint-degree-boxes", {"epsilon": 1.0, "unit": "node"}, "edge by edge"),
        ("personalised-dk", {"preferences": "paper"}, "coins are tossed"),
        ("mdav-dk", {"epsilon": 1.0, "k": 3}, "no streamed form"),
    ],
)
def test_what_needs_the_whole_graph_is_refused_before_it_is_read(
    tmp_path, edges, system, asked, words
) -> None:
    path = written(tmp_path, edges, "parquet")

    def read(*_) -> None:
        pytest.fail("edges were read for a release that cannot be made")

    with pytest.raises(PlanError, match=f"{words}.*'memory'"):
        covey.publish(path, system, engine="stream", progress=read, **asked)


@pytest.mark.parametrize("text", ["", "# nothing\n", "1 2\n3\n"])
def test_a_text_without_edges_or_ends_is_explained(tmp_path, text) -> None:
    path = tmp_path / "e.txt"
    path.write_text(text)

    with pytest.raises(DataError):
        count_graph(path, WIDE, None)
