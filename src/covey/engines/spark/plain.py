"""Which systems that see the records have a form for Spark?"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Any

from covey.engines.spark.clusters import mdav_dp, microaggregated
from covey.engines.spark.ranking import individual_ranking
from covey.errors import PlanError, suggest

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

    from covey.core import Guarantee, NoiseSource
    from covey.engines.spark.deviations import Compare
    from covey.engines.spark.frame import SparkTable
    from covey.systems import PlainSystem, Progress

Form = Callable[
    ["SparkTable", Any, "NoiseSource", "Progress | None"],
    tuple["Guarantee", "DataFrame", "Compare"],
]
"""As `PlainSystem.run`, with a DataFrame in the place of a table.

Returns what the rows promise, the rows, and for the curator how records are compared with them.
"""

PLAIN: dict[str, Form] = {
    "individual-ranking": individual_ranking,
    "md": partial(microaggregated, method="md"),
    "mdav": partial(microaggregated, method="mdav"),
    "mdav-dp": mdav_dp,
    "v-mdav": partial(microaggregated, method="v-mdav"),
}
"""How each of them looks at a DataFrame; what it promises is the same as in memory."""


def form_of(system: PlainSystem) -> Form:
    """Return how a system looks at a DataFrame, or say that it cannot."""
    if system.name not in PLAIN:
        raise PlanError(
            f"system {system.name!r} has no form for Spark as it was asked for, so nothing was "
            f"published. Use the engine 'memory', or another system. {suggest(system.name, PLAIN)}"
        )
    return PLAIN[system.name]
