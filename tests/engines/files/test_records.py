"""A table in files gives the same answers as in memory, in few readings."""

from __future__ import annotations

from collections import Counter

import numpy as np
import polars as pl
import pytest

import covey
from covey.core import questions as ask
from covey.engines.files import Memory, open_stream
from covey.engines.files.records import StreamRecords
from covey.engines.files.scan import Stream
from covey.engines.memory.records import TableRecords
from covey.engines.shared.cuts import look_ahead
from covey.errors import DataError, PlanError
from covey.partition.axis import axis_of
from covey.table.grid import Grid
from tests.engines.files.engines import (
    ALLOWED,
    NUMBERS,
    SCHEMA,
    TIGHT,
    in_memory,
    people,
    streamed,
    with_preferences,
)

TREES = [("income",), ("income", "age"), ("weight", "work"), (*NUMBERS, "work")]
INNER = {
    "private-tree": {},
    "rank-blocks": {"k": 60},
    "insensitive": {"k": 200, "order": "corners"},
}


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


def test_values_that_stand_apart_have_their_place_among_the_ranks(path) -> None:
    schema = SCHEMA.updated("age", special=(0.0, 7.0))
    asked = {"epsilon": 1.0, "columns": ("age",)}
    expected = in_memory(path, schema, "rank-blocks", **asked)

    found = streamed(path, schema, "rank-blocks", **asked)

    assert found.asked == expected.asked
    assert found.frame.equals(expected.frame)


def test_laplace_keeps_every_record_in_its_place(path) -> None:
    expected = in_memory(path, SCHEMA, "laplace", epsilon=1.0, columns=NUMBERS)

    found = streamed(path, SCHEMA, "laplace", epsilon=1.0, columns=NUMBERS)

    assert found.frame.equals(expected.frame)
    assert found.guarantee == expected.guarantee
    assert found.extras["accuracy"].equals(expected.extras["accuracy"])


def test_categories_are_drawn_record_by_record(path) -> None:
    expected = in_memory(path, SCHEMA, "exponential", epsilon=1.0, columns=("work",))

    found = streamed(path, SCHEMA, "exponential", epsilon=1.0, columns=("work",))

    assert found.frame.equals(expected.frame)
    assert found.guarantee == expected.guarantee
    assert found.extras["accuracy"].equals(expected.extras["accuracy"])
    losses = [row for _, rows, _ in found.asked for row in rows]
    assert [losses] == [rows for _, rows, _ in expected.asked]


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

    monkeypatch.setattr("covey.engines.shared.counted.look_ahead", look_near)
    found = streamed(parquet, SCHEMA, "private-tree", **asked)

    assert len(passes) > 3
    assert found.extras["clusters"].equals(expected.extras["clusters"])


@pytest.fixture(scope="module")
def allowed(tmp_path_factory):
    file = tmp_path_factory.mktemp("allowed") / "data.parquet"
    with_preferences(9_000).write_parquet(file)
    return file


@pytest.mark.parametrize("inner", INNER)
def test_coins_are_tossed_for_the_same_records(allowed, inner) -> None:
    asked = {
        "preferences": "allowed",
        "inner": inner,
        "settings": INNER[inner],
        "columns": ("income", "age"),
    }
    expected = in_memory(allowed, ALLOWED, "personalised", **asked)

    found = streamed(allowed, ALLOWED, "personalised", **asked)

    assert found.asked == expected.asked
    assert found.guarantee == expected.guarantee
    assert found.resolved == expected.resolved
    assert found.extras["accuracy"].equals(expected.extras["accuracy"])


@pytest.mark.parametrize("columns", [("income", "age"), ("level", "work"), None])
def test_records_that_take_no_part_are_dropped_alike(allowed, columns) -> None:
    asked = {"preferences": "allowed", "threshold": 1.5, "otherwise": "drop", "columns": columns}
    expected = in_memory(allowed, ALLOWED, "personalised", **asked)

    found = streamed(allowed, ALLOWED, "personalised", **asked)

    assert found.asked == expected.asked
    assert found.guarantee == expected.guarantee
    assert found.extras["clusters"].equals(expected.extras["clusters"])


@pytest.mark.parametrize("otherwise", ["default", "drop"])
@pytest.mark.parametrize(
    ("preferences", "error", "words"),
    [("alowed", PlanError, "no column 'alowed'"), ("level", DataError, "other things than")],
)
def test_what_is_no_preference_is_explained(allowed, otherwise, preferences, error, words) -> None:
    asked = {"preferences": preferences, "threshold": 1.5, "otherwise": otherwise}

    with pytest.raises(error, match=words):
        streamed(allowed, ALLOWED, "personalised", **asked)


