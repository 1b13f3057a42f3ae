"""Is this release what its plan and its schema allow?"""

from __future__ import annotations

import warnings
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl

import covey
from benchmarks.soak.plans import Case
from covey.core import PrivacyUnit
from covey.errors import CoveyError, DraftWarning, InternalError
from covey.systems import SYSTEMS
from covey.table import Attribute, Missing, Scale
from covey.table.calendar import places
from covey.table.taxonomy import Taxonomy

DUST = 1e-9


class Fault(Exception):  # noqa: N818 — what a soak looks for
    """Something that must not be true of a release."""


def run_case(case: Case, place: Path) -> str:  # noqa: C901 — one look after the other
    """Publish and look: ``"released"`` or ``"refused: …"``; raise for what must not happen."""
    schema = {} if case.schema is None else {"schema": case.schema}
    engine = {} if case.engine == "memory" else {"engine": case.engine}
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        warnings.simplefilter("ignore", DraftWarning)
        try:
            release, trace = covey.publish(
                case.data, case.system, **schema, **engine, **case.settings, trace=True
            )
        except InternalError:
            raise
        except CoveyError as error:
            return f"refused: {error}"
        _check_guarantee(release, case)
        if SYSTEMS[case.system].data == "graph":
            _check_graph(release)
        elif SYSTEMS[case.system].releases == "rows" and case.settings.get("output") != "moments":
            _check_rows(release, case)
        else:
            _check_cells(release)
        if case.saved:
            folder = place / "release"
            release.save(folder)
            missing = {"guarantee.json", "plan.toml", "card.json", "report.html"} - {
                file.name for file in folder.iterdir()
            }
            if missing:
                raise Fault(f"the folder lacks {sorted(missing)}")
        try:
            if case.saved:
                covey.reopen(folder, _held(case))
            if case.measured:
                covey.evaluate(_held(case), release, trace)
        except InternalError:
            raise
        except CoveyError as error:
            return f"not evaluated: {error}"
    return "released"


def _held(case: Case) -> Any:
    return case.data if case.schema is None else covey.read_table(case.data, case.schema)


def _check_guarantee(release: Any, case: Case) -> None:
    guarantee = release.guarantee
    if guarantee.kind.is_differential_privacy:
        if guarantee.epsilon is None or not 0 < guarantee.epsilon < float("inf"):
            raise Fault(f"a guarantee with epsilon {guarantee.epsilon}")
        asked = case.settings.get("epsilon") or case.settings.get("threshold")
        if asked is not None and guarantee.rho is None and guarantee.epsilon > asked * (1 + DUST):
            raise Fault(f"epsilon {float(guarantee.epsilon)} where {asked} was asked for")
        if "random_state" in case.settings or "chosen_on_data" in case.settings:
            raise Fault("a differential promise of an experiment")
        if case.schema is not None and any(
            case.schema[name].relies_on_data for name in guarantee.columns
        ):
            raise Fault("a differential promise that relies on drafted facts")
    if not str(guarantee) or "nan" in str(guarantee).split():
        raise Fault(f"the sentence is {str(guarantee)!r}")


def _check_graph(release: Any) -> None:
    for name, frame in {"data": release.frame, **release.extras}.items():
        numbers = frame.select(pl.selectors.numeric())
        if numbers.null_count().sum_horizontal().sum() or not np.isfinite(numbers.to_numpy()).all():
            raise Fault(f"{name} of a graph has gaps")
        for column in set(frame.columns) & {"nodes", "edges", "degree", "degree_1", "degree_2"}:
            if (frame[column] < 0).any():
                raise Fault(f"{name}: {column} below 0")
    edges = release.extras.get("edges")
    if edges is not None and len(edges):
        low = edges.select(pl.min_horizontal("source", "target").alias("a"))["a"]
        high = edges.select(pl.max_horizontal("source", "target").alias("b"))["b"]
        if (low == high).any() or pl.DataFrame([low, high]).is_duplicated().any():
            raise Fault("released edges have loops or repeat themselves")


def _check_cells(release: Any) -> None:
    for name, frame in {"data": release.frame, **release.extras}.items():
        for column in frame.select(pl.selectors.float()).columns:
            if frame[column].is_nan().any() or frame[column].is_infinite().any():
                raise Fault(f"NaN or infinity in {column!r} of {name}")


def _check_rows(release: Any, case: Case) -> None:
    assert case.schema is not None  # noqa: S101 — it is a table
    assert case.frame is not None  # noqa: S101 — it is a table
    frame = release.frame
    named = case.settings.get("columns")
    unit = release.guarantee.unit
    if unit is not PrivacyUnit.ADD_REMOVE_RECORD and case.settings.get("unit") != "add-remove":
        sampled = case.system == "personalised"
        expected = len(_complete(case, named))
        if len(frame) != expected and not sampled:
            raise Fault(f"{len(frame)} rows of {expected}")
    if named is not None and case.system != "cross-moment":
        short = set(named) - set(frame.columns)
        if short:
            raise Fault(f"columns {sorted(short)} were asked for and are not there")
    bounded = case.settings.get("epsilon") is not None or case.system == "personalised"
    for name in frame.columns:
        _check_column(frame[name], case.schema[name], case, bounded=bounded)


def _complete(case: Case, named: Any) -> pl.DataFrame:
    """Return the records that nothing is missing of, where that means that they are left out."""
    assert case.schema is not None  # noqa: S101 — it is a table
    assert case.frame is not None  # noqa: S101 — it is a table
    names = case.schema.names if named is None else (*named, *case.settings.get("blocks", ()))
    drops = [name for name in names if case.schema[name].drops]
    return case.frame.drop_nulls(drops) if drops else case.frame


def _check_column(  # noqa: C901 — one look after the other
    values: pl.Series, attribute: Attribute, case: Case, *, bounded: bool
) -> None:
    name, gaps = attribute.name, values.null_count()
    if values.dtype.is_float():
        gaps += int(values.is_nan().sum() or 0)
    if gaps and attribute.missing is not Missing.CATEGORY:
        raise Fault(f"{gaps} gaps in {name!r}, which has missing = {attribute.missing}")
    values = values.drop_nulls()
    if attribute.is_named and attribute.kind is None:
        allowed = set(attribute.categories or ())
        if attribute.taxonomy is not None and case.schema is not None:
            taxonomy = Taxonomy.load(case.schema.folder / attribute.taxonomy)
            allowed |= set(taxonomy.concepts)
        wrong = set(values.cast(pl.String)) - allowed if allowed else set()
        if wrong:
            raise Fault(f"categories in {name!r} that are not on the list")
        return
    numbers = places(values, attribute) if attribute.kind is not None else values.to_numpy()
    numbers = numbers.astype(float)
    numbers = numbers[~np.isin(numbers, attribute.special_values)]
    numbers = numbers[~np.isnan(numbers)]
    if not np.isfinite(numbers).all():
        raise Fault(f"infinite values in {name!r}")
    if bounded and attribute.limits is not None and numbers.size and "paper" not in case.settings:
        low, high = attribute.limits
        slack = DUST * (abs(low) + abs(high))
        if numbers.min() < low - slack or numbers.max() > high + slack:
            raise Fault(f"values of {name!r} out of bounds")
    if attribute.is_whole and attribute.scale is Scale.NUMERIC and (numbers % 1).any():
        raise Fault(f"values of {name!r} are not whole")
    if attribute.step is not None and attribute.kind is None and numbers.size:
        moved = attribute.rounded(numbers)
        if (np.abs(moved - numbers) > DUST * (1 + np.abs(numbers))).any():
            raise Fault(f"values of {name!r} lie on no step")
