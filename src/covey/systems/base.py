"""What is a published system, and what may be set in it?"""

from __future__ import annotations

import math
import reprlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import MISSING, dataclass, field, fields
from functools import cache
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Literal, Protocol, get_args, get_type_hints

from covey.core import Budget, GuaranteeKind, PrivacyUnit
from covey.errors import InternalError, PlanError, suggest
from covey.partition.base import REQUIRED

if TYPE_CHECKING:
    import numpy as np
    import polars as pl
    from numpy.typing import NDArray

    from covey.core import Guarantee, Meter, NoiseSource
    from covey.postprocess.rows import Link, Rows, Untouched, Values

OPTIONS = ("epsilon", "delta", "rho", "k", "columns", "unit", "theta")
"""Parameters that have an option of their own on the command line."""

Progress = Callable[[str, int, int], None]
"""Called with (what is being done, records done, records in total) during long work."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Parameter:
    """Something that the user of a system may set.

    Parameters
    ----------
    name, meaning : str
        ``meaning`` is half a sentence.
    kind : type
        int, float, str, bool, dict or tuple (a list of column names).
    default : object
        `REQUIRED` where there is none.
    at_least : float, optional
        Smallest allowed value.
    choices : tuple of str
        Allowed words.
    read : callable, optional
        Turns what was given into the value, or None if it cannot: for values that no kind
        describes, such as groups of columns.
    form : str
        What ``read`` accepts, in words.
    file : bool
        Whether it may name a file, whose place is nobody's business.
    """

    name: str
    meaning: str
    kind: type
    default: Any = REQUIRED
    at_least: float | None = None
    choices: tuple[Any, ...] = ()
    read: Callable[[Any], Any] | None = None
    form: str = ""
    file: bool = False

    def checked(self, value: Any, system: str) -> Any:
        """Return the value in its own type, or explain what it must be."""
        given = _converted(value, self.kind) if self.read is None else self.read(value)
        wrong = given is None
        if isinstance(given, float) and not wrong:
            wrong = not math.isfinite(given)
        if not wrong and self.at_least is not None:
            wrong = given < self.at_least
        if not wrong and self.choices:
            wrong = given not in self.choices
        if wrong:
            raise PlanError(
                f"parameter {self.name!r} of system {system!r} must be {self._allowed()}, and "
                f"{reprlib.repr(value)} was given. It is {self.meaning}."
            )
        return given

    def _allowed(self) -> str:
        if self.form:
            return self.form
        if self.choices:
            return "one of " + ", ".join(map(str, self.choices))
        words = {int: "a whole number", float: "a finite number", bool: "true or false"}
        text = words.get(self.kind, "a list of column names" if self.kind is tuple else "a text")
        return text if self.at_least is None else f"{text} of at least {self.at_least:g}"


def setting(meaning: str, *, default: Any = MISSING, **limits: Any) -> Any:
    """Declare a field of a system's settings: its meaning and its range, in one place.

    ``limits`` are those of `Parameter`.
    """
    return field(default=default, metadata={"meaning": meaning, **limits})


@cache
def parameters_of(settings: type) -> tuple[Parameter, ...]:
    """Return what may be set, as the fields of a settings class declare it."""
    hints = get_type_hints(settings)
    found = []
    for part in fields(settings):
        types = [kind for kind in get_args(hints[part.name]) or (hints[part.name],) if kind]
        kind = next(kind for kind in types if kind is not type(None))
        default = REQUIRED if part.default is MISSING else part.default
        found.append(
            Parameter(
                name=part.name,
                kind=getattr(kind, "__origin__", kind),
                default=default,
                **part.metadata,
            )
        )
    return tuple(found)


def as_mapping(settings: Any) -> Mapping[str, Any]:
    """Return settings by name, as a plan holds them."""
    return MappingProxyType({part.name: getattr(settings, part.name) for part in fields(settings)})


@dataclass(frozen=True, slots=True, kw_only=True)
class System:
    """A way to publish a table or a graph.

    Parameters
    ----------
    name : str
        What it is called in plans and on the command line.
    summary : str
        One sentence.
    paper : str
        The document that describes it; "covey" for our own.
    kind : GuaranteeKind
        The best guarantee that it can carry.
    unit : PrivacyUnit
        Its neighbour relation.
    takes : type
        A frozen dataclass of what may be set, each field declared by `setting`.
    data : "table" or "graph"
        What it publishes.
    deterministic : bool
        Whether running the plan again gives the same release.
    releases : "rows" or "cells"
        Whether it releases rows like those of a table, or the cells of tables about them.
    """

    name: str
    summary: str
    paper: str
    kind: GuaranteeKind
    unit: PrivacyUnit
    takes: type
    data: Literal["table", "graph"] = "table"
    deterministic: bool = False
    releases: Literal["rows", "cells"] = "rows"

    @property
    def parameters(self) -> tuple[Parameter, ...]:
        """Return what may be set."""
        return parameters_of(self.takes)

    def settings(self, given: Mapping[str, Any]) -> Any:
        """Return all settings with their defaults, or explain what is wrong with one."""
        known = {parameter.name: parameter for parameter in self.parameters}
        for name in given:
            if name not in known:
                if name in ("delta", "rho") and "epsilon" in known:
                    raise PlanError(_ONLY_PURE.format(system=self.name, name=name))
                raise PlanError(
                    f"system {self.name!r} has no parameter {name!r}. {suggest(name, known)}"
                )
        settings: dict[str, Any] = {}
        for name, parameter in known.items():
            value = given.get(name)
            if value is None:
                if name == "epsilon" and "rho" in known and given.get("rho") is not None:
                    settings[name] = None
                    continue
                if parameter.default is REQUIRED:
                    option = f"--{name}" if name in OPTIONS else f"-p {name}=…"
                    raise PlanError(
                        f"system {self.name!r} needs {name!r}, {parameter.meaning}, so nothing "
                        f"was published. Give it (command line: {option})."
                    )
                settings[name] = parameter.default
            else:
                settings[name] = parameter.checked(value, self.name)
        made = self.takes(**settings)
        if "rho" in known:
            budget_of(made)
        return made


_ONLY_PURE = (
    "system {system!r} has no noise whose loss {name!r} would bound: its promise is a pure "
    "epsilon, so nothing was published. Give epsilon alone, which implies rho = epsilon²/2, or "
    "take tables, column-model or rank-blocks, which can draw Gaussian noise."
)


def budget_of(settings: Any) -> Budget:
    """Return what settings say may be lost: epsilon, epsilon and delta, or rho."""
    delta, rho = getattr(settings, "delta", None), getattr(settings, "rho", None)
    return Budget.of(settings.epsilon, delta=delta, rho=rho)


@dataclass(frozen=True, slots=True, kw_only=True)
class Built:
    """What a sound system makes of published numbers.

    Parameters
    ----------
    rows : Rows
        The released rows, described.
    extras : mapping
        Tables that stand beside them.
    resolved : mapping
        Settings that the system chose from public or published numbers.
    facts : tuple of str
        Public facts that became known while measuring, for the guarantee.
    links : sequence of Link
        What the records of each cluster became; for the curator.
    """

    rows: Rows
    extras: Mapping[str, pl.DataFrame] = field(default_factory=dict, repr=False)
    resolved: Mapping[str, Any] = field(default_factory=dict)
    facts: tuple[str, ...] = ()
    links: Sequence[Link] = field(default=(), repr=False)


class Asked(Protocol):
    """What a sound system is going to ask: a function of public facts and settings."""

    @property
    def budget(self) -> Budget:
        """Return what all questions together may cost."""
        ...

    @property
    def unit(self) -> PrivacyUnit:
        """Return the neighbour relation."""
        ...

    @property
    def promise(self) -> Any:
        """Return what the guarantee says beside what the meter knows."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class SoundSystem(System):
    """A system with a differential promise: three functions with three scopes.

    Parameters
    ----------
    ask : callable
        ``ask(head, settings)``: what will be asked, from public facts alone.
    measure : callable
        ``measure(meter, asked)``: asks; only noise comes out.
    build : callable
        ``build(asked, measured, rng)``: makes a release of it, and cannot see records.
    unit_of : callable
        ``unit_of(settings)``: the neighbour relation, which decides whether n is public.
    printed : callable
        ``printed(settings)``: the plain system that repeats what a paper printed instead, or None.
    public_column : str
        The setting that names a public column, such as preferences.
    """

    ask: Callable[[Any, Any], Any]
    measure: Callable[[Meter, Any], Any]
    build: Callable[[Any, Any, np.random.Generator], Built]
    unit_of: Callable[[Any], PrivacyUnit] | None = None
    printed: Callable[[Any], PlainSystem | None] | None = None
    public_column: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """What a plain system hands to the release step.

    ``aligned`` says what became of each record, ``clusters`` of which cluster of each column it
    is where records were sampled inside clusters; both are for the curator alone.
    """

    columns: Mapping[str, Values | Untouched]
    guarantee: Guarantee
    aligned: Mapping[str, NDArray[np.float64]] | None = field(default=None, repr=False)
    resolved: Mapping[str, Any] = field(default_factory=dict)
    extras: Mapping[str, pl.DataFrame] = field(default_factory=dict, repr=False)
    clusters: Mapping[str, NDArray[np.int64]] | None = field(default=None, repr=False)

    def __post_init__(self) -> None:
        """Refuse a differential promise: it takes a meter."""
        if self.guarantee.kind.is_differential_privacy:
            raise InternalError("a system that sees records cannot promise differential privacy.")


