"""How much protection does each node ask for?

Preferences are the epsilons that nodes allow, public, in thousandths: rounded down, which can only
add noise, so that few different scales occur.
"""

from __future__ import annotations

from decimal import Decimal
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np

from covey.errors import PlanError
from covey.graph.preferences import listed_preferences, privacy_preferences, read_preferences
from covey.systems.base import setting

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from covey.graph import Graph
    from covey.graph.head import GraphHead

PAPER = "paper"
PARTS = 1000
"""Preferences are whole numbers of these parts of 1."""


def _read_source(value: Any) -> str | None:
    return str(value) if isinstance(value, str | Path) and str(value) else None


def preferences_setting() -> Any:
    """Declare where the preferences of nodes come from."""
    return setting(
        "the epsilon that each node allows: a CSV file with the columns node and epsilon, or "
        "the word paper, which draws them as the experiments of paper 002 do",
        read=_read_source,
        form="the name of a CSV file, or the word paper",
        file=True,
    )


def preference_seed_setting() -> Any:
    """Declare the seed of the paper's preferences."""
    return setting(
        "the public seed that preferences are drawn with if they are the paper's",
        default=0,
        at_least=0,
    )


class Preferred(Protocol):
    """Settings that say where preferences come from."""

    @property
    def preferences(self) -> str:
        """Return the name of a file, or the word paper."""
        ...

    @property
    def preference_seed(self) -> int:
        """Return what the paper's preferences are drawn with."""
        ...


def preference_parts(graph: Graph | GraphHead, settings: Preferred) -> NDArray[np.int64]:
    """Return the preference of each node in thousandths, rounded down.

    The paper's specification looks at the number of nodes alone, never at an edge.
    """
    if settings.preferences == PAPER:
        epsilons = privacy_preferences(graph, random_state=settings.preference_seed)
    else:
        epsilons = read_preferences(settings.preferences, graph)
    return _parts(epsilons)


def listed_parts(settings: Preferred) -> dict[str, float]:
    """Return the preference of each node that a file lists, rounded down to thousandths."""
    listed = listed_preferences(settings.preferences)
    parts = _parts(np.array([*listed.values()]))
    return dict(zip(listed, (parts / PARTS).tolist(), strict=True))


def _parts(epsilons: NDArray[np.float64]) -> NDArray[np.int64]:
    # As decimals, so that 0.57 is 570 thousandths and not the 569 of its nearest float.
    parts = np.array([int(Decimal(str(e)).scaleb(3)) for e in epsilons.tolist()], dtype=np.int64)
    if (parts < 1).any():
        raise PlanError(
            f"a preference is below {1 / PARTS:g}, which is rounded down to nothing, so no noise "
            f"would do. Give preferences of at least {1 / PARTS:g}."
        )
    return parts
