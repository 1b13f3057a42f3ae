"""How do released rows come to obey the public rules of their schema?  Row by row.

Each row is changed by itself, as a function of its released values: post-processing.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import polars as pl

from covey.errors import PlanError, SchemaError
from covey.table import from_texts, from_values
from covey.table.attribute import MISSING_CATEGORY, Scale
from covey.table.rules import Rule, usable_rules

if TYPE_CHECKING:
    from collections.abc import Collection

    from covey.table import Attribute, Head, Schema

PASSES = 8
"""Mending one rule may break another; so often all are looked at again."""

TRIED_ROWS = 2_000
"""So many possible rows are tried to find out whether the rules can be obeyed together."""


def obeying(head: Head, frame: pl.DataFrame) -> pl.DataFrame:
    """Return rows that obey the rules about their columns, with the columns that rules compute."""
    rules = usable_rules(head.schema.parsed_rules, frame.columns)
    if not rules:
        return frame
    for rule in rules:
        if rule.derives and rule.derives not in frame.columns:
            frame = frame.with_columns(_typed(head, rule, rule.derives, frame))
    for _ in range(PASSES):
        before = frame
        for rule in rules:
            frame = _mended(head, rule, frame)
        if frame.equals(before):
            break
    return frame.select(name for name in head.schema.names if name in frame.columns)


def refuse_contradictory_rules(head: Head) -> None:
    """Refuse rules that possible rows cannot obey, before anything is asked."""
    schema = head.schema
    if not schema.rules:
        return
    known = [each for each in schema if _is_public(each) and each.name not in schema.derived]
    rng = np.random.default_rng(0)
    tried = pl.DataFrame([_possible(head, each, rng) for each in known])
    _refuse_set_twice(schema)
    try:
        found = obeying(head, tried)
        broken = [
            rule.text
            for rule in usable_rules(schema.parsed_rules, found.columns)
            if not rule.derives and found.select(rule.broken).to_series().any()
        ]
        empty = _computes_nothing(usable_rules(schema.parsed_rules, tried.columns), tried)
    except KeyError as error:
        raise SchemaError(
            f"a rule of the schema sets a column to {error.args[0]!r}, which is none of its "
            f"categories, so nothing was published. Correct the rule, or list it."
        ) from error
    except pl.exceptions.PolarsError as error:
        raise SchemaError(
            f"the rules of the schema compare or compute what has no meaning together "
            f"({type(error).__name__}), so nothing was published. Compare numbers with numbers, "
            f"texts with texts, and set categories to listed ones."
        ) from error
    if broken:
        raise SchemaError(
            f"the rules of the schema cannot all be obeyed: {broken[0]!r} stays broken for some "
            f"possible rows, so nothing was published. Correct it, or the bounds and categories "
            f"of its columns."
        )
    if empty is not None:
        raise SchemaError(
            f"the rule {empty!r} computes no finite number for any possible row, so nothing was "
            f"published. Correct it: it may divide by 0."
        )


def _refuse_set_twice(schema: Schema) -> None:
    """Refuse two rules that set one column for every record: one of them would be broken."""
    setting: dict[str, str] = {}
    for rule in schema.parsed_rules:
        if rule.derives and rule.derives in setting:
            raise SchemaError(
                f"the rules {setting[rule.derives]!r} and {rule.text!r} both set {rule.derives!r} "
                f"for every record, so one of them would be broken and nothing was published. "
                f"Keep one of them, or give them conditions."
            )
        setting[rule.derives] = rule.text


def _computes_nothing(rules: Collection[Rule], tried: pl.DataFrame) -> str | None:
    """Return a rule that computes a number for no possible row."""
    for rule in rules:
        if rule.derives and rule.columns - {rule.derives} <= set(tried.columns):
            found = tried.select(rule.mended[rule.derives].alias("found"))["found"]
            if found.dtype.is_float() and not found.is_finite().any():
                return rule.text
    return None


def refuse_rules(schema: Schema, names: Collection[str]) -> None:
    """Refuse rules about columns that workers release one by one."""
    if usable_rules(schema.parsed_rules, names):
        raise PlanError(
            "the rules of the schema need whole rows, and this system's columns are made by "
            "Spark's workers one by one, so nothing was published. Use --engine memory or stream, "
            "another system, or leave the rules out."
        )


def _is_public(attribute: Attribute) -> bool:
    if attribute.is_hidden:
        return False
    listed = attribute.categories is not None or attribute.taxonomy is not None
    return listed or attribute.bounds is not None


def _possible(head: Head, attribute: Attribute, rng: np.random.Generator) -> pl.Series:
    if attribute.scale is Scale.NOMINAL:
        values = [value for value in head.domain(attribute.name) if value != MISSING_CATEGORY]
        return from_texts(head, attribute.name, rng.choice(values, TRIED_ROWS).tolist())
    low, high = attribute.public_bounds
    drawn = rng.uniform(low, high, TRIED_ROWS)
    drawn[: TRIED_ROWS // 8], drawn[-(TRIED_ROWS // 8) :] = low, high
    return from_values(head, attribute.name, rng.permutation(drawn))


def _mended(head: Head, rule: Rule, frame: pl.DataFrame) -> pl.DataFrame:
    broken = frame.select(rule.broken).to_series()
    if not broken.any():
        return frame
    changed = [
        frame[name].zip_with(~broken, _typed(head, rule, name, frame)) for name in rule.mended
    ]
    return frame.with_columns(changed)


def _typed(head: Head, rule: Rule, name: str, frame: pl.DataFrame) -> pl.Series:
    """Return what a rule makes of a column, in the column's type and on its steps."""
    value = rule.mended[name]
    found = frame.select(pl.lit(None).alias(" "), value.alias(name))[name]
    attribute = head.schema[name]
    if found.dtype.is_numeric() and attribute.kind is None and _is_number(attribute):
        low, high = attribute.bounds or (-np.inf, np.inf)
        numbers = found.cast(pl.Float64).fill_nan(None)
        typed = from_values(head, name, numbers.fill_null(low).clip(low, high).to_numpy())
        return typed.set(numbers.is_null(), None) if numbers.null_count() else typed
    if found.dtype == pl.String:
        return from_texts(head, name, found.fill_null(MISSING_CATEGORY).to_list())
    return found.cast(frame.schema[name] if name in frame.columns else head.dtype(name))


def _is_number(attribute: Attribute) -> bool:
    return attribute.scale is Scale.NUMERIC or attribute.is_numeric_ordinal
