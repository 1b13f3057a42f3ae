"""What do the texts of a column look like: codes of a hierarchy, telephone numbers, free text?"""

from __future__ import annotations

import re
from collections.abc import Sequence

from covey.table.column_words import is_code, words_of

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

_ICD = re.compile(r"[A-TV-Z][0-9][0-9A-B](\.?[0-9A-TV-Z]{0,4})?[!*†]?")
_NUTS = re.compile(r"([A-Z]{2})[0-9A-Z]{1,3}")
_NACE = re.compile(r"([A-U]|[A-U]?[0-9]{2}(\.[0-9]{1,2}(\.[0-9]{1,2})?)?)")
_DIGITS = re.compile(r"[0-9]{3,8}")
_NUTS_COUNTRIES = (
    "AL AT BA BE BG CH CY CZ DE DK EE EL ES FI FR HR HU IE IS IT LI LT LU LV ME MK MT NL NO PL PT "
    "RO RS SE SI SK TR UK XK"
)
"""The countries of NUTS: airports are written alike, and are none."""

_SECTIONS = (
    *((1, "A"), (5, "B"), (10, "C"), (35, "D"), (36, "E"), (41, "F"), (45, "G"), (49, "H")),
    *((55, "I"), (58, "J"), (64, "K"), (68, "L"), (69, "M"), (77, "N"), (84, "O"), (85, "P")),
    *((86, "Q"), (90, "R"), (94, "S"), (97, "T"), (99, "U")),
)
"""With which division each section of NACE begins."""

_NAMED = {
    "ICD": frozenset({"icd", "diagnosis", "diagnose", "diag"}),
    "NACE": frozenset({"nace", "wz", "noga", "isic"}),
    "NUTS": frozenset({"nuts"}),
}
_MEASURED = re.compile(r"[+-]?[0-9][0-9.,' ]*?\s*([^\W\d_]{1,12}|[%€$£°])")
_PHONE = re.compile(r"(?<![0-9])(\+|00?)?[0-9][0-9 ()/.-]{5,}[0-9](?![0-9])")
_MAIL = re.compile(r"[^@\s]+@[^@\s]+\.[a-zA-Z]{2,}")
_DATE = re.compile(r"[0-9]{1,4}[-./][0-9]{1,2}[-./][0-9]{1,4}([T ].*)?")
_FREE_LENGTH, _FREE_WORDS = 25, 4
_DISTINCT = 0.3
_LOOKED_AT = 2_000
"""Characters of a text that are searched: a page without a blank would take minutes."""


def hierarchy_of(values: Sequence[str], name: str = "") -> str | None:
    """Return which kind of codes that begin alike these are, if they are some.

    Parameters
    ----------
    values : sequence of str
        The distinct values.
    name : str
        Of the column: it decides where codes of two kinds are written alike.
    """
    texts = [text.strip() for text in values]
    words = set(words_of(name))
    named = [kind for kind, known in _NAMED.items() if words & known]
    for kind in (*named, "NACE", "NUTS", "ICD", "digit codes"):
        fitting = sum(_fits(text, kind, said=kind in named) for text in texts)
        if fitting < max(3, 0.95 * len(texts)):
            continue
        if kind == "ICD" and not named and len({text[0] for text in texts}) == 1:
            dotted = sum("." in text for text in texts)
            if 2 * dotted < len(texts):
                continue  # the signs of aeroplanes, all from one country
        if kind == "digit codes":
            alike = len({len(text) for text in texts}) == 1
            if not alike or not (is_code(name) or any(text[0] == "0" for text in texts)):
                continue  # ordinary numbers
        firsts = {text[:2] for text in texts}
        if len(firsts) < len(texts):
            return kind
    return None


def _fits(text: str, kind: str, *, said: bool) -> bool:
    if kind == "ICD":
        return bool(_ICD.fullmatch(text))
    if kind == "digit codes":
        return bool(_DIGITS.fullmatch(text))
    if kind == "NUTS":
        found = _NUTS.fullmatch(text)
        place = found is not None and found[1] in _NUTS_COUNTRIES
        return place and (said or any(map(str.isdigit, text)))
    if not _NACE.fullmatch(text):
        return False
    if said or not text[0].isalpha():
        return said or "." in text
    # A letter and a division say the same thing twice: C10 is food, F10 is none.
    return len(text) == 1 or text[0] == _section(int(text[1:3]))


def _section(division: int) -> str:
    return next((letter for first, letter in reversed(_SECTIONS) if first <= division), "")


def unit_after_numbers(values: Sequence[str]) -> str | None:
    """Return what stands after the numbers of texts, if the same stands after all.

    Examples
    --------
    >>> unit_after_numbers(["10,5 %", "3 %"]), unit_after_numbers(["A1", "B1"])
    ('%', None)
    """
    found = {_MEASURED.fullmatch(text.strip()) for text in values}
    units = {each and each[1] for each in found}
    return next(iter(units)) if len(units) == 1 else None


def private_text(values: Sequence[str], n: int) -> str | None:
    """Return in words why the distinct texts of n records may name people, or None."""
    texts = [text.strip()[:_LOOKED_AT] for text in values]
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
