"""What the worker process finds out is what the library and the command line would say."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import polars as pl
import pytest

import covey
from covey.core import Budget
from covey.ledger import create_ledger, load_ledger
from covey.studio import jobs as module
from covey.studio.jobs import (
    count_losses,
    fit_systems,
    publish_plan,
    read_upload,
    rehearse,
    sample_to_compare,
)
from covey.studio.results import DataFile, TabRun
from covey.systems.base import as_mapping
from covey.table import Missing


def ignore(*_: object) -> None:
    """Take progress and events without a word."""


def read_people(terminal, name: str = "people.csv", kind: str = "table") -> DataFile:
    path = str(terminal.folder / name)
    return read_upload(ignore, ignore, path=path, name=name, kind=kind)[0]


def publish(terminal, plan: covey.Plan, ledger: Path | None = None, **more: object) -> TabRun:
    return publish_plan(
        ignore,
        more.pop("say", ignore),
        file=read_people(terminal),
        plan=plan,
        ledger=None if ledger is None else str(ledger),
        folder=str(terminal.folder / str(more.pop("folder", "out"))),
        number=1,
    )


@pytest.fixture
def plan(people_schema) -> covey.Plan:
    settings = covey.SYSTEMS["rank-blocks"].settings({"epsilon": 1.0, "columns": ("age",)})
    return covey.Plan(system="rank-blocks", parameters=as_mapping(settings), schema=people_schema)


def test_the_same_content_has_the_same_digest_under_any_name(terminal) -> None:
    (terminal.folder / "other.csv").write_bytes((terminal.folder / "people.csv").read_bytes())

    assert read_people(terminal).digest == read_people(terminal, "other.csv").digest


def test_what_warns_of_drafts_is_kept_for_the_steward_and_not_in_the_terminal(
    terminal, plan
) -> None:
    ages = pl.read_csv(terminal.folder / "people.csv")["age"]
    ends = (float(ages.min()), float(ages.max()))
    exact = (replace(a, bounds=ends) if a.name == "age" else a for a in plan.schema)
    drafted = replace(plan, schema=replace(plan.schema, attributes=tuple(exact)))

    run = publish(terminal, drafted)

    assert "public facts equal exactly what occurs in the data: age (bounds)" in run.warnings[0]
    assert publish(terminal, plan, folder="other").warnings == ()


def test_records_that_would_be_left_out_are_counted_before_anything_is_spent(
    terminal, plan
) -> None:
    ages = [str(age) if age else "" for age in (31, None, 44, None, 150)]
    frame = pl.DataFrame({"age": ages, "town": ["Ahof", "Ahof", "Bdorf", "Elsewhere", "Ahof"]})
    frame.write_csv(terminal.folder / "gaps.csv")
    kept = tuple(replace(plan.schema[name], missing=Missing.DROP) for name in ("age", "town"))
    dropping = replace(plan, schema=replace(plan.schema, attributes=kept))
    file = read_people(terminal, "gaps.csv")

    alone = count_losses(ignore, ignore, key="k", file=file, plan=dropping)
    whole = replace(dropping, parameters={**plan.parameters, "columns": ("age", "town")})
    both = count_losses(ignore, ignore, key="k", file=file, plan=whole)

    assert (alone.records, alone.left_out, dict(alone.outside)) == (5, 2, {"age": 1})
    assert alone.refused == {}
    assert set(both.refused) == {"town"}


def test_a_graph_is_counted(terminal) -> None:
    (terminal.folder / "edges.txt").write_text("1 2\n2 3\n3 1\n")

    file = read_people(terminal, "edges.txt", "graph")

    assert file.facts == (("Nodes", "3"), ("Edges", "3"))


def test_systems_for_numbers_are_offered_the_numbers(people_schema) -> None:
    found = fit_systems(ignore, ignore, key="k", kind="table", schema=people_schema, n=24)

    assert found.columns["rank-blocks"] == ("age", "income", "pain")
    assert found.columns["exponential"] == ("town", "illness")
    assert found.columns["private-tree"] == ("age", "income", "town", "pain", "illness")
    assert "nominal" in found.refusals["individual-ranking"]


def test_graph_systems_are_tried_on_a_made_up_graph() -> None:
    found = fit_systems(ignore, ignore, key="k", kind="graph", schema=None, n=0)

    assert "joint-degree-boxes" in found.columns
    assert not found.refusals


def test_a_rehearsal_says_what_the_release_will_say(terminal, plan) -> None:
    said = rehearse(ignore, ignore, key="k", plan=plan, n=24)
    release = covey.run(plan, terminal.folder / "people.csv")

    assert said.sentence == str(release.guarantee)
    assert said.epsilon == release.guarantee.epsilon


def test_a_rehearsal_of_clusters_larger_than_the_made_up_table_still_names_k(people_schema) -> None:
    schema = people_schema.updated("town", role="non-confidential")
    plan = covey.Plan(system="mdav", parameters={"k": 700}, schema=schema)

    assert "k = 700" in rehearse(ignore, ignore, key="k", plan=plan, n=100_000).sentence


def test_a_column_without_bounds_is_refused_before_any_data_are_touched(plan) -> None:
    plan = replace(plan, schema=plan.schema.updated("age", bounds=None))

    assert "'age' has no public bounds" in rehearse(ignore, ignore, key="", plan=plan, n=9).problem


def test_more_records_in_a_cluster_than_there_are_is_refused(plan) -> None:
    plan = replace(plan, parameters={**plan.parameters, "k": 500})

    assert rehearse(ignore, ignore, key="k", plan=plan, n=24).problem


def test_bounds_from_the_data_leave_no_promise(plan) -> None:
    plan = replace(plan, schema=plan.schema.updated("age", drafted=("bounds",)))

    assert rehearse(ignore, ignore, key="k", plan=plan, n=24).kind == "none"


def test_records_that_will_be_left_out_are_told_before_and_after(terminal, plan) -> None:
    """For gaps in published columns, that is, and for no others."""
    schema = plan.schema.updated("income", missing="drop").updated("age", missing="drop")
    plan = replace(plan, schema=schema)
    told = "Incomplete records, those without age, were left out"

    assert told in rehearse(ignore, ignore, key="k", plan=plan, n=24).sentence
    assert told in publish(terminal, plan).sentence


def test_a_seeded_run_gives_what_the_command_line_gives(terminal, plan) -> None:
    run = publish(terminal, replace(plan, random_state=3))
    ran = terminal.run(
        *("publish", "people.csv", "--plan", str(Path(run.folder) / "plan.toml"), "-o", "again")
    )

    assert ran.code == 0, ran.err
    here, there = Path(run.folder), terminal.folder / "again"
    assert (here / "data.csv").read_bytes() == (there / "data.csv").read_bytes()
    assert (here / "plan.toml").read_bytes() == (there / "plan.toml").read_bytes()


def test_a_release_is_announced_before_it_is_compared(terminal, plan) -> None:
    said: list = []

    run = publish(terminal, plan, say=lambda kind, content: said.append((kind, content)))

    assert [kind for kind, _ in said] == ["released"]
    assert said[0][1].curator is None
    assert "do not publish" in Path(run.curator).read_text(encoding="utf-8").lower()
    assert run.scores["ks"] >= 0
    assert pl.read_csv(Path(run.folder) / "data.csv").columns == ["age"]


def test_of_very_many_records_a_sample_is_compared_and_the_page_says_so(
    terminal, plan, monkeypatch
) -> None:
    monkeypatch.setattr(module, "MOST_COMPARED", 10)
    table = covey.read_table(terminal.folder / "people.csv", plan.schema)
    release, trace = covey.run(plan, table, trace=True)

    data, kept, linked, notes = sample_to_compare(table, release, trace)
    run = publish(terminal, plan)

    assert data.n == kept.frame.height == 10
    places = [table.frame.rows().index(row) for row in data.frame.rows()]
    assert linked.aligned.rows() == [trace.aligned.row(place) for place in places]
    assert "10 records drawn at random" in notes[0]
    assert notes[0] in Path(run.curator).read_text(encoding="utf-8")
    assert pl.read_csv(Path(run.folder) / "data.csv").height == 24


def test_groups_of_k_are_compared_as_a_whole(terminal, people_schema, monkeypatch) -> None:
    monkeypatch.setattr(module, "MOST_COMPARED", 10)
    schema = people_schema.updated("town", role="non-confidential")
    table = covey.read_table(terminal.folder / "people.csv", schema)
    release, trace = covey.publish(table, "mdav", k=4, trace=True)

    assert sample_to_compare(table, release, trace) == (table, release, trace, ())


def test_a_run_is_charged_to_its_ledger(terminal, plan) -> None:
    ledger = terminal.folder / "ledger.json"
    create_ledger(ledger, Budget.of("2.5").epsilon)

    run = publish(terminal, plan, ledger)

    assert run.left == 1.5
    assert float(load_ledger(ledger).spent) == 1.0


def wide_schema(columns: int) -> covey.Schema:
    return covey.Schema(tuple(covey.Attribute(f"x{j}", bounds=(0, 1)) for j in range(columns)))


def test_no_column_of_a_wide_table_is_lost() -> None:
    wide = wide_schema(20)

    found = fit_systems(ignore, ignore, key="k", kind="table", schema=wide, n=50_000)

    assert found.columns["private-tree"] == wide.names


def test_a_plan_is_rehearsed_with_the_real_number_of_records() -> None:
    plan = covey.Plan(system="private-tree", parameters={"epsilon": 1.0}, schema=wide_schema(20))

    assert rehearse(ignore, ignore, key="k", plan=plan, n=50_000).kind == "pure-dp"
    assert (
        "too small for this many records"
        in rehearse(ignore, ignore, key="k", plan=plan, n=50).problem
    )
