"""Does a plan protect records or persons, and what may one record of a person then cost?"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from covey.core import Persons, PrivacyUnit
from covey.errors import PlanError, SchemaError, suggest
from covey.systems.base import SoundSystem, System, budget_of
from covey.table import Missing, Role

if TYPE_CHECKING:
    from covey.table import Attribute, Schema

PERSON_UNITS: Mapping[str, str] = {
    str(PrivacyUnit.PERSON): "replace",
    str(PrivacyUnit.ADD_REMOVE_PERSON): "add-remove",
}
"""The units of persons, and those of records that they are made of, as parameters name them."""


_UNITS_OF_RECORDS = {records: persons for persons, records in PERSON_UNITS.items()}


def persons_of(
    system: System, parameters: Mapping[str, Any], schema: Schema | None
) -> tuple[dict[str, Any], Persons | None]:
    """Return a system's own parameters, and who is protected if it is not single records.

    Parameters
    ----------
    system : System
        What is going to be published.
    parameters : mapping
        Those of the plan: ``unit`` may name one of persons; ``person`` and ``contributions`` say
        whose a record is, and how many of a person are used.
    schema : Schema, optional
        Names a person column and contributions where the parameters do not.
    """
    own = dict(parameters)
    column, most = own.pop("person", None), own.pop("contributions", None)
    named = None if schema is None else next(iter(schema.with_role(Role.PERSON)), None)
    unit = own.get("unit")
    if column is None and most is None and named is not None:
        # What a system protects among records, it protects among persons where there are some.
        unit = _UNITS_OF_RECORDS.get(str(unit), unit)
    if unit is not None and unit not in PERSON_UNITS:
        if column is None and most is None:
            return own, None
        raise PlanError(
            f"unit = {unit!r} protects no persons with several records, so `person` and "
            f"`contributions` would mean nothing, and nothing was published. "
            f"Choose unit = {' or '.join(PERSON_UNITS)}, or leave them out."
        )
    promises = isinstance(system, SoundSystem) and system.data == "table"
    if column is None and most is None and (named is not None or unit is None):
        if named is None or not promises:
            return own, None
        if named.contributions is None:
            _refuse(
                f"the schema says by {named.name!r} whose a record is, and not how many records "
                f"of a person are used. Add `contributions = 5` to that column, or give "
                f"contributions (command line: --contributions 5)"
            )
    _refuse_uncountable(system, unit)
    persons = _named_persons(column, most, named)
    known = {parameter.name for parameter in system.parameters}
    if "unit" in known:
        own["unit"] = PERSON_UNITS[unit or PrivacyUnit.PERSON]
    else:
        own.pop("unit", None)
    return own, persons


def _named_persons(column: Any, most: Any, named: Attribute | None) -> Persons:
    """Return whose records count, and how many: as parameters say, or else the schema."""
    if column is None and named is None:
        _refuse(
            "persons are to be protected, and no column says whose a record is. Give person = "
            '"COLUMN" (command line: --person COLUMN), or role = "person" in the schema'
        )
    if most is None and named is not None and column in (None, named.name):
        most = named.contributions
    if most is None:
        _refuse(
            "persons are to be protected, and no public bound on the records of one is known. "
            "Give contributions = 5 (command line: --contributions 5)"
        )
    return Persons(str(column or (named and named.name)), _whole(most))


def with_persons(parameters: Mapping[str, Any], persons: Persons | None) -> dict[str, Any]:
    """Return all settings of a system as a plan holds them: with who is protected."""
    if persons is None:
        return dict(parameters)
    unit = _UNITS_OF_RECORDS[parameters.get("unit", "replace")]
    own = {"unit": unit, "person": persons.column, "contributions": persons.most}
    return {**parameters, **own}


def schema_with(schema: Schema, persons: Persons) -> Schema:
    """Return a schema in which the person column is one, and is published by nobody."""
    if persons.column not in schema.names:
        raise SchemaError(
            f"there is no column {persons.column!r} that could say whose a record is, so nothing "
            f"was published. {suggest(persons.column, schema.names)}"
        )
    own = schema[persons.column]
    if own.missing is Missing.IMPUTE or own.unknown is not None:
        raise SchemaError(
            f"column {persons.column!r} says whose a record is, and its schema puts one value in "
            f"the place of missing or unknown ones, so different persons would become one and "
            f"nothing was published. Remove `impute` and `unknown` from it."
        )
    return schema.counting_persons(persons.column, persons.most)


def for_each_record(settings: Any, persons: Persons) -> Any:
    """Return settings whose loss is that of one record of a person."""
    changes: dict[str, Any] = {"epsilon": persons.each(budget_of(settings))}
    changes |= {name: None for name in ("delta", "rho") if hasattr(settings, name)}
    return replace(settings, **changes)


def refuse_printed(system: System, settings: Any) -> None:
    """Refuse what repeats a paper's printed steps: they promise nothing about records."""
    printed = system.printed if isinstance(system, SoundSystem) else None
    if printed is not None and printed(settings) is not None:
        _refuse(
            f"system {system.name!r} as its paper prints it makes no promise about records, so "
            f"none about persons follows. Leave out what asks for the printed steps"
        )


def _can_count(system: System) -> bool:
    countable = isinstance(system, SoundSystem) and system.data == "table"
    return countable and not getattr(system, "public_column", "")


def _refuse_uncountable(system: System, unit: str | None) -> None:
    if system.data == "graph":
        _refuse(
            "a graph has edges and nodes, and no rows that could be one person's, so `person` and "
            "`contributions` mean nothing. Choose unit = 'node' to protect all edges of a person"
        )
    if not isinstance(system, SoundSystem):
        _refuse(
            f"system {system.name!r} makes no promise about single records from which one about "
            f"persons would follow: all k records of a group may be one person's. Choose a system "
            f"with a differential promise, or make one record of each person"
        )
    if not _can_count(system):
        _refuse(
            f"system {system.name!r} gives every record a bound of its own, and those of a "
            f"person's records would add up to one that nobody chose. Choose another system, "
            f"make one record of each person, or call the column of persons an identifier"
        )
    known = {parameter.name for parameter in system.parameters}
    if unit == PrivacyUnit.ADD_REMOVE_PERSON and "unit" not in known:
        _refuse(
            f"system {system.name!r} needs a public number of records, so it cannot hide whether "
            f"a person is there. Choose unit = 'person', or a system that can add and remove "
            f"records: column-model, private-tree, tables"
        )


def _refuse(why: str) -> None:
    raise PlanError(f"{why}. Nothing was published.")


def _whole(given: Any) -> Any:
    """Return a number that was written as a text; what is none is refused by `Persons`."""
    if isinstance(given, str) and given.strip().lstrip("-").isdigit():
        return int(given)
    return int(given) if isinstance(given, float) and given.is_integer() else given
