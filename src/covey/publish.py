"""How does a plan become a release?"""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import polars as pl

from covey.errors import PlanError, ReleaseError, suggest
from covey.perturb import NoiseSource, SecureNoise, SeededNoise
from covey.plan import Plan
from covey.privacy import Budget, Entry, Guarantee, GuaranteeKind, Ledger, load_ledger, spend
from covey.release import Release, assemble, seeded
from covey.systems import SYSTEMS, Progress, System
from covey.table import (
    Attribute,
    Missing,
    Role,
    Schema,
    Table,
    read_frame,
    read_table,
)

COMPLETE = (
    "Whether a record is complete is public: incomplete records were dropped, and replacing a "
    "complete record by an incomplete one is not covered."
)


def publish(
    data: Any,
    system: str,
    *,
    schema: Schema | None = None,
    ledger: str | Path | None = None,
    random_state: int | None = None,
    progress: Progress | None = None,
    **parameters: Any,
) -> Release:
    """Publish a table with a system.

    Parameters
    ----------
    data : Table, path, dataframe or array
        The records.
    system : str
        A name in `covey.SYSTEMS`.
    schema : Schema, optional
        What is public about the columns, unless ``data`` is a `Table`.
    ledger : path, optional
        A ledger file (`covey ledger FILE --create LIMIT`) that the release is charged to;
        nothing is published that would exceed its limit.
    random_state : int, optional
        Seed for an experiment: the release is then stamped "not for publication".
    progress : callable, optional
        Called with (what is being done, done, total).
    **parameters
        Those of the system, for instance ``epsilon=1.0`` or ``k=5``.

    Returns
    -------
    Release
        ``release.data``, ``release.guarantee``, ``release.save(folder)``.
    """
    chosen = _system(system)
    settings = chosen.settings(parameters)
    table = data if isinstance(data, Table) else read_table(data, schema)
    plan = Plan(system=system, parameters=settings, schema=table.schema, random_state=random_state)
    return _run(plan, table, chosen, ledger=ledger, progress=progress)


def run(
    plan: Plan,
    data: Any,
    *,
    ledger: str | Path | None = None,
    progress: Progress | None = None,
) -> Release:
    """Run a plan on data: the same as `publish` with the plan's system and parameters."""
    return publish(
        data,
        plan.system,
        schema=plan.schema,
        ledger=ledger,
        random_state=plan.random_state,
        progress=progress,
        **plan.parameters,
    )


def reopen(folder: str | Path, table: Table) -> Release:
    """Read a release folder back, for the curator's evaluation.

    If the system is deterministic, its plan is run again on the table, which tells what
    became of each record; a release with noise holds no such link, and none is made up.
    """
    folder = Path(folder)
    plan = Plan.load(folder / "plan.toml")
    files = [path for path in (folder / "data.csv", folder / "data.parquet") if path.is_file()]
    if len(files) != 1:
        raise ReleaseError(
            f"the folder {str(folder)!r} is not a release: it must hold data.csv or data.parquet. "
            f"Give the folder that `covey publish` wrote."
        )
    try:
        guarantee = Guarantee.from_dict(json.loads((folder / "guarantee.json").read_text("utf-8")))
        ledger = load_ledger(folder / "ledger.json")
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise ReleaseError(
            f"the folder {str(folder)!r} is not a release that this covey understands: its "
            f"guarantee.json is missing or damaged. Publish again."
        ) from error
    frame = read_frame(files[0], table.schema)[0]
    unknown = [name for name in frame.columns if name not in table.schema.names]
    if unknown:
        raise ReleaseError(
            f"the release has a column {unknown[0]!r} that the data do not have, so they cannot "
            f"be compared. Give the data that the release was made from."
        )
    try:
        frame = frame.cast({name: table.frame[name].dtype for name in frame.columns})
    except pl.exceptions.PolarsError:
        raise ReleaseError(
            f"the columns of the release {str(folder)!r} are not of the types of the data, so they "
            f"cannot be compared. Give the data that the release was made from."
        ) from None
    aligned = None
    if _system(plan.system).deterministic:
        aligned = publish(table, plan.system, **plan.parameters).aligned
    elif guarantee.kind.may_be_row_aligned and frame.height == table.n:
        aligned = frame
    return Release(
        data=frame, guarantee=guarantee, plan=plan, ledger=ledger, frame=frame, aligned=aligned
    )


def _system(name: str) -> System:
    if name not in SYSTEMS:
        raise PlanError(
            f"there is no system {name!r}, so nothing was published. {suggest(name, SYSTEMS)}"
        )
    return SYSTEMS[name]


def _run(
    plan: Plan,
    table: Table,
    system: System,
    *,
    ledger: str | Path | None,
    progress: Progress | None,
) -> Release:
    source = _source(plan.random_state)
    if ledger is not None:
        # Early, so that nobody waits for a release that the ledger will refuse.
        epsilon = plan.parameters.get("epsilon")
        if epsilon is not None:
            load_ledger(ledger).require(Budget.of(epsilon).epsilon)
    outcome = system.run(table, plan.parameters, source, progress)
    guarantee = (
        outcome.guarantee if source.secure or system.deterministic else seeded(outcome.guarantee)
    )
    if guarantee.epsilon is not None and any(map(_drops, table.schema)):
        guarantee = replace(guarantee, assumes=(*guarantee.assumes, COMPLETE))
    # Clusters without noise need no bounds; noise needs those of the columns that it covers.
    needed = () if guarantee.kind is GuaranteeKind.K_ANONYMITY else guarantee.columns
    plan = replace(
        plan,
        parameters={**plan.parameters, **outcome.resolved},
        schema=plan.schema.without_data_facts(needed),
    )
    # Charged before anyone can see the release; a crash from here on loses budget, not privacy.
    bill = _charge(ledger, guarantee, plan)
    return assemble(
        table,
        outcome.columns,
        guarantee=guarantee,
        plan=plan,
        ledger=bill,
        aligned=outcome.aligned,
        extras=outcome.extras,
    )


def _drops(attribute: Attribute) -> bool:
    return attribute.missing is Missing.DROP and attribute.role is not Role.IDENTIFIER


def _source(random_state: int | None) -> NoiseSource:
    if random_state is None:
        return SecureNoise()
    if isinstance(random_state, bool) or not isinstance(random_state, int) or random_state < 0:
        raise PlanError(
            f"random_state = {random_state!r} is not a whole number of at least 0. "
            f"Leave it out for a release; give one only for a repeatable experiment."
        )
    return SeededNoise.of(random_state)


def _charge(path: str | Path | None, guarantee: Guarantee, plan: Plan) -> Ledger:
    if guarantee.epsilon is None:
        return Ledger() if path is None else load_ledger(path)
    entry = Entry.now(
        system=plan.system,
        epsilon=guarantee.epsilon,
        unit=str(guarantee.unit),
        plan=plan.fingerprint,
    )
    return Ledger().charged(entry) if path is None else spend(path, entry)
