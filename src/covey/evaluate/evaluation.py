"""What was lost and what can still be found out?  For the curator's eyes only.

Every score is computed on the original records, so none of them may be published beside a
release with a differential guarantee.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

import numpy as np

from covey.errors import PlanError
from covey.evaluate.queries import QUERY_METRICS, range_query_error
from covey.evaluate.risk import RISK_METRICS, k_achieved, l_diversity, record_linkage, t_closeness
from covey.evaluate.utility import (
    UTILITY_METRICS,
    column_scales,
    correlation_error,
    il1s,
    il1s_sum,
    il_percent,
    ks_by_column,
    mean_error,
    score_factors,
    sd_error,
    sse,
    variance_error,
    wasserstein_by_column,
)
from covey.graph import Graph
from covey.privacy import GuaranteeKind
from covey.release import Release, as_table
from covey.table import Role, Scale, Table

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from covey.evaluate.metric import Metric
    from covey.evaluate.utility import Scaling

METRICS: dict[str, Metric] = {**UTILITY_METRICS, **QUERY_METRICS, **RISK_METRICS}
QUERY_SEED = 20261115
"""Range queries are drawn from this seed, so that all releases answer the same ones."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Evaluation(Mapping[str, float]):
    """Scores by name; a score of one column is called ``ks[age]``.

    Parameters
    ----------
    scores : mapping
        Name to value.
    notes : tuple of str
        What was not computed, and why.
    outside_bounds : mapping
        How many values of each column were moved to a public bound.
    dropped : int
        How many incomplete records were left out.
    """

    scores: Mapping[str, float]
    notes: tuple[str, ...] = ()
    outside_bounds: Mapping[str, int] = field(default_factory=dict)
    dropped: int = 0

    def __getitem__(self, name: str) -> float:
        """Return a score."""
        return self.scores[name]

    def __iter__(self) -> Iterator[str]:
        """Iterate over the names of the scores."""
        return iter(self.scores)

    def __len__(self) -> int:
        """Return the number of scores."""
        return len(self.scores)


def evaluate(
    data: Table | Graph,
    release: Release,
    *,
    scaling: Scaling = "standard",
    baseline: Release | None = None,
) -> Evaluation:
    """Compare a release with the records, or the graph, it was made from.

    Parameters
    ----------
    data : Table or Graph
        The originals.
    release : Release
        What was published.
    scaling : {"standard", "raw", "bounds"}
        What values are divided by before squared errors and linkage distances are taken:
        the standard deviation (paper 001), nothing, or the public width (paper 004).
    baseline : Release, optional
        Adds SSE_f, RL_f and Score of paper 004: the improvement over this release.

    Returns
    -------
    Evaluation
        A mapping from metric names (`covey.METRICS`, `covey.NETWORK_METRICS`) to numbers.
    """
    if isinstance(data, Graph):
        from covey.evaluate.network import evaluate_release

        return evaluate_release(data, release)
    if not isinstance(release, Release):
        raise PlanError(
            f"the rows of a {type(release).__name__} are not in memory, so they cannot be compared "
            f"here. Use `covey.stream.evaluate_stream`, or `covey.spark.evaluate`."
        )
    return _of_table(data, release, scaling, baseline)


def _of_table(
    table: Table, release: Release, scaling: Scaling, baseline: Release | None
) -> Evaluation:
    names = _numeric(table, release)
    scores: dict[str, float] = {}
    notes: list[str] = []
    if names:
        original = table.matrix(names)
        scales = column_scales(original, scaling, _bounds(table, names, scaling))
        released = as_table(table, release).matrix(names)
        scores |= _as_wholes(original, released, names)
        if release.aligned is None:
            notes.append(
                "Scores that compare record with record (sse, il1s, rl, …) need a release that "
                "was made in this session: a saved one holds no link to the original records."
            )
        else:
            aligned = replace(table, frame=release.aligned).matrix(names)
            scores |= _record_by_record(original, aligned, scales)
    if release.guarantee.kind is GuaranteeKind.K_ANONYMITY:
        scores |= _disclosure(table, release)
    if baseline is not None:
        other = _of_table(table, baseline, scaling, None)
        if "rl" in other and "rl" in scores:
            factors = score_factors(other["sse"], scores["sse"], other["rl"], scores["rl"])
            scores |= {"sse_f": factors.sse_f, "rl_f": factors.rl_f, "score": factors.score}
    return Evaluation(
        scores=scores,
        notes=tuple(notes),
        outside_bounds=table.outside_bounds(),
        dropped=table.dropped,
    )


def _numeric(table: Table, release: Release) -> list[str]:
    changed = release.guarantee.columns
    return [name for name in changed if table.schema[name].scale is not Scale.NOMINAL]


def _bounds(table: Table, names: list[str], scaling: Scaling) -> list[tuple[float, float]] | None:
    if scaling != "bounds":
        return None
    return [table.schema[name].public_bounds for name in names]


def _as_wholes(
    original: NDArray[np.float64], released: NDArray[np.float64], names: list[str]
) -> dict[str, float]:
    distances = ks_by_column(original, released)
    moves = wasserstein_by_column(original, released) / column_scales(original, "standard")
    rng = np.random.default_rng(QUERY_SEED)
    scores = {
        "mean_error": mean_error(original, released),
        "variance_error": variance_error(original, released),
        "sd_error": sd_error(original, released),
        "correlation_error": correlation_error(original, released),
        "ks": float(np.mean(distances)),
        "wasserstein": float(np.mean(moves)),
        "range_query_error": range_query_error(original, released, rng),
    }
    for name, distance, move in zip(names, distances, moves, strict=True):
        scores[f"ks[{name}]"] = float(distance)
        scores[f"wasserstein[{name}]"] = float(move)
    return scores


def _record_by_record(
    original: NDArray[np.float64], aligned: NDArray[np.float64], scales: NDArray[np.float64]
) -> dict[str, float]:
    return {
        "sse": sse(original, aligned, scales),
        "il_percent": il_percent(original, aligned, scales),
        "il1s": il1s(original, aligned),
        "il1s_sum": il1s_sum(original, aligned),
        "rl": record_linkage(original, aligned, scales),
    }


def _disclosure(table: Table, release: Release) -> dict[str, float]:
    published = as_table(table, release)
    quasi = np.column_stack([published.values(name) for name in release.guarantee.columns])
    scores: dict[str, float] = {"k_achieved": k_achieved(quasi)}
    confidential = table.schema.with_role(Role.CONFIDENTIAL)
    for attribute in confidential:
        name = attribute.name
        values = published.values(name)
        ordered = attribute.scale is not Scale.NOMINAL
        scores[f"l_diversity[{name}]"] = l_diversity(quasi, values)
        scores[f"t_closeness[{name}]"] = t_closeness(quasi, values, ordered=ordered)
    if confidential:
        names = [attribute.name for attribute in confidential]
        scores["l_diversity"] = min(scores[f"l_diversity[{name}]"] for name in names)
        scores["t_closeness"] = max(scores[f"t_closeness[{name}]"] for name in names)
    return scores
