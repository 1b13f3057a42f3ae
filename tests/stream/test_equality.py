"""Both engines form the same clusters and centroids for the same plan."""

from __future__ import annotations

import pytest

from covey.stream import Memory, open_stream
from covey.stream.cuts import look_ahead
from covey.table import Schema
from tests.stream.engines import NUMBERS, SCHEMA, TIGHT, in_memory, people, streamed

TREES = [("income",), ("income", "age"), ("weight", "work"), (*NUMBERS, "work")]


@pytest.fixture(scope="module", params=["data.parquet", "data.csv"])
def path(request, tmp_path_factory):
    file = tmp_path_factory.mktemp("people") / request.param
    frame = people(12_000)
    if file.suffix == ".csv":
        frame.write_csv(file)
    else:
        frame.write_parquet(file, row_group_size=1_000)
    return file


@pytest.mark.parametrize("columns", [("income",), ("level",), NUMBERS], ids="+".join)
def test_rank_blocks_ask_for_the_same_noise_on_the_same_sums(path, columns) -> None:
    expected = in_memory(path, SCHEMA, "rank-blocks", epsilon=1.0, columns=columns)

    found = streamed(path, SCHEMA, "rank-blocks", epsilon=1.0, columns=columns)

    assert found.asked == expected.asked
    assert found.guarantee == expected.guarantee
    assert found.resolved == expected.resolved
    assert found.extras["accuracy"].equals(expected.extras["accuracy"])


def test_rank_blocks_of_one_column_release_the_same_rows(path) -> None:
    expected = in_memory(path, SCHEMA, "rank-blocks", epsilon=1.0, columns=("weight",))

    found = streamed(path, SCHEMA, "rank-blocks", epsilon=1.0, columns=("weight",))

    assert found.frame.equals(expected.frame)


def test_rank_blocks_of_several_columns_release_each_of_them_sorted_by_row(path) -> None:
    expected = in_memory(path, SCHEMA, "rank-blocks", epsilon=1.0, columns=NUMBERS)

    found = streamed(path, SCHEMA, "rank-blocks", epsilon=1.0, columns=NUMBERS)

    assert found.frame.schema == expected.frame.schema
    assert found.frame.equals(found.frame.sort(found.frame.columns))
    for name in NUMBERS:
        assert found.frame[name].sort().equals(expected.frame[name].sort())


def test_laplace_keeps_every_record_in_its_place(path) -> None:
    expected = in_memory(path, SCHEMA, "laplace", epsilon=1.0, columns=NUMBERS)

    found = streamed(path, SCHEMA, "laplace", epsilon=1.0, columns=NUMBERS)

    assert found.frame.equals(expected.frame)
    assert found.guarantee == expected.guarantee
    assert found.extras["accuracy"].equals(expected.extras["accuracy"])


def test_individual_ranking_replaces_the_same_records_by_the_same_means(path) -> None:
    expected = in_memory(path, SCHEMA, "individual-ranking", k=5)

    found = streamed(path, SCHEMA, "individual-ranking", k=5)

    assert found.guarantee == expected.guarantee
    assert found.frame.equals(expected.frame)


def test_individual_ranking_needs_no_other_columns(tmp_path) -> None:
    path = tmp_path / "two.parquet"
    people(3_000).select("age", "income").write_parquet(path)
    schema = Schema((SCHEMA["age"], SCHEMA["income"]))
    expected = in_memory(path, schema, "individual-ranking", k=4)

    found = streamed(path, schema, "individual-ranking", k=4)

    assert found.frame.equals(expected.frame)


@pytest.mark.parametrize("columns", [("age",), ("income", "age"), (*NUMBERS, "work")], ids="+".join)
def test_a_single_order_forms_the_same_clusters(path, columns) -> None:
    asked = {"epsilon": 1.0, "order": "single", "columns": columns}
    expected = in_memory(path, SCHEMA, "insensitive", **asked)

    found = streamed(path, SCHEMA, "insensitive", **asked)

    assert found.asked == expected.asked
    assert found.guarantee == expected.guarantee
    assert found.frame.equals(expected.frame)
    assert found.extras["accuracy"].equals(expected.extras["accuracy"])