@dataclass(frozen=True, slots=True, kw_only=True)
class PlainSystem(System):
    """A system that sees the records, and can promise no differential privacy.

    ``run(data, settings, source, progress)`` returns an `Outcome`; ``data`` is a `Table` or a
    `Graph`.
    """

    run: Callable[[Any, Any, NoiseSource, Progress | None], Outcome]

    def __post_init__(self) -> None:
        """Refuse a differential kind."""
        if self.kind.is_differential_privacy:
            raise InternalError(f"{self.name!r} sees records, so it cannot be {self.kind}.")


def _converted(value: Any, kind: type) -> Any:
    if kind is bool or isinstance(value, bool):
        words = {True: True, False: False, "true": True, "false": False}
        return words.get(value) if kind is bool and isinstance(value, bool | str) else None
    if kind is tuple:
        if isinstance(value, str):
            value = [part.strip() for part in value.split(",")]
        plain = isinstance(value, (list, tuple)) and all(isinstance(part, str) for part in value)
        return tuple(value) if plain and value else None
    if kind is str:
        return value if isinstance(value, str) else None
    try:
        # Nobody but Python writes ten as 1_0.
        number = float("no number" if isinstance(value, str) and "_" in value else value)
    except (TypeError, ValueError, OverflowError):
        return None
    if kind is int:
        return int(number) if number.is_integer() else None
    return number


def k_setting() -> Any:
    """Declare k."""
    return setting("the smallest number of records in a cluster")


def epsilon_setting(**limits: Any) -> Any:
    """Declare epsilon."""
    return setting("the bound on the privacy loss of one record; smaller protects more", **limits)


def delta_setting() -> Any:
    """Declare delta."""
    return setting(
        "a probability, far below 1 / n, with which epsilon need not hold; noise is then Gaussian",
        default=None,
    )


def rho_setting() -> Any:
    """Declare rho."""
    return setting(
        "the bound on the loss in zero-concentrated privacy, instead of epsilon; noise is then "
        "Gaussian",
        default=None,
    )


def columns_setting() -> Any:
    """Declare the columns to publish."""
    return setting("the columns to publish; all but identifiers unless given", default=None)
