"""Which system with which parameters publishes records of this schema best?

Everything is tried on records that are made up from public facts (`synthetic`), so advice costs
no privacy.  Choosing on the data themselves does: a plan that was made so says it, and what it
publishes carries no guarantee.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from covey.choose.advice import Advice
from covey.choose.candidates import candidates
from covey.choose.carried import carried_note
from covey.choose.contributions import contributions_note
from covey.choose.graphs import advise_graph
from covey.choose.losses import losses_note
from covey.choose.simulation import simulate_tables
from covey.core import Budget, Persons
from covey.errors import DataError, PlanError, SchemaError, suggest
from covey.plan import Plan
from covey.systems import SYSTEMS, Progress
from covey.systems.base import as_mapping
from covey.systems.papers.p000.worst_case import largest_useful_k, worst_case_k
from covey.systems.persons import with_persons
from covey.table import Role, Scale, Schema, Table, read_frame, read_table
from covey.table.provenance import named_facts, read_off

FEWEST = 8
"""Fewer records are not worth advice: no system says anything about them."""

MOSTLY_NOISE = 0.25
"""An expected error beyond this says that the release would be mostly noise."""

SMALLEST_TOLD = 0.01
"""Below this epsilon, nobody publishes so many columns that Gaussian noise would pay."""

MODEL = "column-model"
"""The system for whole tables."""

LOOKED = (
    "These parameters were chosen by looking at the data. The choice itself tells about the "
    "records, so a release of this plan carries no guarantee; leave --look out for advice that "
    "costs nothing."
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Task:
    """What a release is for: which error decides, and which systems are up to it."""

    meaning: str
    criterion: str
    systems: tuple[str, ...]


TASKS: dict[str, Task] = {
    "column": Task(
        meaning="the distribution of one column, or of several, each by itself",
        criterion="distribution",
        systems=("rank-blocks", "private-tree"),
    ),
    "joint": Task(
        meaning="numeric columns and how they go together",
        criterion="pairs",
        systems=("private-tree", "column-model", "insensitive"),
    ),
    "mixed": Task(
        meaning="numbers and categories, and how they go together",
        criterion="pairs",
        systems=("private-tree", "column-model", "insensitive"),
    ),
}
"""What may be asked for."""


def advise(
    schema: Schema | None = None,
    *,
    data: Any = None,
    n: int | None = None,
    epsilon: float = 1.0,
    task: str | None = None,
    columns: Sequence[str] | None = None,
    unit: str = "edge",
    degree: float = 10.0,
    look: bool = False,
    progress: Progress | None = None,
) -> Advice:
    """Advise which system to use, with which parameters, and which error to expect.

    Parameters
    ----------
    schema : Schema, optional
        What is public about the columns; a graph has none.
    data : Table, path, dataframe or array, optional
        Used for the number of records if ``n`` is not given, and for nothing else unless
        ``look`` is.
    n : int, optional
        The public number of records.
    epsilon : float
        The bound on the privacy loss.
    task : str, optional
        A name in `covey.choose.TASKS`, or "graph"; taken from the columns unless given.
    columns : sequence of str, optional
        The columns to publish, what matters most first: if they are too many, the last ones are
        to be left out first.  All but identifiers unless given.
    unit, degree
        For graphs: whom to protect, "edge" or "node", and a public guess of the average number
        of neighbours.
    look : bool
        Try the systems on the data themselves.  The advice is then for the curator only, and a
        release that follows it carries no guarantee.
    progress : callable, optional
        Called with (what is being done, done, total).

    Returns
    -------
    Advice
        ``advice.system``, ``advice.parameters``, ``advice.expected``, ``advice.table``, and
        ``advice.plan``, which `covey.run` publishes.
    """
    asked = float(Budget.of(epsilon).epsilon)
    if task == "graph":
        return advise_graph(n, degree=degree, epsilon=asked, unit=unit, progress=progress)
    if schema is None:
        raise PlanError(
            "there is no schema, so nothing is known about the columns. Give one, or say that it "
            "is a graph (task = graph)."
        )
    described = _published(schema, columns)
    chosen = _task(described, task)
    # A single column has no pairs.
    criterion = TASKS[chosen].criterion if len(described.names) > 1 else "distribution"
    looked = _looked_at(data, schema, described) if look else None
    count = _count(data, schema, n) if looked is None else looked.n
    if count < FEWEST:
        raise PlanError(
            f"fewer than {FEWEST} records say nothing under any noise, so there is nothing to "
            f"advise. Collect more, or publish none."
        )
    persons = _persons(schema)
    most = 1 if persons is None else persons.most
    simulation = replace(
        simulate_tables(described, count, looked=looked, progress=progress), contributions=most
    )
    tried = candidates(TASKS[chosen].systems, described)
    best, trials = simulation.search(tried, criterion, asked)
    settings = as_mapping(
        SYSTEMS[best.system].settings(
            {
                "columns": described.names,
                **best.parameters(count, len(described.names), asked / most),
                "epsilon": asked,
            }
        )
    )
    advice = Advice(
        task=chosen,
        n=count,
        criterion=criterion,
        trials=trials,
        plan=Plan(
            system=best.system,
            parameters=with_persons(settings, persons),
            schema=schema,
            chosen_on_data=look,
        ),
    )
    beyond = asked > simulation.largest
    notes = _notes(advice, described, look=look, beyond=beyond)
    told = [*_worst_case(advice, described, asked / most)]
    told += _carried(advice, described, columns, asked / most)
    gaussian = {MODEL, "rank-blocks"} & {trial.system for trial in advice.trials}
    if gaussian and asked >= SMALLEST_TOLD:
        told.append(losses_note(asked))
    if most > 1:
        told.append(contributions_note(count, asked, most))
    return replace(advice, notes=(*notes, *told))


def _persons(schema: Schema) -> Persons | None:
    """Return who is protected if the schema names persons and how many records of each count."""
    named = next(iter(schema.with_role(Role.PERSON)), None)
    if named is None or named.contributions is None:
        return None
    return Persons(named.name, named.contributions)


def _worst_case(advice: Advice, schema: Schema, epsilon: float) -> tuple[str, ...]:
    """Say what paper 000 knows about k where one column is cut by rank, whatever its values are."""
    if advice.system != "rank-blocks":
        return ()
    n, share = advice.n, epsilon / len(schema.names)
    best, largest = worst_case_k(n, share), largest_useful_k(n, share)
    if largest == 1:
        note = (
            "Whatever the values are, noise on single records is no worse than on any blocks at "
            "this epsilon (paper 000, Propositions 7 and 8); most columns gain all the same."
        )
        return (note,)
    upto = "any k" if largest >= n // 2 else f"any k up to {largest:,}"
    note = (
        f"Whatever the values are, {upto} beats noise on single records, and k = {best:,} has the "
        f"smallest worst case (paper 000, Propositions 7 and 8); most columns do best with a "
        f"larger one."
    )
    return (note,)


def _published(schema: Schema, columns: Sequence[str] | None) -> Schema:
    publishable = [attribute for attribute in schema if not attribute.is_hidden]
    known = [attribute.name for attribute in publishable]
    for name in columns or ():
        if name not in known:
            raise PlanError(
                f"there is no column {name!r} to publish, so there is nothing to advise. "
                f"{suggest(name, known)}"
            )
    chosen = [a for a in publishable if columns is None or a.name in columns]
    if not chosen:
        raise SchemaError(
            "all attributes are identifiers, so there is nothing to publish. "
            "Give another role to the attributes that matter."
        )
    return replace(schema, attributes=tuple(chosen))


def _task(schema: Schema, given: str | None) -> str:
    nominal = any(attribute.scale is Scale.NOMINAL for attribute in schema)
    if given is None:
        return "column" if len(schema.names) == 1 else "mixed" if nominal else "joint"
    if given not in TASKS:
        raise PlanError(
            f"there is no task {given!r} to advise for. {suggest(given, [*TASKS, 'graph'])}"
        )
    return given


def _count(data: Any, schema: Schema, n: int | None) -> int:
    """Return the number of records; nothing else of the data is looked at but their columns."""
    if n is None:
        if data is None:
            raise PlanError(
                "the number of records is unknown, and every error depends on it. Give --n, or "
                "the data if their number is public."
            )
        if isinstance(data, Table):
            return data.n
        frame = read_frame(data, schema)[0]
        lacking = [name for name in schema.names if name not in frame.columns]
        if lacking:
            raise SchemaError(
                f"the schema describes a column {lacking[0]!r} that the data do not have. "
                f"Columns of the data: {', '.join(frame.columns)}. Correct the schema."
            )
        return frame.height
    if isinstance(n, bool) or not isinstance(n, int):
        raise PlanError(f"n = {n!r} is not a whole number of records. Write one such as 1000.")
    return n


def _looked_at(data: Any, schema: Schema, described: Schema) -> Table:
    if data is None:
        raise DataError("there are no data to look at. Give them, or leave --look out.")
    table = data if isinstance(data, Table) else read_table(data, schema)
    # The other columns are not even there to be looked at.
    kept = replace(table.schema, attributes=described.attributes)
    return replace(table, schema=kept, frame=table.frame.select(kept.names))


def _carried(
    advice: Advice, schema: Schema, columns: Sequence[str] | None, epsilon: float
) -> list[str]:
    """Say how many columns can be afforded, where a column model was tried and is at home."""
    if all(trial.system != MODEL for trial in advice.trials):
        return []
    # What a rule computes needs no noise of its own.
    ranking = [
        name for name in dict.fromkeys(columns or schema.names) if name not in schema.derived
    ]
    try:
        ranked = columns is not None
        return [carried_note(schema, ranking, n=advice.n, epsilon=epsilon, ranked=ranked)]
    except SchemaError:
        # Public facts are missing: the trial was refused for it, and a note says so already.
        return []


def _notes(advice: Advice, schema: Schema, *, look: bool, beyond: bool) -> tuple[str, ...]:
    notes = [LOOKED] if look else []
    found = read_off(schema, schema.names, named=True)
    if found:
        notes.append(
            f"Read off the data and confirmed by nobody: {named_facts(found)}. A release has no "
            f"guarantee before they are replaced or confirmed (covey schema --confirm)."
        )
    error = advice.by_epsilon.get(advice.parameters["epsilon"], 0.0)
    if error > MOSTLY_NOISE:
        notes.append(
            "At this epsilon the release is mostly noise. Raise epsilon, publish fewer columns, "
            "or publish columns each by itself (task = column)."
        )
    if beyond:
        notes.append(
            "So many records at this epsilon were not simulated: the errors will be smaller than "
            "those shown."
        )
    refused = {f"{trial.system}: {trial.refused}" for trial in advice.trials if trial.refused}
    return (*notes, *sorted(refused))
