"""How is a graph read from GML and GraphML, and written in them?

networkx reads them.  They list all nodes, those without an edge included.
"""

from __future__ import annotations

from collections.abc import Iterable
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any
from xml.sax.saxutils import quoteattr

from covey.errors import DataError, PlanError
from covey.graph.libraries import FROM_LIBRARY

if TYPE_CHECKING:
    from covey.graph.pairs import Pairs

MARKUP = (".gml", ".graphml")
"""How the names of such files end."""


def read_markup(path: Path) -> Pairs:
    """Read the nodes and edges of a GML or GraphML file."""
    try:
        networkx: Any = import_module("networkx")
    except ImportError:
        raise PlanError(
            f"the file {str(path)!r} cannot be read, because networkx is not installed. "
            f"Install it: pip install networkx"
        ) from None
    try:
        found: Any = (
            networkx.read_gml(path, label=None)
            if path.suffix.lower() == ".gml"
            else networkx.read_graphml(path)
        )
    except Exception:  # noqa: BLE001 — its parsers raise of every kind, and quote the file
        raise DataError(
            f"the file {str(path)!r} is not valid {path.suffix[1:].upper()}, so no graph was read. "
            f"Export it again, or give a list of edges."
        ) from None
    return FROM_LIBRARY["networkx"](found)


def graphml_text(edges: Iterable[tuple[Any, Any]]) -> str:
    """Return a graph as GraphML.

    Examples
    --------
    >>> graphml_text([(1, 2)]).count("<node ")
    2
    """
    pairs = [(str(u), str(v)) for u, v in edges]
    nodes = dict.fromkeys(name for pair in pairs for name in pair)
    lines = [f"<node id={quoteattr(name)}/>" for name in nodes]
    lines += [f"<edge source={quoteattr(u)} target={quoteattr(v)}/>" for u, v in pairs]
    body = "\n".join(lines)
    return (
        '<?xml version="1.0" encoding="UTF-8"?>\n'
        '<graphml xmlns="http://graphml.graphdrawing.org/xmlns">\n'
        f'<graph edgedefault="undirected">\n{body}\n</graph>\n</graphml>\n'
    )


def gml_text(edges: Iterable[tuple[Any, Any]]) -> str:
    """Return a graph as GML, with the names of nodes as labels.

    Examples
    --------
    >>> gml_text([(1, 2)]).count("node [")
    2
    """
    pairs = [(str(u), str(v)) for u, v in edges]
    nodes = {name: i for i, name in enumerate(dict.fromkeys(n for pair in pairs for n in pair))}
    lines = [
        f'  node [\n    id {i}\n    label "{name.replace(chr(34), chr(39))}"\n  ]'
        for name, i in nodes.items()
    ]
    lines += [f"  edge [\n    source {nodes[u]}\n    target {nodes[v]}\n  ]" for u, v in pairs]
    body = "\n".join(lines)
    return f"graph [\n  directed 0\n{body}\n]\n"
