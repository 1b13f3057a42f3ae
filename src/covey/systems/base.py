"""What is a published system, and what may be set in it?"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal

from covey.errors import PlanError, suggest

if TYPE_CHECKING:
    import numpy as np
    import polars as pl
    from numpy.typing import NDArray

    from covey.perturb import NoiseSource
    from covey.privacy import Guarantee, GuaranteeKind, PrivacyUnit
    from covey.release import Column

REQUIRED = object()

OPTIONS = ("epsilon", "k", "columns", "unit", "theta")
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
        int, float, str, bool or tuple (a list of column names).
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
    """

    name: str
    meaning: str
    kind: type
    default: Any = REQUIRED
    at_least: float | None = None
    choices: tuple[Any, ...] = ()
    read: Callable[[Any], Any] | None = None
    form: str = ""

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
                f"{value!r} was given. It is {self.meaning}."
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


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """What a system hands to the release step."""

    columns: Mapping[str, Column]
    guarantee: Guarantee
    aligned: Mapping[str, NDArray[np.float64]] | None = field(default=None, repr=False)
    resolved: Mapping[str, Any] = field(default_factory=dict)
    extras: Mapping[str, pl.DataFrame] = field(default_factory=dict, repr=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class System:
    """A way to publish a table or a graph: one composition of the steps.

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
    parameters : tuple of Parameter
        What may be set.
    run : callable
        ``run(data, parameters, source, progress)`` returns an `Outcome`; ``data`` is a `Table`
        or a `Graph`.
    data : "table" or "graph"
        What it publishes.
    deterministic : bool
        Whether running the plan again gives the same release.
    """

    name: str
    summary: str
    paper: str
    kind: GuaranteeKind
    unit: PrivacyUnit
    parameters: tuple[Parameter, ...]
    run: Callable[[Any, Mapping[str, Any], NoiseSource, Progress | None], Outcome]
    data: Literal["table", "graph"] = "table"
    deterministic: bool = False

    def settings(self, given: Mapping[str, Any]) -> dict[str, Any]:
        """Return all parameters with their defaults, or explain what is wrong with one."""
        known = {parameter.name: parameter for parameter in self.parameters}
        for name in given:
            if name not in known:
                raise PlanError(
                    f"system {self.name!r} has no parameter {name!r}. {suggest(name, known)}"
                )
        settings = {}
        for name, parameter in known.items():
            value = given.get(name)
            if value is None:
                if parameter.default is REQUIRED:
                    option = f"--{name}" if name in OPTIONS else f"-p {name}=…"
                    raise PlanError(
                        f"system {self.name!r} needs {name!r}, {parameter.meaning}, so nothing "
                        f"was published. Give it (command line: {option})."
                    )
                settings[name] = parameter.default
            else:
                settings[name] = parameter.checked(value, self.name)
        return settings


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
        number = float(value)
    except (TypeError, ValueError, OverflowError):
        return None
    if kind is int:
        return int(number) if number.is_integer() else None
    return number


K = Parameter(
    name="k",
    meaning="the smallest number of records in a cluster",
    kind=int,
)
EPSILON = Parameter(
    name="epsilon",
    meaning="the bound on the privacy loss of one record; smaller protects more",
    kind=float,
)
COLUMNS = Parameter(
    name="columns",
    meaning="the columns to publish; all but identifiers unless given",
    kind=tuple,
    default=None,
)
