"""What do tables ask?  The counts of all their cells, in one reading of the records."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from covey.core import Meter, Noisy
    from covey.systems.sound.tables.ask import AskedTables


def measure(meter: Meter, asked: AskedTables) -> list[Noisy]:
    """Spend the budget on the cells of each table."""
    meter.progress("tables: counting cells", 0, 2)
    counted = meter.counts_of(asked.questions, asked.shares)
    meter.progress("tables: making them agree", 1, 2)
    return counted
