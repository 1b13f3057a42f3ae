"""Publish a table in which each record brings its own bound on the privacy loss.

The bounds are public: a column of the table that is not published.  A coin decides for each
record whether it is kept, more often if its owner allows more; a public default record stands
for the others (or nothing does).  A sound system then publishes what it is given, and no
record loses more than it allowed (docs/proofs/personalised.md).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from covey.errors import PlanError, SchemaError
from covey.perturb import Kept, keep_records
from covey.privacy import Budget, Guarantee, GuaranteeKind, PrivacyUnit, sensitivity
from covey.release.accuracy import after_substitution
from covey.systems.base import COLUMNS, Outcome, Parameter, Progress, System
from covey.systems.columns import chosen, dropped
from covey.systems.preferences import preferences_of, threshold_of
from covey.systems.substitute import (
    default_number,
    default_value,
    dropping,
    only,
    substituted,
)
from covey.table import Attribute, Scale, Table

if TYPE_CHECKING:
    from covey.perturb import NoiseSource

OWN = ("epsilon", "columns")
"""Parameters of the inner system that this system sets itself."""


def _publish(
    table: Table, parameters: Mapping[str, Any], source: NoiseSource, progress: Progress | None
) -> Outcome:
    name, drop = parameters["preferences"], parameters["otherwise"] == "drop"
    preferences = preferences_of(table, name)
    attributes = _published(table, name, parameters)
    threshold = threshold_of(parameters["threshold"], preferences, drop=drop)
    inner = _inner(parameters["inner"])
    settings = _settings(inner, parameters["settings"], threshold, drop=drop)
    if progress is not None:
        progress("personalised: tossing coins", 0, 1)
    kept = keep_records(
        preferences,
        sensitivity=sensitivity("personalised", "records-add-remove" if drop else "records"),
        budget=Budget.of(threshold),
        source=source,
    )
    published = only(table, attributes)
    seen = dropping(published, kept.mask) if drop else substituted(published, kept.mask)
    outcome = inner.run(seen, settings, source, _told(progress))
    guarantee = replace(outcome.guarantee, dropped=dropped(table, attributes))
    if guarantee.kind is GuaranteeKind.PURE_DP:
        guarantee = _personal(guarantee, name, published, kept, drop=drop)
    extras = dict(outcome.extras)
    if drop:
        # It speaks of the records that were kept, which nobody asked for.
        extras.pop("accuracy", None)
    elif "accuracy" in extras:
        numeric = [attribute for attribute in attributes if attribute.scale is not Scale.NOMINAL]
        extras["accuracy"] = after_substitution(
            extras["accuracy"],
            kept.probabilities,
            {attribute.name: default_number(published, attribute) for attribute in numeric},
            {attribute.name: attribute.public_bounds for attribute in numeric},
        )
    resolved = {**settings, **outcome.resolved}
    return replace(
        outcome,
        guarantee=guarantee,
        # A record that was dropped has no row that could be compared with it.
        aligned=None if drop else outcome.aligned,
        resolved={
            "threshold": threshold,
            "settings": {
                key: value
                for key, value in resolved.items()
                if key not in OWN and value is not None
            },
        },
        extras=extras,
    )


def _published(table: Table, name: str, parameters: Mapping[str, Any]) -> Sequence[Attribute]:
    if name in (parameters["columns"] or ()):
        raise PlanError(
            f"column {name!r} holds the preferences, which are public and are not published by "
            f"this system. Leave it out of the columns."
        )
    attributes = [attribute for attribute in chosen(table, parameters) if attribute.name != name]
    if not attributes:
        raise SchemaError(
            "all attributes besides the preferences are identifiers, so there is nothing to "
            "publish. Give another role to the attributes that matter."
        )
    return attributes


def _inner(name: str) -> System:
    from covey.systems import SYSTEMS

    sound = {
        system.name
        for system in SYSTEMS.values()
        if system.kind is GuaranteeKind.PURE_DP and system.unit is PrivacyUnit.REPLACE_RECORD
    }
    if name not in sound:
        raise PlanError(
            f"system {name!r} cannot publish what is kept: that takes pure differential privacy "
            f"for replaced records. Choose one of {', '.join(sorted(sound))}."
        )
    return SYSTEMS[name]


def _settings(
    inner: System, given: Mapping[str, Any] | None, threshold: float, *, drop: bool
) -> dict[str, Any]:
    given = given or {}
    for name in OWN:
        if name in given:
            raise PlanError(
                f"the settings of {inner.name!r} name {name!r}, which 'personalised' sets itself. "
                f"Give `threshold` or `columns` beside the settings."
            )
    settings = inner.settings({**given, "epsilon": threshold})
    if not drop and settings.get("unit", "replace") != "replace":
        raise PlanError(
            "the settings ask for records that are added or removed, and a default record is put "
            'in the place of others. Set otherwise = "drop", or leave `unit` out.'
        )
    if drop and "unit" not in settings:
        raise PlanError(
            f"system {inner.name!r} protects replaced records only, so records cannot be dropped "
            f'before it. Use inner = "private-tree", or otherwise = "default".'
        )
    return {**settings, "unit": "add-remove"} if drop else settings


def _told(progress: Progress | None) -> Progress | None:
    if progress is None:
        return None
    return lambda what, done, total: progress(f"personalised, {what}", done, total)


def _personal(
    guarantee: Guarantee, name: str, table: Table, kept: Kept, *, drop: bool
) -> Guarantee:
    facts = (
        (
            f"The preference of each record ({name}) is public, and known without the record's "
            f"other values; nothing is promised about the preferences themselves."
        ),
        f"The threshold t = {float(kept.epsilon):g} was chosen from public numbers.",
    )
    conditions = (
        (
            "The loss of a record is at most its own preference and never above t (the form of "
            "Definition 30 in paper 002). It is not bounded by the preferences of others, as "
            "Definition 31 asks."
        ),
        "Which records were kept is secret: nothing of it may be published.",
        "Records were dropped more often the smaller their preference is."
        if drop
        else _about_defaults(table, kept),
    )
    return replace(
        guarantee,
        kind=GuaranteeKind.PERSONALISED,
        unit=kept.unit,
        assumes=(*guarantee.assumes, *facts),
        conditions=(*guarantee.conditions, *conditions),
        claim=kept.claim,
    )


def _about_defaults(table: Table, kept: Kept) -> str:
    lost = 100.0 * (1.0 - float(np.mean(kept.probabilities)))
    values = {attribute.name: default_value(table, attribute) for attribute in table.schema}
    texts = [
        f"{name} = {value:g}" if isinstance(value, float) else f"{name} = {value}"
        for name, value in values.items()
    ]
    return (
        f"About {lost:.1f} % of the records, a public number, are the public default record "
        f"({', '.join(texts)}), the more often the smaller their preference is."
    )


def _read_settings(value: Any) -> dict[str, Any] | None:
    """Read parameters of the inner system: ``"k=20;order=hilbert"`` or a table.

    Examples
    --------
    >>> _read_settings("k=20; order=hilbert")
    {'k': '20', 'order': 'hilbert'}
    """
    if isinstance(value, Mapping):
        return dict(value) if all(isinstance(name, str) for name in value) else None
    if not isinstance(value, str):
        return None
    parts = [part.partition("=") for part in value.split(";")]
    if not all(name.strip() and equals for name, equals, _ in parts):
        return None
    return {name.strip(): text.strip() for name, _, text in parts}


PERSONALISED = System(
    name="personalised",
    summary="Each record brings its own public bound; coins decide which records a system sees.",
    paper="covey (sound form for tables of chapter 8 of 002)",
    kind=GuaranteeKind.PERSONALISED,
    unit=PrivacyUnit.REPLACE_RECORD,
    parameters=(
        Parameter(
            name="preferences",
            meaning="the column with the largest privacy loss that each person allows; public",
            kind=str,
        ),
        Parameter(
            name="threshold",
            meaning="what the release costs at most, whatever people allow; the largest "
            "preference unless given",
            kind=float,
            default=None,
        ),
        Parameter(
            name="inner",
            meaning="the sound system that publishes what is kept",
            kind=str,
            default="private-tree",
        ),
        Parameter(
            name="settings",
            meaning="the parameters of that system, but for epsilon and columns",
            kind=dict,
            default=None,
            read=_read_settings,
            form="settings such as 'k=20;order=hilbert' or a table of names and values",
        ),
        Parameter(
            name="otherwise",
            meaning="what stands for a record that is not kept: a public default record, or "
            "nothing (for records that are added or removed)",
            kind=str,
            default="default",
            choices=("default", "drop"),
        ),
        COLUMNS,
    ),
    run=_publish,
)
