"""What do the texts of a column look like: codes of a hierarchy, telephone numbers, free text?"""

from __future__ import annotations

import re
from collections.abc import Sequence

MISSING_WORDS = frozenset(
    re.split(
        r"\s*\|\s*",
        "na|n/a|n.a.|n. a.|nan|null|#n/a|#na|#null!|#value!|missing|.|..|-|--|?|k.a.|k. a.|"
        "keine angabe|not available|no answer|sin dato|non disponible|n.d.|(missing)",
    )
)
"""What people write for "no value" and for nothing else, in small letters."""

MISSING_AMONG_NUMBERS = MISSING_WORDS | frozenset(
    re.split(
        r"\s*\|\s*",
        "none|nil|unknown|unbekannt|weiss nicht|weiß nicht|w.n.|not applicable|refused|don't know|"
        "dk|nc|nd|ka|verweigert|entfällt|trifft nicht zu|inapplicable",
    )
)
"""What stands for "no value" where all others are numbers."""

MISSING_NUMBERS = (-9.0, -99.0, -999.0, -9999.0, -8.0, -88.0, -7.0, -77.0, -97.0, -98.0, -1.0)
"""Negative numbers that stand for "no value" where all others are at least 0."""

_CODES = {
    "ICD": re.compile(r"[A-TV-Z][0-9][0-9A-B](\.?[0-9A-TV-Z]{0,4})?[!*†]?"),
    "NUTS": re.compile(r"[A-Z]{2}[0-9A-Z]{1,3}"),
    "NACE": re.compile(r"([A-U]|[A-U]?[0-9]{2}(\.[0-9]{1,2}(\.[0-9]{1,2})?)?)"),
    "digit codes": re.compile(r"0[0-9]{2,7}|[0-9]{3,8}"),
}
_PHONE = re.compile(r"(?<![0-9])(\+|00?)?[0-9][0-9 ()/.-]{5,}[0-9](?![0-9])")
_MAIL = re.compile(r"[^@\s]+@[^@\s]+\.[a-zA-Z]{2,}")
_DATE = re.compile(r"[0-9]{1,4}[-./][0-9]{1,2}[-./][0-9]{1,4}([T ].*)?")
_FREE_LENGTH, _FREE_WORDS = 25, 4
_DISTINCT = 0.3


def hierarchy_of(values: Sequence[str]) -> str | None:
    """Return which kind of codes that begin alike these are, if they are some."""
    texts = [text.strip() for text in values]
    lengths = {len(text) for text in texts}
    for kind, pattern in _CODES.items():
        fitting = sum(bool(pattern.fullmatch(text)) for text in texts)
        if fitting < max(3, 0.95 * len(texts)):
            continue
        if kind == "digit codes" and (len(lengths) > 1 or not any(t[0] == "0" for t in texts)):
            continue  # ordinary numbers
        firsts = {text[:2] for text in texts}
        if len(firsts) < len(texts):
            return kind
    return None


def private_text(values: Sequence[str], n: int) -> str | None:
    """Return in words why the distinct texts of n records may name people, or None."""
    texts = [text.strip() for text in values]
    if any(_MAIL.search(text) for text in texts):
        return "addresses of electronic mail stand in it"
    if any(_has_phone(text) for text in texts):
        return "telephone numbers, or numbers like them, stand in it"
    long = sum(len(t) >= _FREE_LENGTH and len(t.split()) >= _FREE_WORDS for t in texts)
    if long > len(texts) / 2 and len(texts) > _DISTINCT * n > 1:
        return "it is free text, in which anything about anybody can stand"
    return None


def _has_phone(text: str) -> bool:
    if _DATE.fullmatch(text):
        return False
    found = _PHONE.search(text)
    digits = re.sub(r"[^0-9]", "", found[0]) if found else ""
    written = found is not None and (found[1] or re.search(r"[ ()/-]", found[0]))
    return bool(written) and 7 <= len(digits) <= 15 and not _DATE.search(text)  # noqa: PLR2004