@pytest.mark.parametrize("otherwise", ["default", "drop"])
def test_a_late_record_without_preference_is_noticed(tmp_path, otherwise) -> None:
    path = tmp_path / "late.parquet"
    values = [1.0] * 5_999 + [None]
    people(6_000).with_columns(pl.Series("allowed", values)).write_parquet(path)
    asked = {"preferences": "allowed", "threshold": 1.5, "otherwise": otherwise}

    with pytest.raises(DataError, match="lacks the preference"):
        streamed(
            path, ALLOWED.updated("weight", missing="impute", impute=70), "personalised", **asked
        )


@pytest.mark.parametrize(
    ("system", "asked", "readings"),
    [
        ("rank-blocks", {"epsilon": 1.0, "columns": NUMBERS}, 1),
        ("laplace", {"epsilon": 1.0, "columns": NUMBERS}, 2),
        ("exponential", {"epsilon": 1.0, "columns": ("work",)}, 2),
        ("insensitive", {"epsilon": 1.0}, 2),
        ("private-tree", {"epsilon": 1.0, "columns": ("income",)}, 1),
        ("private-tree", {"epsilon": 1.0, "columns": ("age", "work")}, 3),
        ("private-tree", {"epsilon": 1.0}, 3),
        ("private-tree", {"epsilon": 1.0, "unit": "add-remove", "columns": ("age", "work")}, 3),
        ("personalised", {"preferences": "allowed"}, 2),
        ("individual-ranking", {"k": 5}, 1),
    ],
)
def test_files_are_read_as_seldom_as_promised(allowed, monkeypatch, system, asked, readings):
    read, pieces = Counter(), Stream.pieces

    def counted(stream, *names, **more):
        read["files"] += 1
        return pieces(stream, *names, **more)

    monkeypatch.setattr(Stream, "pieces", counted)
    streamed(allowed, ALLOWED, system, **asked)

    assert read["files"] == readings


def test_any_public_scale_may_be_asked_about(path) -> None:
    held, wanted = (
        TableRecords(covey.read_table(path, SCHEMA)),
        SCHEMA.updated("age", bounds=(9, 60)),
    )
    records = StreamRecords(open_stream(path, SCHEMA, TIGHT))
    axis = axis_of(records.head(known_n=True), wanted["age"])
    sizes = np.full(10, records.n // 10)
    sizes[-1] += records.n % 10
    grid = Grid(low=5.0, high=90.0, steps=17)

    for question in (ask.RankBlockSums("income", grid, sizes), ask.Size()):
        assert records.answer(question).tolist() == held.answer(question).tolist()
    for each in (records, held):
        each.cut(ask.Cuts([axis]), lambda counts, depth: np.full(counts.size, depth < 3))
    low, high = (np.linspace(0, 8, 8)[:, None], np.linspace(1, 9, 8)[:, None])
    sums = ask.BoxSums(0, [axis], low, high, np.full((8, 1), fill_value=True))
    assert records.answer(sums).tolist() == held.answer(sums).tolist()


def test_what_needs_no_counts_runs_in_a_memory_that_holds_none(path, monkeypatch) -> None:
    wide = Memory.of("1GB")
    monkeypatch.setattr("covey.engines.files.limit.BASE", wide.limit - 2_000_000)
    asked = {"epsilon": 1.0, "columns": ("income", "age")}

    found = streamed(path, SCHEMA, "laplace", wide, **asked)

    assert found.frame.equals(in_memory(path, SCHEMA, "laplace", **asked).frame)
    for system in ("rank-blocks", "private-tree"):
        with pytest.raises(PlanError, match=r"counting these columns.*--memory"):
            streamed(path, SCHEMA, system, wide, **asked)


def test_two_hundred_thousand_records_are_asked_the_same(tmp_path) -> None:
    path = tmp_path / "many.parquet"
    people(200_000, seed=1).write_parquet(path)
    asked = {"epsilon": 1.0, "columns": NUMBERS}
    expected = in_memory(path, SCHEMA, "rank-blocks", **asked)

    found = streamed(path, SCHEMA, "rank-blocks", Memory.of("1GB"), **asked)

    assert found.asked == expected.asked
    assert found.guarantee == expected.guarantee


def test_a_smaller_memory_reads_more_pieces_and_changes_nothing(path) -> None:
    wide = Memory.of("1GB")
    pieces = [len(list(open_stream(path, SCHEMA, memory).pieces())) for memory in (TIGHT, wide)]
    asked = {"epsilon": 2.0, "columns": ("income",)}

    small = streamed(path, SCHEMA, "rank-blocks", **asked)
    large = streamed(path, SCHEMA, "rank-blocks", wide, **asked)

    assert pieces[0] > pieces[1]
    assert small.frame.equals(large.frame)
