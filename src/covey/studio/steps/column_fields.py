"""The fields of step 2 that change what is said of one column, or of several together."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from htmltools import Tag, TagChild

from covey.studio.describing import KINDS_OF_VALUES, kind_of_values, typed_bound
from covey.studio.state import State
from covey.studio.widgets import checkbox, select_field, text_field
from covey.table import Attribute, Missing, Role, Scale

ROLES = (
    (Role.IDENTIFIER, "identifier: never published"),
    (Role.PERSON, "person: whose records these are, never published"),
    (Role.QUASI_IDENTIFIER, "quasi-identifier: others may know it"),
    (Role.CONFIDENTIAL, "confidential"),
    (Role.NON_CONFIDENTIAL, "not confidential"),
    (Role.WEIGHT, "survey weight"),
)
GAP_CHOICES = (
    (Missing.CATEGORY, "is published as missing"),
    (Missing.REFUSE, "cannot happen; refuse if it does"),
    (Missing.DROP, "leaves its record out"),
    (Missing.IMPUTE, "is replaced by a fixed value"),
)
VARIOUS = "they differ"


def column_fields(state: State, columns: Sequence[Attribute], target: str) -> list[TagChild]:
    """Return the fields that make sense for all of these columns."""
    role = _choice("Role", "role", columns, target, lambda each: str(each.role), options=ROLES)
    if all(each.is_hidden for each in columns):
        return [role]
    kinds = {kind_of_values(each) for each in columns}
    choices = tuple(KINDS_OF_VALUES.items())
    values = _choice("Values are", "scale", columns, target, kind_of_values, options=choices)
    found: list[TagChild] = [role, values]
    if len(kinds) == 1:
        numeric = columns[0].scale is Scale.NUMERIC
        grades = all(each.is_numeric_ordinal and each.bounds is not None for each in columns)
        found += _ends(state, columns, target) if numeric or grades else []
        found += _of_numbers(columns, target) if numeric else []
        found += _of_names(state, columns, target) if not (numeric or grades) else []
    told = _missing_policy
    found.append(_choice("A missing value", "missing", columns, target, told, options=GAP_CHOICES))
    if any(each.missing is Missing.IMPUTE for each in columns) or _problem(
        state, target, "missing"
    ):
        found.append(_text("Stands for a missing value", "impute", columns, target, _shown_impute))
    found.append(
        _text(
            "Also means missing",
            "missing_codes",
            columns,
            target,
            lambda each: "; ".join(each.missing_codes),
            placeholder="-9; k. A.",
        )
    )
    if len(columns) == 1:
        found.append(_text("Meaning", "description", columns, target, lambda x: x.description))
    return found


def _problem(state: State, target: str, field: str) -> bool:
    return f"row-{target}-{field}" in state.problems


def _ends(state: State, columns: Sequence[Attribute], target: str) -> list[TagChild]:
    place = f"row-{target}-bounds"
    wrong = f"message-{place}" if place in state.problems else ""
    various = len({each.bounds for each in columns}) > 1
    return [
        text_field(
            label,
            f"{field}-{target}",
            "edit",
            f"{target}:{field}",
            value=typed_bound(state, columns, target, field),
            elsewhere=wrong,
            inputmode="decimal" if columns[0].kind is None else "text",
            placeholder=VARIOUS if various else "unknown",
        )
        for field, label in (("low", "Smallest"), ("high", "Largest"))
    ]


def _of_numbers(columns: Sequence[Attribute], target: str) -> list[TagChild]:
    moments = columns[0].kind is not None
    found: list[TagChild] = [
        _text(
            "Step",
            "step",
            columns,
            target,
            _shown_step,
            placeholder="1" if all(each.integer for each in columns) else "none",
            title="How far possible values are apart: 0.01 for prices in cents, or month.",
        )
    ]
    if moments:
        look = _text("Written as", "format", columns, target, lambda x: x.format or "")
        return [*found, look]
    return [
        _text("Unit", "unit", columns, target, lambda each: each.unit, placeholder="none"),
        *found,
        _text(
            "Special numbers",
            "special",
            columns,
            target,
            lambda each: "; ".join(each.told(value) for value in each.special or ()),
            placeholder="0; 99",
        ),
        checkbox(
            "only whole numbers",
            f"integer-{target}",
            "edit",
            f"{target}:integer",
            on=all(each.integer for each in columns),
        ),
    ]


def _of_names(state: State, columns: Sequence[Attribute], target: str) -> list[TagChild]:
    ordered = columns[0].scale is Scale.ORDINAL
    typed = state.problems.get(f"row-{target}-categories")
    shown = _common(columns, lambda each: "; ".join(each.categories or ()))
    found: list[TagChild] = [
        text_field(
            "Values, lowest first" if ordered else "Values",
            f"categories-{target}",
            "edit",
            f"{target}:categories",
            value=typed.typed if typed else shown or "",
            elsewhere=f"message-row-{target}-categories" if typed else "",
            placeholder=VARIOUS if shown is None else "one; another; a third",
            title="Separate values by semicolons.",
        ),
        _text(
            "All others count as",
            "unknown",
            columns,
            target,
            lambda each: each.unknown or "",
            placeholder="they are refused",
        ),
    ]
    if not ordered and state.taxonomies:
        options = [("", "none"), *((name, name) for name in state.taxonomies)]
        found.append(
            _choice(
                "Taxonomy", "taxonomy", columns, target, lambda x: x.taxonomy or "", options=options
            )
        )
    return found


def _common(columns: Sequence[Attribute], told: Callable[[Attribute], str]) -> str | None:
    texts = {told(each) for each in columns}
    return texts.pop() if len(texts) == 1 else None


def _choice(
    label: str,
    field: str,
    columns: Sequence[Attribute],
    target: str,
    told: Callable[[Attribute], str],
    *,
    options: Sequence[tuple[str, str]],
) -> Tag:
    value = _common(columns, told)
    listed = list(options) if value is not None else [("", VARIOUS), *options]
    return select_field(
        label, f"{field}-{target}", "edit", f"{target}:{field}", value=value or "", options=listed
    )


def _text(
    label: str,
    field: str,
    columns: Sequence[Attribute],
    target: str,
    told: Callable[[Attribute], str],
    *,
    placeholder: str = "",
    title: str | None = None,
) -> Tag:
    value = _common(columns, told)
    return text_field(
        label,
        f"{field}-{target}",
        "edit",
        f"{target}:{field}",
        value=value or "",
        placeholder=VARIOUS if value is None else placeholder,
        title=title,
    )


def _shown_step(attribute: Attribute) -> str:
    step = attribute.step
    return "" if step is None else f"{step:.15g}" if isinstance(step, float) else str(step)


def _shown_impute(attribute: Attribute) -> str:
    value = attribute.impute
    if value is None:
        return ""
    return f"{value:.12g}" if isinstance(value, float) else str(value)


def _missing_policy(attribute: Attribute) -> str:
    return str(attribute.missing)


def _taxonomy(attribute: Attribute) -> str:
    return attribute.taxonomy or ""
