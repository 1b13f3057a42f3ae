"""personalised: each record brings its own public bound on the privacy loss.

The bounds are public: a column of the table that is not published.  A coin decides for each
record whether it takes part, more often if its owner allows more; a public default record stands
for the others (or nothing does).  A sound system then asks about what is left, and no record
loses more than it allowed (docs/proofs/personalised.md).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from covey.core import Budget, GuaranteeKind, PrivacyUnit, Promise
from covey.core.exact import COIN_PARTS
from covey.core.questions import Sample
from covey.errors import PlanError, SchemaError
from covey.kinds import amount
from covey.postprocess.intervals import after_substitution
from covey.systems.base import Built, SoundSystem, as_mapping, columns_setting, setting
from covey.systems.columns import choose_columns, dropped
from covey.systems.sound.insensitive import INSENSITIVE
from covey.systems.sound.personalised.defaults import default_number, default_value
from covey.systems.sound.private_tree import PRIVATE_TREE
from covey.systems.sound.rank_blocks import RANK_BLOCKS
from covey.table import Attribute, Scale

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from covey.core import Meter
    from covey.table import Head

OWN = ("epsilon", "columns")
"""Parameters of the inner system that this system sets itself."""

_INNER = {system.name: system for system in (INSENSITIVE, PRIVATE_TREE, RANK_BLOCKS)}
"""Systems with pure differential privacy for replaced records."""


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


@dataclass(frozen=True, slots=True, kw_only=True)
class PersonalisedSettings:
    """What may be set."""

    preferences: str = setting(
        "the column with the largest privacy loss that each person allows; public"
    )
    threshold: float | None = setting(
        "what the release costs at most, whatever people allow; the largest preference unless "
        "given",
        default=None,
    )
    inner: str = setting("the sound system that publishes what is kept", default="private-tree")
    settings: dict[str, Any] | None = setting(
        "the parameters of that system, but for epsilon and columns",
        default=None,
        read=_read_settings,
        form="settings such as 'k=20;order=hilbert' or a table of names and values",
    )
    otherwise: str = setting(
        "what stands for a record that is not kept: a public default record, or nothing (for "
        "records that are added or removed)",
        default="default",
        choices=("default", "drop"),
    )
    columns: tuple[str, ...] | None = columns_setting()


@dataclass(frozen=True, slots=True, kw_only=True)
class AskedSample:
    """Which coins are tossed, and what the inner system asks about the records that are left.

    ``probabilities`` of taking part are public, where the records' number is.
    """

    system: SoundSystem
    settings: Any
    inner: Any
    sample: Sample
    numeric: Sequence[Attribute]
    probabilities: NDArray[np.float64] | None
    threshold: float
    budget: Budget
    unit: PrivacyUnit
    promise: Promise


def unit_of(settings: PersonalisedSettings) -> PrivacyUnit:
    """Return the neighbour relation."""
    drop = settings.otherwise == "drop"
    return PrivacyUnit.ADD_REMOVE_RECORD if drop else PrivacyUnit.REPLACE_RECORD


def ask(head: Head, settings: PersonalisedSettings) -> AskedSample:
    """Lay out coins from public preferences, and let the inner system lay out its questions."""
    name, drop = settings.preferences, settings.otherwise == "drop"
    attributes = _published(head, settings)
    preferences = head.public.get(name)
    threshold = _threshold(settings.threshold, preferences)
    whole = Budget.of(threshold)
    system = _inner(settings.inner)
    inner_settings = _settings(system, settings.settings, threshold, drop=drop)
    seen = replace(head, schema=replace(head.schema, attributes=tuple(attributes)), public={})
    inner = system.ask(seen, inner_settings)
    defaults = {a.name: default_value(seen, a) for a in attributes} if not drop else None
    sample = Sample(
        what="records",
        threshold=whole.epsilon,
        column=name,
        columns=tuple(attribute.name for attribute in attributes),
        default=defaults,
    )
    likely = None if preferences is None else sample.parts(preferences) / COIN_PARTS
    return AskedSample(
        system=system,
        settings=inner_settings,
        inner=inner,
        sample=sample,
        numeric=[attribute for attribute in attributes if attribute.scale is not Scale.NOMINAL],
        probabilities=likely,
        threshold=threshold,
        budget=whole,
        unit=unit_of(settings),
        promise=_promise(
            inner.promise,
            unpublished=dropped(head.schema, attributes),
            name=name,
            threshold=threshold,
            likely=likely,
            defaults=defaults,
        ),
    )


def measure(meter: Meter, asked: AskedSample) -> Any:
    """Toss the coins, and let the inner system ask about the records that are left."""
    meter.progress("personalised: tossing coins", 0, 1)
    left, tell = meter.sampled(asked.sample), meter.progress
    left.progress = lambda what, done, total: tell(f"personalised, {what}", done, total)
    return asked.system.measure(left, asked.inner)


def build(asked: AskedSample, measured: Any, rng: np.random.Generator) -> Built:
    """Let the inner system build the release, and say how it speaks of all records."""
    built = asked.system.build(asked.inner, measured, rng)
    extras = dict(built.extras)
    accuracy = extras.pop("accuracy", None)
    # Where records are dropped it speaks of those that were kept, which nobody asked for.
    if accuracy is not None and asked.probabilities is not None:
        extras["accuracy"] = after_substitution(
            accuracy,
            asked.probabilities,
            {a.name: default_number(asked.inner.head, a) for a in asked.numeric},
            {a.name: a.public_bounds for a in asked.numeric},
        )
    resolved = {**as_mapping(asked.settings), **built.resolved}
    return replace(
        built,
        # A record that was dropped has no row that could be compared with it.
        links=built.links if asked.probabilities is not None else (),
        resolved={
            "threshold": asked.threshold,
            "settings": {
                key: value
                for key, value in resolved.items()
                if key not in OWN and value is not None
            },
        },
        extras=extras,
    )


def _threshold(given: float | None, preferences: NDArray[np.float64] | None) -> float:
    """Return what the release costs at most: as given, or the largest preference."""
    if given is not None:
        return float(given)
    if preferences is None:
        raise PlanError(
            "system 'personalised' needs 'threshold' where records are dropped: the largest "
            "preference would tell who is there. Give one (command line: -p threshold=…)."
        )
    return float(preferences.max())


def _published(head: Head, settings: PersonalisedSettings) -> Sequence[Attribute]:
    name = settings.preferences
    if name in (settings.columns or ()):
        raise PlanError(
            f"column {name!r} holds the preferences, which are public and are not published by "
            f"this system. Leave it out of the columns."
        )
    chosen = choose_columns(head.schema, settings.columns)
    attributes = [attribute for attribute in chosen if attribute.name != name]
    if not attributes:
        raise SchemaError(
            "all attributes besides the preferences are identifiers, so there is nothing to "
            "publish. Give another role to the attributes that matter."
        )
    return attributes


def _inner(name: str) -> SoundSystem:
    if name not in _INNER:
        raise PlanError(
            f"system {name!r} cannot publish what is kept: that takes pure differential privacy "
            f"for replaced records. Choose one of {', '.join(sorted(_INNER))}."
        )
    return _INNER[name]


def _settings(
    inner: SoundSystem, given: Mapping[str, Any] | None, threshold: float, *, drop: bool
) -> Any:
    given = dict(given or {})
    for name in OWN:
        if name in given:
            raise PlanError(
                f"the settings of {inner.name!r} name {name!r}, which 'personalised' sets itself. "
                f"Give `threshold` or `columns` beside the settings."
            )
    if drop:
        if all(parameter.name != "unit" for parameter in inner.parameters):
            raise PlanError(
                f"system {inner.name!r} protects replaced records only, so records cannot be "
                f'dropped before it. Use inner = "private-tree", or otherwise = "default".'
            )
        given["unit"] = "add-remove"
    settings = inner.settings({**given, "epsilon": threshold})
    if not drop and getattr(settings, "unit", "replace") != "replace":
        raise PlanError(
            "the settings ask for records that are added or removed, and a default record is put "
            'in the place of others. Set otherwise = "drop", or leave `unit` out.'
        )
    if getattr(settings, "paper", False):
        raise PlanError(
            "the paper's evaluation carries no guarantee, so nobody's preference would be kept. "
            "Leave `paper` out of the settings."
        )
    return settings


def _promise(
    inner: Promise,
    *,
    unpublished: tuple[str, ...],
    name: str,
    threshold: float,
    likely: NDArray[np.float64] | None,
    defaults: Mapping[str, float | str] | None,
) -> Promise:
    facts = (
        (
            f"The preference of each record ({name}) is public, and known without the record's "
            f"other values; nothing is promised about the preferences themselves."
        ),
        f"The threshold t = {amount(Budget.of(threshold).epsilon)} was chosen from public numbers.",
    )
    conditions = (
        (
            "The loss of a record is at most its own preference and never above t (the form of "
            "Definition 30 in paper 002). It is not bounded by the preferences of others, as "
            "Definition 31 asks."
        ),
        "Which records were kept is secret: nothing of it may be published.",
        "Records were dropped more often the smaller their preference is."
        if likely is None or defaults is None
        else _about_defaults(likely, defaults),
    )
    return replace(
        inner,
        dropped=unpublished,
        assumes=(*inner.assumes, *facts),
        conditions=(*inner.conditions, *conditions),
    )


def _about_defaults(likely: NDArray[np.float64], defaults: Mapping[str, float | str]) -> str:
    lost = 100.0 * (1.0 - float(np.mean(likely)))
    texts = [
        f"{name} = {value:g}" if isinstance(value, float) else f"{name} = {value}"
        for name, value in defaults.items()
    ]
    return (
        f"About {lost:.1f} % of the records, a public number, are the public default record "
        f"({', '.join(texts)}), the more often the smaller their preference is."
    )


PERSONALISED = SoundSystem(
    name="personalised",
    summary="Each record brings its own public bound; coins decide which records a system sees.",
    paper="covey (sound form for tables of chapter 8 of 002)",
    kind=GuaranteeKind.PERSONALISED,
    unit=PrivacyUnit.REPLACE_RECORD,
    takes=PersonalisedSettings,
    ask=ask,
    measure=measure,
    build=build,
    unit_of=unit_of,
    public_column="preferences",
)

__all__ = ["PERSONALISED"]
