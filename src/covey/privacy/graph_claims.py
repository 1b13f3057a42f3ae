"""How far can the degrees of a graph move when one edge or one node changes?

Reviewed claims like those of `covey.privacy.sensitivity`, which gathers them.  A weighted
claim bounds the changes of counts, each divided by its public weight.
"""

from __future__ import annotations

from covey.privacy.claim import Claim
from covey.privacy.guarantee import PrivacyUnit

GRAPH_CLAIMS: tuple[Claim, ...] = (
    Claim(
        method="degrees",
        statistic="sorted-sums",
        unit=PrivacyUnit.EDGE,
        bound=lambda: 2,
        proof="degrees",
        statement="Sums of the sorted degrees over blocks of ranks that depend on the number of "
        "nodes alone: an edge moves all of them together by at most 2.",
    ),
    Claim(
        method="degrees",
        statistic="histogram",
        unit=PrivacyUnit.EDGE,
        bound=lambda: 4,
        proof="degrees",
        statement="Numbers of nodes of each degree, degrees above a public one taken together: an "
        "edge moves two nodes to the next degree, so four counts by one.",
    ),
    Claim(
        method="degrees",
        statistic="cumulative",
        unit=PrivacyUnit.EDGE,
        bound=lambda: 2,
        proof="degrees",
        statement="Numbers of nodes of at most each degree: an edge moves two of them by one.",
    ),
    Claim(
        method="joint-degrees",
        statistic="boxes",
        unit=PrivacyUnit.EDGE,
        bound=lambda: 4,
        proof="joint-degrees",
        statement="Numbers of edges in public boxes of degree pairs, each divided by the largest "
        "degree of its box (by the smallest of the open interval, where it is in that): an edge "
        "moves all of them together by less than 4.",
    ),
    Claim(
        method="joint-degrees",
        statistic="top-coded",
        unit=PrivacyUnit.EDGE,
        bound=lambda *, top: 4 * top - 3,
        proof="joint-degrees",
        statement="Numbers of edges for each pair of degrees, degrees above `top` counted as "
        "`top`: an edge moves all of them together by at most 4 `top` - 3.",
    ),
    Claim(
        method="projected-degrees",
        statistic="cumulative",
        unit=PrivacyUnit.NODE,
        bound=lambda *, theta: theta + 1,
        proof="edge-addition",
        statement="Numbers of nodes of at most each degree after edge addition in a stable public "
        "order with degree bound `theta`: a node with all its edges moves all of them together "
        "by at most `theta` + 1.",
    ),
    Claim(
        method="projected-degrees",
        statistic="histogram",
        unit=PrivacyUnit.NODE,
        bound=lambda *, theta: 2 * theta + 1,
        proof="edge-addition",
        statement="Numbers of nodes of each degree after edge addition: at most 2 `theta` + 1.",
    ),
    Claim(
        method="projected-joint-degrees",
        statistic="cells",
        unit=PrivacyUnit.NODE,
        bound=lambda *, theta: theta * (2 * theta - 1),
        proof="edge-addition",
        statement="Numbers of edges for each pair of degrees after edge addition: a node with all "
        "its edges moves all of them together by at most `theta` (2 `theta` - 1).",
    ),
    Claim(
        method="projected-joint-degrees",
        statistic="boxes",
        unit=PrivacyUnit.NODE,
        bound=lambda *, theta: 2 * theta + 1,
        proof="edge-addition",
        statement="Numbers of edges in boxes of degree pairs after edge addition, each divided by "
        "the largest degree of its box: at most 2 `theta` + 1.",
    ),
    Claim(
        method="projected-edges",
        statistic="sizes",
        unit=PrivacyUnit.NODE,
        bound=lambda *, bounds: bounds,
        proof="edge-addition",
        statement="Numbers of edges after edge addition with each of `bounds` public degree "
        "bounds, each divided by its bound: a node with all its edges moves each by at most 1.",
    ),
    Claim(
        method="personalised",
        statistic="edges",
        unit=PrivacyUnit.EDGE,
        bound=lambda: 1,
        proof="personalised",
        statement="Edges that are left when those whose coin says so are removed: with the same "
        "coins, adding or removing an edge adds or removes one edge at most.",
    ),
    Claim(
        method="personalised",
        statistic="nodes",
        unit=PrivacyUnit.NODE,
        bound=lambda: 1,
        proof="personalised",
        statement="The graph that is left when nodes whose coin says so are removed with their "
        "edges: with the same coins, adding or removing a node adds or removes one node at most.",
    ),
)
