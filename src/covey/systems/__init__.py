"""The published systems, each one composition of the steps."""

from covey.systems.base import Outcome, Parameter, Progress, System
from covey.systems.cross_moment import CROSS_MOMENT
from covey.systems.exponential import EXPONENTIAL
from covey.systems.graphs import GRAPH_SYSTEMS
from covey.systems.insensitive import INSENSITIVE
from covey.systems.kanonymity import K_ANONYMITY_SYSTEMS
from covey.systems.laplace import LAPLACE
from covey.systems.personalised import PERSONALISED
from covey.systems.private_tree import PRIVATE_TREE
from covey.systems.rank_blocks import RANK_BLOCKS
from covey.systems.record_perturbation import RECORD_PERTURBATION_SYSTEMS
from covey.systems.stable import STABLE_SYSTEMS

TABLE_SYSTEMS: dict[str, System] = {
    system.name: system
    for system in (
        *K_ANONYMITY_SYSTEMS,
        LAPLACE,
        EXPONENTIAL,
        RANK_BLOCKS,
        INSENSITIVE,
        PRIVATE_TREE,
        PERSONALISED,
        *RECORD_PERTURBATION_SYSTEMS,
        CROSS_MOMENT,
        *STABLE_SYSTEMS,
    )
}

SYSTEMS: dict[str, System] = {
    **TABLE_SYSTEMS,
    **{system.name: system for system in GRAPH_SYSTEMS},
}

__all__ = ["SYSTEMS", "TABLE_SYSTEMS", "Outcome", "Parameter", "Progress", "System"]
