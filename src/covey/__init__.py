"""Covey publishes tables about people, with a guarantee that says exactly what it covers.

The public names, in the order of the flow: read, partition, publish, evaluate.
"""

from covey.errors import CoveyError
from covey.evaluate import METRICS, Evaluation, evaluate
from covey.partition import PARTITIONERS, Partition, partition
from covey.plan import Plan
from covey.privacy import CLAIMS, Guarantee, GuaranteeKind, Ledger, PrivacyUnit
from covey.publish import publish, reopen, run
from covey.release import Release
from covey.systems import SYSTEMS
from covey.table import Attribute, Missing, Role, Scale, Schema, Table, Taxonomy, read_table

__all__ = [
    "CLAIMS",
    "METRICS",
    "PARTITIONERS",
    "SYSTEMS",
    "Attribute",
    "CoveyError",
    "Evaluation",
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
    "evaluate",
    "partition",
    "publish",
    "read_table",
    "reopen",
    "run",
]
