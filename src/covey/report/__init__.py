"""Step 8, report: what people read about a release, and what machines read."""

from __future__ import annotations

from covey.release.folder import Maker
from covey.report.card import card, card_schema, card_text
from covey.report.curator import curator_report
from covey.report.public import public_report

__all__ = ["DOCUMENTS", "card", "card_schema", "curator_report", "public_report"]

DOCUMENTS: dict[str, Maker] = {
    "card.json": card_text,
    "report.html": public_report,
}
"""What stands in a release folder beside the data, and what makes it."""
