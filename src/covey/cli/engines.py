"""Which options belong to which engine?"""

from __future__ import annotations

from typing import Any

from covey.errors import PlanError

_TAKEN = {"memory": (), "stream": ("memory",), "spark": ("master", "staging")}


def refuse_idle_engine_options(engine: str, **given: Any) -> None:
    """Refuse an option that the chosen engine would not look at."""
    for name, value in given.items():
        if value is not None and name not in _TAKEN.get(engine, given):
            wanted = next(each for each, taken in _TAKEN.items() if name in taken)
            raise PlanError(
                f"--{name} belongs to --engine {wanted}, and the engine is {engine!r}, so it would "
                f"mean nothing and nothing was done. Leave it out, or say --engine {wanted}."
            )


def given_engine_options(**options: Any) -> dict[str, Any]:
    """Return the options that were given; the engines have defaults for the others."""
    return {name: value for name, value in options.items() if value is not None}
