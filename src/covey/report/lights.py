"""When is a score good, fair or poor?  Traffic lights with thresholds that are stated.

The thresholds are conventions for a first look, not part of any guarantee.  A score whose size
depends on the number of records or edges has none.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from covey.evaluate import Metric


@dataclass(frozen=True, slots=True, kw_only=True)
class Light:
    """The colour of a score, and why.

    Parameters
    ----------
    colour : "green", "amber", "red" or "grey"
        Grey where there is no threshold.
    word : str
        The colour for those who do not see it.
    thresholds : str
        From where to where each colour goes.
    """

    colour: str
    word: str
    thresholds: str


THRESHOLDS: dict[str, tuple[float, float]] = {
    "il_percent": (10.0, 40.0),
    "il1s": (0.1, 0.3),
    "mean_error": (0.1, 0.5),
    "variance_error": (0.1, 0.5),
    "sd_error": (0.05, 0.25),
    "correlation_error": (0.05, 0.2),
    "ks": (0.05, 0.15),
    "wasserstein": (0.1, 0.3),
    "tv_1way": (0.05, 0.15),
    "tv_2way": (0.1, 0.25),
    "tv_3way": (0.15, 0.35),
    "association_error": (0.05, 0.2),
    "sse_f": (1.0, 0.5),
    "score": (1.0, 0.5),
    "range_query_error": (0.02, 0.05),
    "auc_logistic": (0.8, 0.65),
    "auc_boosted": (0.8, 0.65),
    "accuracy_logistic": (0.8, 0.6),
    "accuracy_boosted": (0.8, 0.6),
    "rl": (5.0, 20.0),
    "rl_f": (1.0, 0.5),
    "k_achieved": (5.0, 3.0),
    "l_diversity": (3.0, 2.0),
    "t_closeness": (0.2, 0.4),
    "ks_1k": (0.05, 0.15),
    "ks_2k": (0.05, 0.15),
    "average_degree_error": (0.05, 0.2),
    "max_degree_error": (0.1, 0.5),
    "assortativity_error": (0.05, 0.2),
    "local_clustering_error": (0.05, 0.2),
    "global_clustering_error": (0.05, 0.2),
    "triangles_error": (0.1, 0.5),
    "components_error": (0.1, 0.5),
    "largest_component_error": (0.05, 0.2),
    "path_length_error": (0.1, 0.5),
    "spectral_radius_error": (0.1, 0.5),
    "spectral_gap_error": (0.1, 0.5),
    "preserved_edges": (0.9, 0.6),
}
"""To where a score is green, and to where amber; read in the direction in which it improves."""


PARTLY = Light(colour="grey", word="over some columns only", thresholds="see which")


def light(metric: Metric, value: float, *, partly: bool = False) -> Light:
    """Return the light of a score.

    Parameters
    ----------
    metric : Metric
        Which score it is.
    value : float
        The score.
    partly : bool
        Whether scores that compare record with record were measured over some columns only: what
        is good there may be poor over all.
    """
    if partly and metric.aligned:
        return PARTLY
    return threshold_light(metric.name, value, lower=metric.better == "lower")


def threshold_light(name: str, value: float, *, lower: bool = True) -> Light:
    """Return the light of a value by the thresholds of a score; ``lower`` says what is better."""
    if name not in THRESHOLDS or math.isnan(value):
        return Light(colour="grey", word="no threshold", thresholds="depends on the size")
    good, fair = THRESHOLDS[name]
    sign = "≤" if lower else "≥"
    stated = f"good {sign} {good:g}, fair {sign} {fair:g}"
    if value <= good if lower else value >= good:
        return Light(colour="green", word="good", thresholds=stated)
    if value <= fair if lower else value >= fair:
        return Light(colour="amber", word="fair", thresholds=stated)
    return Light(colour="red", word="poor", thresholds=stated)
