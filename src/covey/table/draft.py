"""What schema would a person start from, and which parts of it must she still confirm?

Each proposal has its reasons in words.  They are for whoever holds the data: they are shown by
``covey schema`` and kept as comments in its file, and no release repeats them.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import polars as pl

from covey.errors import DataError
from covey.table.attribute import Attribute, Missing, Role, Scale
from covey.table.column_words import (
    is_code,
    is_counting,
    is_entity,
    is_identifying,
    is_kind,
    is_of_entity,
    is_personal,
    is_postcode,
)
from covey.table.dialect import Dialect
from covey.table.draft_moments import ambiguous_dates, draft_moments, said_of_moments
from covey.table.draft_numbers import draft_number, numbers_among, taken_for_missing
from covey.table.dtypes import is_unusual
from covey.table.ordered_words import known_order
from covey.table.proposed_taxonomies import BEGIN_ALIKE
from covey.table.schema import Schema
from covey.table.value_shapes import (
    MISSING_WORDS,
    hierarchy_of,
    private_text,
    unit_after_numbers,
)

if TYPE_CHECKING:
    from covey.table.sources import RawTable

MOST_CATEGORIES = 100
"""Of a text column with more distinct values than this, the frequent ones are proposed."""

LISTED = 50
"""So many of them."""

OTHER_VALUES = "other"
_MANY = 20
"""Fewer records than this tell nothing by being all different."""

_FEW_NAMES = 10
"""Records of which so few values are called identifiers are in groups, not named."""

_FEW_GROUPS = 20
"""Whole numbers of which no more occur may stand for groups."""

_NEARLY_ALL = 0.9
REPEATED = (
    "Values occur several times: somebody has several records. A promise protects one record, not "
    'all records of a person, unless this column says whose a record is: role = "person", with '
    "contributions, a public bound on the records of one."
)


@dataclass(frozen=True, slots=True)
class Proposal:
    """What a draft says of a column, and why."""

    attribute: Attribute
    reasons: tuple[str, ...] = ()


def draft_raw(found: RawTable) -> Schema:
    """Draft a schema of a table as it was found, with its own dictionary if it has one."""
    drafted = draft_schema(found.frame, found.reading)
    for name, labels in found.labels.items():
        drafted = _with_labels(drafted, name, labels, ordered=name in found.ordered)
    for name, text in found.descriptions.items():
        drafted = drafted.updated(name, description=text)
    return replace(drafted, reading=found.reading)


def draft_schema(frame: pl.DataFrame, reading: Dialect | None = None) -> Schema:
    """Draft a schema from a frame, marking everything that was read off the data.

    Parameters
    ----------
    frame : DataFrame
        The records.
    reading : Dialect, optional
        How numbers are written that stand among words for "no value".
    """
    if not frame.columns:
        raise DataError(
            "the table has no columns, so there is nothing to describe. Check the file."
        )
    if not frame.height:
        raise DataError(
            "the table is empty: it has columns and no records, so nothing about them can be "
            "drafted. Check the file."
        )
    proposals = [_propose(frame[name], reading or Dialect()) for name in frame.columns]
    return Schema(
        tuple(each.attribute for each in proposals),
        reasons={each.attribute.name: each.reasons for each in proposals if each.reasons},
    )


def _propose(column: pl.Series, reading: Dialect) -> Proposal:
    name = column.name
    if _names_records(column):
        return _identifier(column)
    if column.null_count() == len(column):
        return _hidden(name, "No record has a value, so there is nothing to publish.")
    if column.dtype.is_numeric() and not _names_groups(column):
        return _number(column, ())
    moments = draft_moments(column)
    if moments is not None:
        return Proposal(moments, said_of_moments(column, moments))
    if is_unusual(column.dtype):
        why = "Covey cannot publish what it holds, so it is left out."
        return Proposal(Attribute(name, role=Role.IDENTIFIER, scale=Scale.NOMINAL), (why,))
    return _words(column.cast(pl.String), reading)


def _names_groups(column: pl.Series) -> bool:
    """Return whether whole numbers are names: postcodes, codes of a classification, groups."""
    if not column.dtype.is_integer():
        return False
    if is_postcode(column.name) or is_code(column.name):
        return True
    return is_kind(column.name) and column.n_unique() <= _FEW_GROUPS


def _words(texts: pl.Series, reading: Dialect) -> Proposal:
    """Propose for texts, of which some may stand for missing values."""
    numbers, words = numbers_among(texts, reading)
    named = is_postcode(texts.name) or is_code(texts.name) or is_kind(texts.name)
    if numbers is not None and words and not named:
        return _number(numbers, words)
    codes = _codes(texts)
    if not codes:
        return _texts(texts, ())
    left = texts.set(texts.str.strip_chars().is_in(codes), None)
    moments = draft_moments(left)
    if moments is None:
        return _texts(left, codes)
    marks = (*moments.drafted, "missing_codes")
    moments = replace(moments, missing_codes=codes, missing=Missing.CATEGORY, drafted=marks)
    return Proposal(moments, (taken_for_missing(codes), *said_of_moments(left, moments)))


def _hidden(name: str, why: str) -> Proposal:
    marks = ("role", "scale")
    hidden = Attribute(name, role=Role.IDENTIFIER, scale=Scale.NOMINAL, drafted=marks)
    return Proposal(hidden, (why,))


def _names_records(column: pl.Series) -> bool:
    """Return whether a column is called an identifier, and can be one.

    A phone that one has or has not names nobody, nor does a `PID` (party, process) of seven
    values among a thousand records; a household does, if there are many.
    """
    several = column.drop_nulls().n_unique()
    if is_identifying(column.name):
        most = 2 if is_personal(column.name) else _FEW_NAMES
        return len(column) < _MANY * several or several > most
    whom = is_entity(column.name) or is_of_entity(column.name)
    return whom and several >= _MANY and _is_whole(column)


def _is_whole(column: pl.Series) -> bool:
    """Return whether a column holds no fractions: one gap makes floats of whole numbers."""
    return not column.dtype.is_float() or bool((column == column.round(0)).all())


def _identifier(column: pl.Series) -> Proposal:
    number = column.dtype.is_numeric()
    attribute = Attribute(
        column.name,
        role=Role.IDENTIFIER,
        scale=Scale.NUMERIC if number else Scale.NOMINAL,
        integer=column.dtype.is_integer(),
        drafted=("integer", "scale") if number else (),
    )
    why = "Its name says that it names people or records, so it is not published."
    known = column.drop_nulls()
    # Two people may share a name, and a household its address.
    repeated = known.n_unique() < len(known) and not is_personal(column.name)
    return Proposal(attribute, (why, REPEATED) if repeated else (why,))


def _number(column: pl.Series, codes: tuple[str, ...]) -> Proposal:
    why = _numbers_rows(column)
    if why is not None:
        attribute = Attribute(
            column.name,
            role=Role.IDENTIFIER,
            integer=True,
            drafted=("integer", "role", "scale"),
        )
        return Proposal(attribute, (why,))
    return Proposal(*draft_number(column, codes))


def _numbers_rows(column: pl.Series) -> str | None:
    """Return why whole numbers name records rather than measuring something."""
    if column.null_count() or not len(column) or not _is_whole(column):
        return None
    n = len(column)
    if n >= _MANY // 4 and column[0] in (0, 1) and (column.diff().drop_nulls() == 1).all():
        return "It counts the rows from the first to the last, so it is not published."
    if n < _MANY or column.n_unique() < n:
        return None
    if is_counting(column.name):
        return "Every record has another number, and its name says so, so it is not published."
    long = bool((column.abs() >= 10**5).all())
    if long and column.dtype.is_integer() and column.is_sorted():
        return "Every record has another long number, in rising order: it looks like a key."
    return None


def _codes(texts: pl.Series) -> tuple[str, ...]:
    """Return words that stand for a missing value among texts."""
    values = texts.drop_nulls().str.strip_chars().unique().to_list()
    found = sorted(text for text in values if text.casefold() in MISSING_WORDS)
    others = [text for text in values if text not in found]
    alike = others and all(len(text) == 2 and text.isupper() for text in others)  # noqa: PLR2004
    # Among codes of two capitals, NA is one of them: Namibia.
    return tuple(text for text in found if not (alike and text == "NA"))


def _texts(texts: pl.Series, codes: tuple[str, ...]) -> Proposal:
    name, known = texts.name, texts.drop_nulls()
    values = sorted(known.unique().to_list())
    why = _left_out(name, known, values)
    if why is not None:
        return _hidden(name, why)
    reasons = []
    ordered = known_order(values)
    unknown = None
    hierarchy = hierarchy_of(values, name)
    if is_postcode(name):
        reasons.append("Postcodes are names of places: their digits are no quantity.")
    elif values and (is_code(name) or is_kind(name)) and all(map(str.isdigit, values)):
        values = sorted(values, key=lambda text: (len(text), text))
        reasons.append(
            "Its name speaks of groups, so its numbers are taken for their names: they are counted "
            'and not averaged. Write scale = "numeric" and bounds if they are quantities.'
        )
    if hierarchy is not None and len(values) > _MANY:
        reasons.append(
            f"{BEGIN_ALIKE} ({hierarchy}): a taxonomy keeps neighbours together. `covey schema -o` "
            f"writes one beside the schema."
        )
    hint = _hint(name, known, values)
    if hint is not None:
        reasons.append(hint)
    if len(values) > MOST_CATEGORIES:
        values, unknown = _frequent(known), OTHER_VALUES
        reasons.append(
            f"Too many values to list: the {LISTED} most frequent are proposed, and all others "
            f"count as {OTHER_VALUES!r}. Replace them by a public list."
        )
    if codes:
        reasons.append(taken_for_missing(codes))
    gaps = bool(texts.null_count())
    facts = ["categories", "missing", "role", "scale"]
    facts += ["missing_codes"] * bool(codes) + ["unknown"] * (unknown is not None)
    if ordered is not None and unknown is None:
        reasons.append("Its values have an order that everybody knows; lowest first.")
        values = list(ordered)
    return Proposal(
        Attribute(
            name,
            scale=Scale.NOMINAL if ordered is None else Scale.ORDINAL,
            categories=tuple(values) or None,
            missing=Missing.CATEGORY if gaps else Missing.REFUSE,
            missing_codes=codes,
            unknown=unknown,
            drafted=tuple(facts),
        ),
        tuple(reasons),
    )


def _hint(name: str, known: pl.Series, values: list[str]) -> str | None:
    """Say what the texts would rather be, which nobody but a person can decide."""
    if ambiguous_dates(known):
        return (
            "They look like dates, and nobody can tell whether the day or the month stands first. "
            'Write kind = "date" with format = "%d/%m/%Y" or "%m/%d/%Y", and bounds.'
        )
    unit = unit_after_numbers(values)
    if unit is None or len(values) <= _FEW_GROUPS:
        return None
    return (
        f"They are numbers followed by {unit!r}, which are read as texts. Take it away from the "
        f"file to publish {name} as a number with a mean."
    )


def _frequent(known: pl.Series) -> list[str]:
    """Return the most frequent values, ties by content, and the place of all others."""
    counts = known.value_counts(name="(count)").sort(
        ["(count)", known.name], descending=[True, False]
    )
    return sorted({*counts.head(LISTED)[known.name].to_list(), OTHER_VALUES})


def _left_out(name: str, known: pl.Series, values: list[str]) -> str | None:
    """Return why texts are left out: they name people or records, or tell nothing."""
    private = private_text(values, len(known))
    if private is not None:
        return f"It is not published: {private}."
    n = len(known)
    if len(values) == 1 and n > 1:
        return (
            "All records have the same value, so publishing it tells nothing and it is left out. "
            "State categories and a role if it can vary."
        )
    if n >= _MANY and len(values) == n:
        return "Every record has another value, so it names records and is not published."
    many = len(values) > MOST_CATEGORIES
    if (
        many
        and len(values) > _NEARLY_ALL * n
        and not (is_postcode(name) or hierarchy_of(values, name))
    ):
        return "Nearly every record has another value, so it names records and is not published."
    return None


def _with_labels(schema: Schema, name: str, labels: tuple[str, ...], *, ordered: bool) -> Schema:
    """Propose all labels of the file's own dictionary, in its order."""
    attribute = schema[name]
    if attribute.is_hidden or len(labels) < 2:  # noqa: PLR2004
        return schema
    scale = Scale.ORDINAL if ordered or attribute.scale is Scale.ORDINAL else Scale.NOMINAL
    lacking = attribute.missing is not Missing.REFUSE
    kept = tuple(label for label in labels if label not in attribute.missing_codes)
    changed = schema.updated(
        name,
        scale=scale,
        categories=kept,
        unknown=None,
        missing=Missing.CATEGORY if lacking else Missing.REFUSE,
    )
    why = "Its values are the labels of the file's own dictionary, in the order of their codes."
    return replace(changed, reasons={**schema.reasons, name: (why,)})
