"""The published systems, each one composition of the steps."""

from covey.systems.base import Outcome, Parameter, Progress, System
from covey.systems.insensitive import INSENSITIVE
from covey.systems.kanonymity import K_ANONYMITY_SYSTEMS
from covey.systems.laplace import LAPLACE
from covey.systems.rank_blocks import RANK_BLOCKS

SYSTEMS: dict[str, System] = {
    system.name: system for system in (*K_ANONYMITY_SYSTEMS, LAPLACE, RANK_BLOCKS, INSENSITIVE)
}

__all__ = ["SYSTEMS", "Outcome", "Parameter", "Progress", "System"]
