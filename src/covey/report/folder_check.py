"""Does a release folder still say one thing: files, guarantee, card, report and ledger entry?"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, cast

from covey.errors import CoveyError
from covey.ledger import load_ledger
from covey.release import open_release
from covey.release.checksums import compare_checksums
from covey.release.folder import Published
from covey.release.paid import Payment, check_folders
from covey.report.card import card

_OWN = ("curator", "version")
"""What a card says beside the release: who is responsible, and which covey wrote it."""


def check_release(folder: str | Path, *, ledger: str | Path | None = None) -> tuple[str, ...]:
    """Return what is wrong with a release folder, a sentence for each; nothing if all is well.

    Parameters
    ----------
    folder : path
        What `covey publish` wrote.
    ledger : path, optional
        The ledger that should have paid for it.
    """
    folder = Path(folder)
    saved = open_release(folder)
    found = compare_checksums(folder)
    try:
        written = json.loads((folder / "card.json").read_text(encoding="utf-8"))
        told = json.loads(json.dumps(card(cast("Published", saved))))
    except (OSError, ValueError, CoveyError):
        found.append("card.json cannot be read, so it cannot be compared with the guarantee.")
    else:
        found += _differences(written, told)
    try:
        names = saved.scan().collect_schema().names()
        missing = [name for name in saved.guarantee.columns if name not in names]
        found += [f"The guarantee covers {name!r}, which is no column." for name in missing]
    except Exception:  # noqa: BLE001 — a reader's own words may quote values
        found.append("The published rows cannot be read.")
    if ledger is not None:
        checked = check_folders(load_ledger(ledger), [folder])
        found += [each.words for each in checked if each.payment is not Payment.PAID]
    return tuple(found)


def _differences(written: Any, told: dict[str, Any]) -> list[str]:
    if not isinstance(written, dict):
        return ["card.json is no card."]
    wrong = [
        key
        for key, value in told.items()
        if key not in _OWN and key in written and written[key] != value
    ]
    return [f"card.json says something else about {key.replace('_', ' ')}." for key in wrong]
