"""How is a plan run or foreseen, and how does a release go straight into its folder?"""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import Any

from covey.charge import Reservation
from covey.core import Guarantee, PrivacyUnit
from covey.errors import CoveyError
from covey.plan import Plan
from covey.publish import (
    ask_system,
    expected_promise,
    find_system,
    named_columns,
    noise_source,
    publish,
)
from covey.release.folder import Format, checked_format
from covey.release.promised import promised_by
from covey.release.recovery import recover_folder, recover_ledger
from covey.release.staged import stage_folder
from covey.systems import Progress, SoundSystem
from covey.systems.persons import persons_of
from covey.table import Head


def publish_to(
    folder: str | Path,
    data: Any,
    system: str,
    *,
    ledger: str | Path | None = None,
    force: bool = False,
    format: Format | None = None,  # noqa: A002
    progress: Progress | None = None,
    **settings: Any,
) -> Any:
    """Publish into a release folder, and charge the ledger only if the folder is there.

    What the release costs is kept back in the ledger before anything is written, and given back
    if the folder cannot be: nobody has seen it then.  If the process dies in between, the next
    one that works on this place or this ledger finishes the release, if it was complete, or
    undoes it, and warns (`covey.errors.RecoveryWarning`).

    Parameters
    ----------
    folder, force, format
        As in `Release.save`.
    data, system, ledger, progress, **settings
        As in `publish`.

    Returns
    -------
    Release, or (Release, Trace)
        As from `publish`.
    """
    folder, written_as = Path(folder), checked_format(format)
    file = None if ledger is None else Path(ledger)
    recover_folder(folder)
    recover_ledger(file)
    with stage_folder(folder, force=force, ledger=file) as staged:
        account = None if file is None else Reservation(file, staged)
        try:
            made: Any = publish(data, system, ledger=account, progress=progress, **settings)
            release = made[0] if isinstance(made, tuple) else made
            if progress is not None:
                progress("writing the release", 0, 0)
            release.save_staged(staged, format=written_as)
        except BaseException as error:
            said = "" if account is None else account.give_up()
            if isinstance(error, CoveyError) and account is not None and account.id:
                raise type(error)(f"{error} {said}") from error
            raise
        if account is not None:
            account.commit()
    return made


def run(plan: Plan, data: Any, *, folder: str | Path | None = None, **how: Any) -> Any:
    """Run a plan on data: the same as `publish` with the plan's system and parameters.

    ``how`` are the other arguments of `publish`: ``ledger``, ``progress``, ``engine``, …;
    with a ``folder``, those of `publish_to`.
    """
    how.setdefault("nodes", plan.nodes)
    publishing = publish if folder is None else partial(publish_to, folder)
    return publishing(
        data,
        plan.system,
        schema=plan.schema,
        random_state=plan.random_state,
        chosen_on_data=plan.chosen_on_data,
        **how,
        **plan.parameters,
    )


def foresee(plan: Plan, n: int) -> Guarantee | None:
    """Return what a plan would promise for a table of n records, without any record.

    A system with a differential promise says so from public facts alone, and refuses what it
    would refuse; of others, and of those that need a public column, nothing is known: None.
    """
    system = find_system(plan.system)
    own, persons = persons_of(system, plan.parameters, plan.schema)
    settings = system.settings(own)
    sound = isinstance(system, SoundSystem) and system.data == "table" and not system.public_column
    if not sound or plan.schema is None:
        return None
    assert isinstance(system, SoundSystem)  # noqa: S101 — as was just asked
    if system.printed is not None and system.printed(settings) is not None:
        return None
    named = named_columns(settings, system)
    schema = plan.schema if named is None else plan.schema.dropping_for(named)
    unit = system.unit if system.unit_of is None else system.unit_of(settings)
    known = n if unit is PrivacyUnit.REPLACE_RECORD else None
    asked = ask_system(system, Head(schema=schema, n=known, kind="csv"), settings, persons)
    source = noise_source(plan.random_state)
    return promised_by(expected_promise(system, asked, persons), plan, system, source, schema)[0]
