"""How far can the degrees of a graph move when one edge or one node changes?

Reviewed claims like those about tables, and gathered with them.  A weighted claim bounds the
changes of counts, each divided by its public weight.
"""

from __future__ import annotations

from covey.core.claims_tables import CLAIMS, Claim
from covey.core.unit import PrivacyUnit

EDGE, NODE = PrivacyUnit.EDGE, PrivacyUnit.NODE

GRAPH_CLAIMS: dict[tuple[str, str], Claim] = {
    # Sums of the sorted degrees over blocks of ranks that depend on the number of nodes alone.
    ("degrees", "sorted-sums"): Claim(EDGE, "degrees", lambda: 2),
    # Numbers of nodes of each degree, those above a public one together; and of at most each.
    ("degrees", "histogram"): Claim(EDGE, "degrees", lambda: 4),
    ("degrees", "cumulative"): Claim(EDGE, "degrees", lambda: 2),
    # Numbers of edges in public boxes of degree pairs, weighted by the largest degree of the box
    # (by the smallest of an open interval): less than 4.
    ("joint-degrees", "boxes"): Claim(EDGE, "joint-degrees", lambda: 4),
    # Numbers of edges for each pair of degrees, degrees above `top` counted as `top`.
    ("joint-degrees", "top-coded"): Claim(EDGE, "joint-degrees", lambda *, top: 4 * top - 3),
    # The same after edge addition in a stable public order with degree bound `theta`.
    ("projected-degrees", "cumulative"): Claim(NODE, "edge-addition", lambda *, theta: theta + 1),
    ("projected-degrees", "histogram"): Claim(
        NODE, "edge-addition", lambda *, theta: 2 * theta + 1
    ),
    ("projected-joint-degrees", "cells"): Claim(
        NODE, "edge-addition", lambda *, theta: theta * (2 * theta - 1)
    ),
    ("projected-joint-degrees", "boxes"): Claim(
        NODE, "edge-addition", lambda *, theta: 2 * theta + 1
    ),
    # Numbers of edges that are left with each of some degree bounds, weighted by the bound.
    ("projected-edges", "sizes"): Claim(NODE, "edge-addition", lambda *, bounds: bounds),
    # Edges, or nodes with their edges, that are left when coins are the same.
    ("personalised", "edges"): Claim(EDGE, "personalised", lambda: 1, "records"),
    ("personalised", "nodes"): Claim(NODE, "personalised", lambda: 1, "records"),
}

CLAIMS.update(GRAPH_CLAIMS)
