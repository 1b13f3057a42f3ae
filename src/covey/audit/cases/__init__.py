"""Which claims are audited for each system?"""

from __future__ import annotations

from covey.audit.case import Case
from covey.audit.cases import graphs, papers, tables

AUDITS: dict[str, tuple[Case, ...]] = {
    **{
        name: papers.k_anonymity(name)
        for name in ("md", "mdav", "v-mdav", "individual-ranking", "optimal-univariate")
    },
    "laplace": tables.LAPLACE_CASES,
    "exponential": tables.EXPONENTIAL_CASES,
    "rank-blocks": tables.RANK_BLOCKS_CASES,
    "insensitive": (*tables.INSENSITIVE_CASES, *papers.AS_EVALUATED_CASES),
    "private-tree": tables.PRIVATE_TREE_CASES,
    "column-model": tables.COLUMN_MODEL_CASES,
    "tables": tables.TABLES_CASES,
    "personalised": tables.PERSONALISED_CASES,
    "mdav-dp": papers.MDAV_DP_CASES,
    "mdav-ir-dp": papers.MDAV_IR_DP_CASES,
    "opt-dp": papers.OPT_DP_CASES,
    "cross-moment": papers.CROSS_MOMENT_CASES,
    "2-stable": papers.TWO_STABLE_CASES,
    "alpha-stable": papers.ALPHA_STABLE_CASES,
    "degree-histogram": graphs.DEGREE_HISTOGRAM_CASES,
    "joint-degree-boxes": graphs.JOINT_DEGREE_CASES,
    "personalised-dk": graphs.PERSONALISED_DK_CASES,
    "mdav-dk": graphs.labels_tell("mdav-dk", k=1),
    "mpdc-dk": graphs.labels_tell("mpdc-dk", tau=2),
    "ser-dk": graphs.SER_DK_CASES,
    "ead-dk": graphs.labels_tell("ead-dk", theta=3),
    "ll-dk": graphs.LL_DK_CASES,
    "st-dk": graphs.sampled_labels("st-dk"),
    "st-dk-avg": graphs.sampled_labels("st-dk-avg"),
    **{
        name: graphs.labels_tell(name, order=1, **graphs.PAPER_PREFERENCES, **own)
        for name, own in graphs.PERSONALISED_PAPER.items()
    },
}
"""The cases of every system; one line here and one case make a new system auditable."""

ROWS: tuple[Case, ...] = (
    tables.RANK_BLOCKS_CASES[0],
    tables.RANK_BLOCKS_CASES[1],
    graphs.JOINT_CELLS,
    graphs.PROJECTED_CELLS,
    tables.PERSONALISED_CASES[0],
    papers.AS_EVALUATED_CASES[0],
    papers.MDAV_DP_CASES[0],
    papers.OPT_DP_CASES[0],
    graphs.SER_DK_CASES[0],
    graphs.LL_DK_CASES[0],
    graphs.LL_DK_CASES[1],
    papers.CROSS_MOMENT_CASES[0],
    papers.AS_EVALUATED_CASES[1],
    papers.FLOATS,
)
"""The table of the guide: what is known to hold and what is known to fail, side by side."""
