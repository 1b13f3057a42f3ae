"""Covey publishes tables and graphs about people, with a guarantee that says what it covers.

The public names, in the order of the flow: read, partition, publish, evaluate.
"""

import covey.report  # noqa: F401 — it enters the documents of a release folder
from covey.audit import audit
from covey.choose import Advice, Comparison, advise, compare
from covey.core import Guarantee, GuaranteeKind, PrivacyUnit
from covey.errors import CoveyError
from covey.evaluate import METRICS, Evaluation, evaluate
from covey.evaluate.reopen import reopen
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
from covey.ledger import Ledger
from covey.partition import PARTITIONERS, Partition, partition
from covey.plan import Plan
from covey.postprocess.realisable import realisable
from covey.postprocess.regenerate import regenerate
from covey.publish import publish
from covey.release import Release, Trace
from covey.run import publish_to, run
from covey.systems import ALL_CLAIMS as CLAIMS
from covey.systems import SYSTEMS
from covey.table import About, Attribute, Missing, Role, Scale, Schema, Table, Taxonomy, read_table

__all__ = [
    "CLAIMS",
    "DK",
    "METRICS",
    "PARTITIONERS",
    "SYSTEMS",
    "About",
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
    "Trace",
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
    "publish_to",
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
