"""Systems that publish graphs: degree distributions, and graphs made from them."""

from covey.systems.base import System
from covey.systems.graphs.boxes import JOINT_DEGREE_BOXES
from covey.systems.graphs.histogram import DEGREE_HISTOGRAM
from covey.systems.graphs.microaggregated import MICROAGGREGATED_SYSTEMS
from covey.systems.graphs.personalised import PERSONALISED_DK
from covey.systems.graphs.personalised_paper import PERSONALISED_PAPER_SYSTEMS
from covey.systems.graphs.projected import PROJECTED_SYSTEMS

GRAPH_SYSTEMS: tuple[System, ...] = (
    DEGREE_HISTOGRAM,
    JOINT_DEGREE_BOXES,
    PERSONALISED_DK,
    *MICROAGGREGATED_SYSTEMS,
    *PROJECTED_SYSTEMS,
    *PERSONALISED_PAPER_SYSTEMS,
)

__all__ = ["GRAPH_SYSTEMS"]
