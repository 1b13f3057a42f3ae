"""Covey publishes tables and graphs about people, with a guarantee that says what it covers.

The public names, in the order of the flow: read, partition, publish, evaluate.
"""

from covey.advise import Advice, advise
from covey.audit import audit
from covey.compare import Comparison, compare
from covey.errors import CoveyError
from covey.evaluate import METRICS, Evaluation, evaluate
from covey.folder import reopen
from covey.graph import (
    DK,
    Graph,
    degree_distribution,
    joint_degrees,
    privacy_preferences,
    project,
    read_graph,
    subgraph_degrees,
    to_igraph,
    to_networkx,
)
from covey.partition import PARTITIONERS, Partition, partition
from covey.plan import Plan
from covey.privacy import CLAIMS, Guarantee, GuaranteeKind, Ledger, PrivacyUnit
from covey.publish import publish, run
from covey.release import Release, realisable, regenerate
from covey.systems import SYSTEMS
from covey.table import Attribute, Missing, Role, Scale, Schema, Table, Taxonomy, read_table

__all__ = [
    "CLAIMS",
    "DK",
    "METRICS",
    "PARTITIONERS",
    "SYSTEMS",
    "Advice",
    "Attribute",
    "Comparison",
    "CoveyError",
    "Evaluation",
    "Graph",
    "Guarantee",
    "GuaranteeKind",
    "Ledger",
    "Missing",
    "Partition",
    "Plan",
    "PrivacyUnit",
    "Release",
    "Role",
    "Scale",
    "Schema",
    "Table",
    "Taxonomy",
    "advise",
    "audit",
    "compare",
    "degree_distribution",
    "evaluate",
    "joint_degrees",
    "partition",
    "privacy_preferences",
    "project",
    "publish",
    "read_graph",
    "read_table",
    "realisable",
    "regenerate",
    "reopen",
    "run",
    "subgraph_degrees",
    "to_igraph",
    "to_networkx",
]
