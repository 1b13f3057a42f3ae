"""Read graphs, count their degrees, bound them, and note how much protection nodes ask for."""

from covey.graph.dk import DK, degree_distribution, joint_degrees, subgraph_degrees
from covey.graph.graph import Graph, from_edges
from covey.graph.libraries import to_igraph, to_networkx
from covey.graph.order import edge_order, node_order
from covey.graph.preferences import privacy_preferences, read_preferences
from covey.graph.projection import PROJECTIONS, Projection, project
from covey.graph.read import read_graph

__all__ = [
    "DK",
    "PROJECTIONS",
    "Graph",
    "Projection",
    "degree_distribution",
    "edge_order",
    "from_edges",
    "joint_degrees",
    "node_order",
    "privacy_preferences",
    "project",
    "read_graph",
    "read_preferences",
    "subgraph_degrees",
    "to_igraph",
    "to_networkx",
]
