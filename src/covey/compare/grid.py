"""Which plans are to be compared?  Every system with every epsilon and every k that it takes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import product
from typing import Any

from covey.errors import PlanError, suggest
from covey.systems import SYSTEMS, System


@dataclass(frozen=True, slots=True, kw_only=True)
class Trial:
    """One release to be made and measured.

    Parameters
    ----------
    system : str
        A name in `covey.SYSTEMS`.
    parameters : mapping
        What is set, without defaults.
    run : int
        The seed of its noise; several runs of the same plan are averaged.
    """

    system: str
    parameters: tuple[tuple[str, Any], ...]
    run: int = 0

    @property
    def settings(self) -> dict[str, Any]:
        """Return the parameters as keywords."""
        return dict(self.parameters)

    @property
    def label(self) -> str:
        """Return the plan in a few words."""
        given = [f"{name} = {value:g}" for name, value in self.parameters if name != "columns"]
        return ", ".join([self.system, *given])


def trials(
    systems: Sequence[str],
    *,
    data: str,
    epsilons: Sequence[float],
    ks: Sequence[int],
    runs: int,
    columns: Sequence[str] | None = None,
) -> tuple[Trial, ...]:
    """Return every combination that makes sense; a system without a k is tried once for all k.

    Parameters
    ----------
    systems : sequence of str
        Names in `covey.SYSTEMS`.
    data : "table" or "graph"
        What is to be published.
    epsilons, ks : sequence
        Values to try.
    runs : int
        How often to repeat a system with noise.
    columns : sequence of str, optional
        What to publish.
    """
    found: list[Trial] = []
    for name in dict.fromkeys(systems):
        system = _checked(name, data)
        known = {parameter.name for parameter in system.parameters}
        axes = [
            [("epsilon", epsilon) for epsilon in epsilons] if "epsilon" in known else [None],
            [("k", k) for k in ks] if "k" in known else [None],
        ]
        chosen = [("columns", tuple(columns))] if columns and "columns" in known else []
        for point in product(*axes):
            given = (*(pair for pair in point if pair is not None), *chosen)
            repeats = 1 if system.deterministic else runs
            found += [Trial(system=name, parameters=given, run=run) for run in range(repeats)]
    return tuple(found)


def _checked(name: str, data: str) -> System:
    if name not in SYSTEMS:
        raise PlanError(
            f"there is no system {name!r}, so nothing was compared. {suggest(name, SYSTEMS)}"
        )
    if SYSTEMS[name].data != data:
        raise PlanError(
            f"system {name!r} does not publish a {data}, so nothing was compared. Choose among "
            f"{', '.join(system.name for system in SYSTEMS.values() if system.data == data)}."
        )
    return SYSTEMS[name]
