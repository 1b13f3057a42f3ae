"""A sound system on a table in memory, step by step, with a source of noise of the test's own."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from covey.core import Bill, Meter
from covey.engines.memory.engine import MemoryEngine
from covey.plan import Plan
from covey.publish import publish_with
from covey.systems import SYSTEMS, SoundSystem
from covey.systems.base import as_mapping

if TYPE_CHECKING:
    from covey.core import NoiseSource
    from covey.release import Release, Trace
    from covey.systems import Built


def built(name: str, data: Any, source: NoiseSource, **parameters: Any) -> tuple[Built, Bill]:
    """Ask, measure and build; return what would be written, and what was paid for it."""
    system, engine = SYSTEMS[name], MemoryEngine(data)
    assert isinstance(system, SoundSystem)
    settings = system.settings(parameters)
    unit = system.unit if system.unit_of is None else system.unit_of(settings)
    column = getattr(settings, system.public_column) if system.public_column else ""
    asked = system.ask(engine.head(unit, column), settings)
    bill = Bill(unit=unit, budget=asked.budget)
    measured = system.measure(Meter(engine.records, bill, source), asked)
    return system.build(asked, measured, source.placement()), bill


def published(
    name: str, data: Any, source: NoiseSource, **parameters: Any
) -> tuple[Release, Trace]:
    """Publish as `covey.publish` does, with a source of noise of the test's own."""
    system, engine = SYSTEMS[name], MemoryEngine(data)
    settings = system.settings(parameters)
    plan = Plan(system=name, parameters=as_mapping(settings), schema=engine.schema)
    return publish_with(engine, system, settings, plan, source)
