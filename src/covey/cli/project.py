"""covey project: cut a graph down to a degree bound.  For study; the result is not a release."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.markup import escape

from covey.cli.show import console, reporting, show_json
from covey.errors import ReleaseError

if TYPE_CHECKING:
    from covey import Graph


def project(
    edges: Annotated[
        Path, typer.Argument(help="The edges, one to a line, or .parquet.", readable=False)
    ],
    *,
    theta: Annotated[int, typer.Option(help="The largest degree that is allowed.")],
    method: Annotated[
        str,
        typer.Option(help="edge-addition, stable-edge-removal, truncation or random-edge-removal."),
    ] = "edge-addition",
    order: Annotated[
        str | None, typer.Option(help="hash or id; stable edge removal also knows degree.")
    ] = None,
    key: Annotated[str | None, typer.Option(help="Public word for the order by hash.")] = None,
    reading: Annotated[
        str | None, typer.Option(help="Of stable edge removal: bounded or printed.")
    ] = None,
    seed: Annotated[int | None, typer.Option(help="For random edge removal.")] = None,
    nodes: Annotated[
        Path | None,
        typer.Option(help="File of further nodes, those without edges.", readable=False),
    ] = None,
    output: Annotated[
        Path | None, typer.Option("--output", "-o", help="File to write, one edge to a line.")
    ] = None,
    force: Annotated[bool, typer.Option("--force", help="Replace an older file.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON for machines.")] = False,
) -> None:
    """Cut a graph down to a degree bound.  The result holds original edges: do not publish it.

    Example:

      covey project edges.txt --theta 16 -o bounded.txt
    """
    import covey

    if output is not None and output.exists() and not force:
        raise ReleaseError(
            f"the file {str(output)!r} exists already, so nothing was written. "
            f"Choose another name, or replace it with --force."
        )
    with reporting(quiet=as_json) as report:
        report("reading", 0, 2)
        graph = covey.read_graph(edges, nodes=nodes)
        report("projecting", 1, 2)
        projected = covey.project(
            graph,
            method,
            theta=theta,
            order=order,
            key=key,
            reading=reading,  # type: ignore[arg-type]
            random_state=seed,
        )
    if output is not None:
        _write(projected, output)
    kept = projected.n_edges / graph.n_edges if graph.n_edges else 1.0
    largest = int(projected.degrees.max(initial=0))
    if as_json:
        show_json(
            {
                "do_not_publish": "computed on the originals",
                "nodes": graph.n_nodes,
                "edges": graph.n_edges,
                "edges_kept": projected.n_edges,
                "preserved_edge_ratio": kept,
                "largest_degree": largest,
            }
        )
        return
    console.print("[bold red]Do not publish: these are original edges.[/]")
    for note in graph.notes:
        console.print(escape(note))
    console.print(
        f"{projected.n_edges:,} of {graph.n_edges:,} edges kept ({kept:.1%}); the largest degree "
        f"is {largest}."
    )
    if output is not None:
        console.print(f"Written to [bold]{escape(str(output))}[/].")


def _write(graph: Graph, path: Path) -> None:
    names = graph.ids[graph.edges()]
    lines = "".join(f"{first} {second}\n" for first, second in names.tolist())
    try:
        path.write_text(lines, encoding="utf-8")
    except OSError as error:
        raise ReleaseError(
            f"the file {str(path)!r} cannot be written ({error.strerror}). "
            f"Choose a place where you may write."
        ) from error
