"""The published systems: sound ones ask a meter, the others see records and promise less."""

from covey.core import CLAIMS, Claim
from covey.systems.anonymity.individual_ranking import INDIVIDUAL_RANKING
from covey.systems.anonymity.md import MD
from covey.systems.anonymity.mdav import MDAV
from covey.systems.anonymity.optimal_univariate import OPTIMAL_UNIVARIATE
from covey.systems.anonymity.v_mdav import V_MDAV
from covey.systems.base import (
    Built,
    Outcome,
    Parameter,
    PlainSystem,
    Progress,
    SoundSystem,
    System,
)
from covey.systems.papers.claims import PAPER_CLAIMS
from covey.systems.papers.p000.mdav_dp import MDAV_DP
from covey.systems.papers.p000.mdav_ir_dp import MDAV_IR_DP
from covey.systems.papers.p000.opt_dp import OPT_DP
from covey.systems.papers.p002.ag_dk import AG_DK
from covey.systems.papers.p002.alpha_stable import ALPHA_STABLE
from covey.systems.papers.p002.ead_dk import EAD_DK
from covey.systems.papers.p002.ll_dk import LL_DK
from covey.systems.papers.p002.mdav_dk import MDAV_DK
from covey.systems.papers.p002.mpdc_dk import MPDC_DK
from covey.systems.papers.p002.pdp_min import PDP_MIN
from covey.systems.papers.p002.ser_dk import SER_DK
from covey.systems.papers.p002.st_dk import ST_DK
from covey.systems.papers.p002.st_dk_avg import ST_DK_AVG
from covey.systems.papers.p002.tp_dk import TP_DK
from covey.systems.papers.p002.tp_dk_avg import TP_DK_AVG
from covey.systems.papers.p002.two_stable import TWO_STABLE
from covey.systems.papers.p003.cross_moment import CROSS_MOMENT
from covey.systems.sound.column_model import COLUMN_MODEL
from covey.systems.sound.degree_histogram import DEGREE_HISTOGRAM
from covey.systems.sound.exponential import EXPONENTIAL
from covey.systems.sound.insensitive import INSENSITIVE
from covey.systems.sound.joint_degree_boxes import JOINT_DEGREE_BOXES
from covey.systems.sound.laplace import LAPLACE
from covey.systems.sound.personalised import PERSONALISED
from covey.systems.sound.personalised_dk import PERSONALISED_DK
from covey.systems.sound.private_tree import PRIVATE_TREE
from covey.systems.sound.rank_blocks import RANK_BLOCKS
from covey.systems.sound.tables import TABLES

TABLE_SYSTEMS: dict[str, System] = {
    system.name: system
    for system in (
        MD,
        MDAV,
        V_MDAV,
        INDIVIDUAL_RANKING,
        OPTIMAL_UNIVARIATE,
        LAPLACE,
        EXPONENTIAL,
        RANK_BLOCKS,
        INSENSITIVE,
        PRIVATE_TREE,
        COLUMN_MODEL,
        PERSONALISED,
        MDAV_DP,
        MDAV_IR_DP,
        OPT_DP,
        CROSS_MOMENT,
        TWO_STABLE,
        ALPHA_STABLE,
    )
}

CELL_SYSTEMS: dict[str, System] = {TABLES.name: TABLES}
"""Those that take a table and release cells, no rows."""

GRAPH_SYSTEMS: dict[str, System] = {
    system.name: system
    for system in (
        DEGREE_HISTOGRAM,
        JOINT_DEGREE_BOXES,
        PERSONALISED_DK,
        MDAV_DK,
        MPDC_DK,
        SER_DK,
        EAD_DK,
        PDP_MIN,
        LL_DK,
        TP_DK,
        TP_DK_AVG,
        ST_DK,
        ST_DK_AVG,
        AG_DK,
    )
}

SYSTEMS: dict[str, System] = {**TABLE_SYSTEMS, **CELL_SYSTEMS, **GRAPH_SYSTEMS}

ALL_CLAIMS: dict[tuple[str, str], Claim] = {**CLAIMS, **PAPER_CLAIMS}
"""Every reviewed claim; a meter knows those of `covey.core` alone."""

__all__ = [
    "ALL_CLAIMS",
    "CELL_SYSTEMS",
    "GRAPH_SYSTEMS",
    "SYSTEMS",
    "TABLE_SYSTEMS",
    "Built",
    "Outcome",
    "Parameter",
    "PlainSystem",
    "Progress",
    "SoundSystem",
    "System",
]