@pytest.fixture(scope="module")
def parquet(tmp_path_factory):
    file = tmp_path_factory.mktemp("people") / "data.parquet"
    people(8_000).write_parquet(file, row_group_size=1_000)
    return file


@pytest.mark.parametrize("columns", TREES, ids="+".join)
@pytest.mark.parametrize(("unit", "output"), [("replace", "centroids"), ("add-remove", "spread")])
def test_a_private_tree_has_the_same_boxes_and_centroids(parquet, columns, output, unit) -> None:
    asked = {"epsilon": 1.0, "columns": columns, "output": output, "unit": unit}
    expected = in_memory(parquet, SCHEMA, "private-tree", **asked)

    found = streamed(parquet, SCHEMA, "private-tree", **asked)

    assert found.guarantee == expected.guarantee
    assert found.extras["clusters"].equals(expected.extras["clusters"])
    assert found.extras["accuracy"].equals(expected.extras["accuracy"])
    assert found.asked == expected.asked
    assert found.frame.schema == expected.frame.schema
    assert found.frame.height == expected.frame.height
    if output == "centroids" and "work" not in columns:
        assert found.frame.equals(expected.frame)


def test_values_that_stand_apart_are_cut_off_alike(parquet) -> None:
    schema = SCHEMA.updated("age", special=(0.0, 7.0))
    asked = {"epsilon": 2.0, "columns": ("age", "income")}
    expected = in_memory(parquet, schema, "private-tree", **asked)

    found = streamed(parquet, schema, "private-tree", **asked)

    assert found.extras["clusters"].equals(expected.extras["clusters"])


def test_a_small_room_for_cuts_takes_more_passes_and_changes_nothing(parquet, monkeypatch) -> None:
    asked = {"epsilon": 1.0, "columns": ("income", "weight")}
    expected = streamed(parquet, SCHEMA, "private-tree", **asked)
    passes = []

    def look_near(tree, nodes):
        passes.append(nodes.size)
        return look_ahead(tree, nodes, room=8)

    monkeypatch.setattr("covey.stream.counted.look_ahead", look_near)
    found = streamed(parquet, SCHEMA, "private-tree", **asked)

    assert len(passes) > 3
    assert found.extras["clusters"].equals(expected.extras["clusters"])


def test_two_hundred_thousand_records_fall_into_the_same_clusters(tmp_path) -> None:
    path = tmp_path / "many.parquet"
    people(200_000, seed=1).write_parquet(path)
    wide = Memory.of("1GB")
    for system, asked in (
        ("rank-blocks", {"epsilon": 1.0, "columns": NUMBERS}),
        ("insensitive", {"epsilon": 1.0, "order": "single", "columns": ("income", "age")}),
    ):
        expected = in_memory(path, SCHEMA, system, **asked)
        found = streamed(path, SCHEMA, system, wide, **asked)
        assert found.asked == expected.asked
        assert found.guarantee == expected.guarantee


def test_a_smaller_memory_reads_more_pieces_and_changes_nothing(path) -> None:
    wide = Memory.of("1GB")
    pieces = [len(list(open_stream(path, SCHEMA, memory).pieces())) for memory in (TIGHT, wide)]

    assert pieces[0] > pieces[1]
    for system, asked in (("individual-ranking", {"k": 3}), ("rank-blocks", {"epsilon": 2.0})):
        columns = {} if "k" in asked else {"columns": ("income",)}
        small = streamed(path, SCHEMA, system, **asked, **columns)
        large = streamed(path, SCHEMA, system, wide, **asked, **columns)
        assert small.frame.equals(large.frame)
