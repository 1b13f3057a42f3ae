"""Covey publishes tables and graphs about people, with a guarantee that says what it covers.

The public names, in the order of the flow: read, partition, publish, evaluate.  Each is loaded
when it is first used, so that a command that needs little starts at once.
"""

import importlib
import sys
import types
import typing

if typing.TYPE_CHECKING:
    from covey.audit import audit
    from covey.choose import Advice, Comparison
    from covey.choose.advise import advise
    from covey.choose.compare import compare
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
    from covey.partition.pair import partition_pair
    from covey.plan import Plan
    from covey.postprocess.realisable import realisable
    from covey.postprocess.regenerate import regenerate
    from covey.publish import publish
    from covey.release import Release, Trace
    from covey.run import publish_to, run
    from covey.systems import ALL_CLAIMS as CLAIMS
    from covey.systems import SYSTEMS
    from covey.systems.papers.p000.expected_sse import expected_sse
    from covey.table import (
        About,
        Attribute,
        Missing,
        Role,
        Scale,
        Schema,
        Table,
        Taxonomy,
        read_table,
    )

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
    "expected_sse",
    "joint_degrees",
    "partition",
    "partition_pair",
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

_ROOMS = {
    "audit": "audit",
    "choose": "Advice Comparison advise compare",
    "core": "Guarantee GuaranteeKind PrivacyUnit",
    "errors": "CoveyError",
    "evaluate": "METRICS Evaluation evaluate",
    "evaluate.reopen": "reopen",
    "graph": "DK Graph degree_distribution joint_degrees privacy_preferences project read_graph "
    "subgraph_degrees to_igraph to_networkx",
    "ledger": "Ledger",
    "partition": "PARTITIONERS Partition partition",
    "partition.pair": "partition_pair",
    "plan": "Plan",
    "postprocess.realisable": "realisable",
    "postprocess.regenerate": "regenerate",
    "publish": "publish",
    "release": "Release Trace",
    "run": "publish_to run",
    "systems": "ALL_CLAIMS SYSTEMS",
    "systems.papers.p000.expected_sse": "expected_sse",
    "table": "About Attribute Missing Role Scale Schema Table Taxonomy read_table",
}
_PLACES = {name: f"covey.{room}" for room, names in _ROOMS.items() for name in names.split()}
_OPEN = {room.split(".")[0] for room in _ROOMS} - _PLACES.keys()
_PLACES["CLAIMS"] = _PLACES.pop("ALL_CLAIMS")


def __getattr__(name: str) -> typing.Any:
    """Load a room, or a public name from the room that defines it."""
    if name in _OPEN:
        return importlib.import_module(f"covey.{name}")
    if name not in _PLACES:
        raise AttributeError(f"module 'covey' has no attribute {name!r}")
    found = getattr(
        importlib.import_module(_PLACES[name]), "ALL_CLAIMS" if name == "CLAIMS" else name
    )
    globals()[name] = found
    return found


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})


class _Package(types.ModuleType):
    """Where a function and its module share a name, as `publish`, the name means the function."""

    def __setattr__(self, name: str, value: object) -> None:
        # This is how an import enters a module into its package; `import` finds it without.
        if not (name in _PLACES and isinstance(value, types.ModuleType)):
            super().__setattr__(name, value)


sys.modules[__name__].__class__ = _Package
