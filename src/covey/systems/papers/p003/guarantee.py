"""What may a release of cross moments promise, and why not more?"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from covey.core import EXACT, IDEALISED, Budget, Guarantee, GuaranteeKind, PrivacyUnit
from covey.systems.columns import assumptions, dropped
from covey.systems.papers.p003.methods import EIGEN_INDIVIDUAL, MDAV, RECORDS, Design

if TYPE_CHECKING:
    from covey.systems.papers.p000.groups import Group
    from covey.systems.papers.p003.settings import CrossMomentSettings
    from covey.table import Schema
    from covey.table.grid import Grid

_REASONS = (
    "The paper's evaluation is repeated as it was run, for comparison only.",
    "The bounds, 0 to 1.5 times the largest value, are taken from the data.",
)
FALSE_SIGNS = (
    "The noise of the eigenvectors is as the paper prints it: its scale depends on the data, and "
    "its bound is false, because the sign of an eigenvector can jump."
)
FALSE_COSKEWNESS = (
    "The noise of the coskewness is as the paper prints it, which is half of what clusters of "
    "three records need."
)
WITHOUT_NOISE = (
    "Someone who knows all but one member of a cluster can compute the last one's values.",
)
NO_NOISE_AT_ALL = "This baseline publishes the exact moments of the clusters, without any noise."


def cross_moment_guarantee(
    schema: Schema,
    groups: Sequence[Group],
    grids: Mapping[str, Grid],
    settings: CrossMomentSettings,
    design: Design,
) -> Guarantee:
    """Say what the release promises: never differential privacy for the original records.

    Parameters
    ----------
    schema : Schema
        For the names of the columns.
    groups : sequence of Group
        The attributes that were clustered together.
    grids : mapping
        The public grid of each attribute.
    settings, design
        What was asked for.
    """
    attributes = [attribute for group in groups for attribute in group]
    guarantee = Guarantee(
        kind=GuaranteeKind.PARTITION_CONDITIONAL,
        unit=PrivacyUnit.SAME_PARTITION,
        columns=tuple(attribute.name for attribute in attributes),
        dropped=dropped(schema, attributes),
        conditions=WITHOUT_NOISE if design.noiseless else _conditions(groups, design),
    )
    if design.noiseless:
        return _without_noise(guarantee, settings, design)
    assert settings.epsilon is not None  # noqa: S101 — noise needs one, and it was asked for
    epsilon = Budget.of(settings.epsilon).epsilon
    if settings.paper:
        reasons = list(_REASONS)
        if design.eigen:
            reasons.append(FALSE_SIGNS)
        elif design.m == 2 and settings.k == 3:  # noqa: PLR2004
            reasons.append(FALSE_COSKEWNESS)
        return replace(
            guarantee,
            kind=GuaranteeKind.NONE,
            unit=PrivacyUnit.NONE,
            epsilon=epsilon,
            arithmetic=IDEALISED if design.eigen else EXACT,
            reasons=tuple(reasons),
        )
    individual = design.m > 0 and design.basis == EIGEN_INDIVIDUAL
    return replace(
        guarantee,
        kind=GuaranteeKind.INDIVIDUAL_DP if individual else guarantee.kind,
        epsilon=epsilon,
        assumes=(
            *assumptions(attributes, grids),
            f"k = {settings.k} was chosen without looking at the data.",
        ),
        arithmetic=IDEALISED if individual else EXACT,
        claim="moments",
    )


def _without_noise(
    guarantee: Guarantee, settings: CrossMomentSettings, design: Design
) -> Guarantee:
    if design.m == 0 and settings.output == RECORDS:
        return replace(
            guarantee,
            kind=GuaranteeKind.K_ANONYMITY,
            unit=PrivacyUnit.NONE,
            k=settings.k,
            joint=design.partition == MDAV and settings.groups is None,
        )
    return replace(
        guarantee,
        kind=GuaranteeKind.NONE,
        unit=PrivacyUnit.NONE,
        reasons=(NO_NOISE_AT_ALL,),
    )


_ORDERS = ("means", "covariances", "coskewness")


def _conditions(groups: Sequence[Group], design: Design) -> tuple[str, ...]:
    how = "MDAV" if design.partition == MDAV else "blocks of consecutive ranks"
    parts = "; ".join(", ".join(attribute.name for attribute in group) for group in groups)
    conditions = [
        (
            f"Partition source: the original records themselves, by {how} over {parts}. "
            f"Neighbours that lead to other clusters are not covered, and moving one record by a "
            f"hair can lead to other clusters."
        ),
        "Moments were taken of values divided by the width of their bounds.",
    ]
    if len(design.weights) > 1:
        spent = ", ".join(
            f"{float(100 * weight):g} % to {order}"
            for weight, order in zip(design.weights, _ORDERS, strict=False)
        )
        conditions.append(f"Of epsilon, {spent}.")
    if design.m > 0:
        law = "normal" if design.m == 1 else "skew-normal"
        conditions.append(
            f"Rows were sampled from {law} distributions with the moments of the clusters; none "
            f"of them is an original record."
        )
    if len(groups) > 1:
        conditions.append(
            "The groups of columns share epsilon.  Rows combine the clusters that a record has in "
            "each group; few records or only one may share a combination."
        )
    if design.eigen and design.basis == EIGEN_INDIVIDUAL:
        conditions.append(
            "Partition-conditional and individual-dp at once: the bound holds for neighbours of "
            "the actual data that lead to the same clusters, and the scale of the noise, which "
            "depends on the data, can give records away."
        )
    return tuple(conditions)
