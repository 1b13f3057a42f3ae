"""Which claims are audited for each system?"""

from __future__ import annotations

from covey.audit import graphs, papers, sound
from covey.audit.case import Case
from covey.systems.kanonymity import K_ANONYMITY_SYSTEMS

AUDITS: dict[str, tuple[Case, ...]] = {
    **{system.name: papers.k_anonymity(system.name) for system in K_ANONYMITY_SYSTEMS},
    "laplace": sound.LAPLACE,
    "exponential": sound.EXPONENTIAL,
    "rank-blocks": sound.RANK_BLOCKS,
    "insensitive": (*sound.INSENSITIVE, *papers.INSENSITIVE_AS_EVALUATED),
    "private-tree": sound.PRIVATE_TREE,
    "personalised": sound.PERSONALISED,
    "mdav-dp": papers.MDAV_DP,
    "mdav-ir-dp": papers.MDAV_IR_DP,
    "opt-dp": papers.OPT_DP,
    "cross-moment": papers.CROSS_MOMENT,
    "2-stable": papers.TWO_STABLE,
    "alpha-stable": papers.ALPHA_STABLE,
    "degree-histogram": graphs.DEGREE_HISTOGRAM,
    "joint-degree-boxes": graphs.JOINT_DEGREE_BOXES,
    "personalised-dk": graphs.PERSONALISED_DK,
    "mdav-dk": graphs.labels_tell("mdav-dk", k=1),
    "mpdc-dk": graphs.labels_tell("mpdc-dk", tau=2),
    "ser-dk": graphs.SER_DK,
    "ead-dk": graphs.labels_tell("ead-dk", theta=3),
    "ll-dk": graphs.LL_DK,
    "st-dk": graphs.sampled_labels("st-dk"),
    "st-dk-avg": graphs.sampled_labels("st-dk-avg"),
    **{
        name: graphs.labels_tell(name, order=1, **graphs.PAPER_PREFERENCES, **own)
        for name, own in graphs.PERSONALISED_PAPER.items()
    },
}
"""The cases of every system; one line here and one case make a new system auditable."""

ROWS: tuple[Case, ...] = (
    sound.RANK_BLOCKS[0],
    sound.RANK_BLOCKS[1],
    graphs.JOINT_CELLS,
    graphs.PROJECTED_CELLS,
    sound.PERSONALISED[0],
    papers.INSENSITIVE_AS_EVALUATED[0],
    papers.MDAV_DP[0],
    papers.OPT_DP[0],
    graphs.SER_DK[0],
    graphs.LL_DK[0],
    graphs.LL_DK[1],
    papers.CROSS_MOMENT[0],
    papers.INSENSITIVE_AS_EVALUATED[1],
    papers.FLOATS,
)
"""The table of the guide: what is known to hold and what is known to fail, side by side."""
