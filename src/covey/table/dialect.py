"""How is a text file with a table in it written: the dialect of a CSV file, and who says so.

What nobody states is detected (`covey.table.sniff`).  The same words are options of the command
line, keywords of `covey.read_table` and the ``[reading]`` part of a schema's file.
"""

from __future__ import annotations

import codecs
from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from typing import Any

from covey.errors import SchemaError, suggest

SEPARATORS = {
    "\t": "tabs",
    ";": "semicolons",
    "|": "vertical bars",
    ",": "commas",
    " ": "blanks",
}
"""What stands between fields; where several fit equally well, the first one is meant."""

THOUSANDS = (".", ",", "'", "’", " ", "\u00a0", "\u202f")
"""What stands between groups of three digits."""

_WORDS = {
    "tab": "\t",
    "\\t": "\t",
    "comma": ",",
    "semicolon": ";",
    "bar": "|",
    "space": " ",
    "point": ".",
    "none": "",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Dialect:
    """How a file is read.  None means: to be detected.

    Parameters
    ----------
    encoding : str, optional
        How letters are written: ``utf-8``, ``utf-16``, ``cp1252``, …
    separator : str, optional
        What stands between fields.
    quote : str, optional
        What stands around texts that hold a separator; an empty text if nothing does.
    decimal : str, optional
        ``.`` or ``,``.
    thousands : str, optional
        What stands between groups of three digits; an empty text if nothing does.
    header : bool, optional
        Whether the first line holds names.
    skip : int, optional
        Lines before the table begins.
    sheet : str, optional
        Which sheet of a workbook.
    labels : bool, optional
        Whether a file of SPSS, Stata or SAS is read with its labels; with its codes if false.
    """

    encoding: str | None = None
    separator: str | None = None
    quote: str | None = None
    decimal: str | None = None
    thousands: str | None = None
    header: bool | None = None
    skip: int | None = None
    sheet: str | None = None
    labels: bool | None = None

    def __post_init__(self) -> None:
        """Settle words such as "tab", and refuse what no file can be read with."""
        for name in ("separator", "quote", "decimal", "thousands"):
            value = getattr(self, name)
            if isinstance(value, str):
                object.__setattr__(self, name, _WORDS.get(value.lower(), value))
        _check(self)

    @classmethod
    def of(cls, stated: Any) -> Dialect:
        """Read what a schema's file says under ``[reading]``."""
        known = {field.name for field in fields(cls)}
        if not isinstance(stated, Mapping):
            raise SchemaError(
                "[reading] is not a table of settings, so nobody knows how the data are read. "
                'Write lines such as `separator = ";"` below it.'
            )
        for key in stated:
            if key not in known:
                raise SchemaError(
                    f"[reading] has a setting {key!r} that means nothing here. "
                    f"{suggest(str(key), known)}"
                )
        return cls(**stated)

    def stated(self) -> dict[str, Any]:
        """Return what is not left to be detected, as plain TOML values."""
        every = {field.name: getattr(self, field.name) for field in fields(self)}
        return {name: value for name, value in every.items() if value is not None}

    def overridden(self, other: Dialect | None) -> Dialect:
        """Return this reading with what another one states put in its place."""
        return self if other is None else replace(self, **other.stated())

    @property
    def is_plain(self) -> bool:
        """Return whether nothing is unusual: UTF-8, commas, decimal points, a header."""
        usual = PLAIN_CSV.stated()
        return all(usual.get(name) == value for name, value in self.stated().items())

    def told(self) -> str:
        """Say in words how a file was read."""
        decimal = {",": "decimal commas", ".": "decimal points"}.get(self.decimal or "")
        groups = f"{self.thousands!r} between thousands" if self.thousands else None
        quote = f"{self.quote!r} around texts" if self.quote not in (None, '"') else None
        header = {True: "names in the first line", False: "no line with names"}
        parts = [
            (self.encoding or "").upper() or None,
            f"fields between {SEPARATORS.get(self.separator, repr(self.separator))}"
            if self.separator is not None
            else None,
            quote if self.quote != "" else "no quotes",
            decimal,
            groups,
            None if self.header is None else header[self.header],
            f"{self.skip} lines before it" if self.skip else None,
            None if self.sheet is None else f"the sheet {self.sheet!r}",
            {True: "labels where all values have one", False: "codes", None: None}[self.labels],
        ]
        return ", ".join(part for part in parts if part)


def _check(reading: Dialect) -> None:
    wrong: dict[str, tuple[bool, str]] = {
        "encoding": (
            _is_encoding(reading.encoding),
            "write the name of an encoding, such as utf-8, utf-16, cp1252 or latin-1",
        ),
        "separator": (
            _is_sign(reading.separator) and reading.separator not in ('"', ".", "\n", "\r"),
            "write one sign, such as ; or tab",
        ),
        "quote": (
            reading.quote == "" or _is_sign(reading.quote),
            "write one sign, or none",
        ),
        "decimal": (reading.decimal in (".", ","), "write . or ,"),
        "thousands": (
            reading.thousands in ("", *THOUSANDS),
            "write . or , or space or ', or none",
        ),
        "header": (isinstance(reading.header, bool), "write true or false"),
        "skip": (
            isinstance(reading.skip, int)
            and not isinstance(reading.skip, bool)
            and 0 <= reading.skip < 1000,  # noqa: PLR2004
            "write a whole number of lines below 1000",
        ),
        "sheet": (isinstance(reading.sheet, str), "write the name of a sheet"),
        "labels": (isinstance(reading.labels, bool), "write true or false"),
    }
    for name, (right, advice) in wrong.items():
        if getattr(reading, name) is not None and not right:
            raise SchemaError(
                f"the way to read a file has {name} = {getattr(reading, name)!r}, which means "
                f"nothing here; {advice}."
            )
    if reading.decimal is not None and reading.decimal == reading.thousands:
        raise SchemaError(
            f"the way to read a file has {reading.decimal!r} both before decimals and between "
            f"thousands, so no number could be read. Correct `decimal` or `thousands`."
        )
    if reading.separator is not None and reading.separator == reading.quote:
        raise SchemaError(
            f"the way to read a file has {reading.separator!r} both between fields and around "
            f"texts, so fields cannot be told apart. Correct `separator` or `quote`."
        )


def _is_sign(text: Any) -> bool:
    # The reader works on bytes.
    return isinstance(text, str) and len(text) == 1 and text.isascii()


def _is_encoding(name: Any) -> bool:
    try:
        return codecs.lookup(name)._is_text_encoding  # noqa: SLF001 — rot13 and base64 are none
    except (LookupError, TypeError):
        return False


PLAIN_CSV = Dialect(
    encoding="utf-8",
    separator=",",
    quote='"',
    decimal=".",
    thousands="",
    header=True,
    skip=0,
)
"""How covey itself writes a release."""
