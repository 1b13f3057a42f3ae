"""Step 8, report: every page, chart and word about releases, for people and for machines.

What draws and what fills templates is imported when the first document is made.
"""

from __future__ import annotations

from covey.report.card import card, card_schema
from covey.report.curator import curator_report
from covey.report.public import public_report

__all__ = ["card", "card_schema", "curator_report", "public_report"]
