"""covey publish: a table or a graph goes in, a release folder comes out."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.markup import escape

from covey.cli.engines import given_engine_options, refuse_idle_engine_options
from covey.cli.log import logger
from covey.cli.reading import described_as, reads_tables
from covey.cli.show import console, errors, reporting, show_guarantee, show_json
from covey.errors import PlanError

if TYPE_CHECKING:
    from covey.table.dialect import Dialect

EXAMPLES = """

Examples:

  covey publish a.csv -s a.toml --system mdav -k 5 -o out/

  covey publish a.csv -s a.toml --system rank-blocks --epsilon 1 -o out/

  covey publish visits.csv -s visits.toml --system column-model --epsilon 1 --unit person
  --person patient --contributions 5 -o out/

  covey publish a.csv --plan out/plan.toml --ledger a.ledger -o again/

  covey publish edges.txt --nodes 5242 --system joint-degree-boxes --epsilon 1 -o out/

  covey publish huge.parquet --plan out/plan.toml --engine stream -o huge/

  covey publish huge.parquet --plan plan.toml --engine spark -o huge/
"""


@reads_tables
def publish(
    data: Annotated[
        str,
        typer.Argument(
            help="The records (a file, a folder, an address, a query, - for standard input), or "
            "the edges of a graph, one to a line."
        ),
    ],
    *,
    output: Annotated[
        Path, typer.Option("--output", "-o", help="Folder to write; must not exist.")
    ],
    system: Annotated[str | None, typer.Option(help="A name from `covey systems`.")] = None,
    schema: Annotated[
        Path | None,
        typer.Option(
            "--schema", "-s", help="What is public about the columns (TOML).", readable=False
        ),
    ] = None,
    epsilon: Annotated[
        str | None, typer.Option(help="Bound on the privacy loss; smaller protects more.")
    ] = None,
    delta: Annotated[
        str | None,
        typer.Option(help="Probability with which epsilon need not hold: Gaussian noise."),
    ] = None,
    rho: Annotated[
        str | None,
        typer.Option(help="Bound in zero-concentrated privacy, instead of epsilon."),
    ] = None,
    k: Annotated[int | None, typer.Option("--k", "-k", help="Smallest cluster.")] = None,
    columns: Annotated[
        str | None, typer.Option(help="Columns to publish, separated by commas.")
    ] = None,
    unit: Annotated[
        str | None, typer.Option(help="Whom to protect, where a system leaves it open.")
    ] = None,
    person: Annotated[
        str | None,
        typer.Option(
            help="Column that says whose a record is, to protect persons with several records."
        ),
    ] = None,
    contributions: Annotated[
        str | None,
        typer.Option(help="How many records of a person are used at most (a public number)."),
    ] = None,
    theta: Annotated[int | None, typer.Option(help="Degree bound, to protect nodes.")] = None,
    nodes: Annotated[
        str | None,
        typer.Option(help="All nodes of a graph, a file with one on each line; or their number."),
    ] = None,
    strict: Annotated[
        bool, typer.Option("--strict", help="Refuse edges that would be dropped with a note.")
    ] = False,
    param: Annotated[
        list[str] | None, typer.Option("--param", "-p", help="Any other parameter, name=value.")
    ] = None,
    plan: Annotated[
        Path | None,
        typer.Option(
            help="Run a plan file instead of --system and its parameters.", readable=False
        ),
    ] = None,
    ledger: Annotated[
        Path | None,
        typer.Option(
            help="Ledger file to charge (see `covey ledger`).",
            envvar="COVEY_LEDGER",
            readable=False,
        ),
    ] = None,
    seed: Annotated[
        int | None, typer.Option(help="Repeatable noise for experiments: not for publication.")
    ] = None,
    file_format: Annotated[
        str | None, typer.Option("--format", help="csv or parquet; like the input unless given.")
    ] = None,
    force: Annotated[bool, typer.Option("--force", help="Replace an older release.")] = False,
    engine: Annotated[
        str,
        typer.Option(help="memory; stream for files that do not fit into it; spark for many."),
    ] = "memory",
    memory: Annotated[
        str | None, typer.Option(help="What --engine stream may use; 1GB unless given.")
    ] = None,
    master: Annotated[
        str | None, typer.Option(help="Where --engine spark runs; here unless given.")
    ] = None,
    staging: Annotated[
        Path | None,
        typer.Option(help="Folder that all workers of --engine spark see.", readable=False),
    ] = None,
    require: Annotated[
        str | None,
        typer.Option(
            help="Refuse (exit code 4) unless the guarantee is of this kind, such as pure-dp, "
            "k-anonymity, or differential-privacy for any of these.",
            envvar="COVEY_REQUIRE",
        ),
    ] = None,
    keep_trace: Annotated[
        Path | None,
        typer.Option(
            help="Private file for what became of each record, for `covey evaluate --trace`: do "
            "not publish.",
            readable=False,
        ),
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON for machines.")] = False,
    reading: Dialect,
) -> None:
    """Publish a table or a graph and write the release folder."""
    import covey
    from covey.release.folder import checked_format, refuse_existing
    from covey.release.paid import same_plan
    from covey.release.recovery import recover_folder, recover_ledger

    recover_folder(output)
    recover_ledger(ledger)
    refuse_existing(output, force=force)
    if keep_trace is not None:
        _refuse_trace(keep_trace, output, engine, force=force)
    written_as = checked_format(file_format)
    given = {
        "epsilon": epsilon,
        "delta": delta,
        "rho": rho,
        "k": k,
        "columns": columns,
        "unit": unit,
        "person": person,
        "contributions": contributions,
        "theta": theta,
    }
    given = {name: value for name, value in given.items() if value is not None}
    given |= _pairs(param or [], given)
    wanted = _plan(plan, system, given, schema, seed)
    chosen = wanted.system if wanted else system or ""
    described = covey.Schema.load(schema) if schema else wanted.schema if wanted else None
    described = described_as(described, reading)
    described = _counting_persons(described, wanted.parameters if wanted else given, chosen)
    refuse_idle_engine_options(engine, memory=memory, master=master, staging=staging)
    if chosen in covey.SYSTEMS and covey.SYSTEMS[chosen].data == "table":
        _refuse_graph_options(chosen, nodes=nodes is not None, strict=strict)
    with reporting(quiet=as_json) as report:
        report("reading", 0, 1)
        if engine in ("stream", "spark"):
            _refuse_strict(engine, strict=strict)
            # As a text, because a path would lose the slashes of hdfs://.
            content: Any = data
        elif chosen in covey.SYSTEMS and covey.SYSTEMS[chosen].data == "graph":
            _refuse_schema(described)
            content = covey.read_graph(Path(data), nodes=nodes, strict=strict)
        else:
            content = covey.read_table(data, described, **reading.stated())
        settings: dict[str, Any] = {
            "ledger": ledger,
            "random_state": wanted.random_state if wanted else seed,
            "chosen_on_data": wanted is not None and wanted.chosen_on_data,
            "progress": report,
            "require": require,
            **(wanted.parameters if wanted else given),
        }
        release, trace = covey.publish_to(
            output,
            content,
            chosen,
            schema=None if engine == "memory" else described,
            engine=engine,
            **given_engine_options(memory=memory, master=master),
            staging=staging,
            nodes=None if engine == "memory" else nodes,
            force=force,
            format=written_as,
            trace=True,
            **settings,
        )
        kept = None if keep_trace is None else _kept(trace, keep_trace, release, force=force)
    logger.info("published %s: %s", output, release.guarantee.kind)
    _tell_curator(content, release, trace)
    if as_json:
        show_json(
            {
                "folder": str(output),
                "guarantee": release.guarantee.to_dict(),
                "ledger": release.ledger.to_dict(),
                "trace": kept,
            }
        )
        return
    for note in getattr(content, "notes", ()):
        console.print(escape(note))
    show_guarantee(release.guarantee)
    _show_columns(release.guarantee)
    if ledger is not None:
        _show_account(release.ledger)
    elif release.plan.random_state is None:
        _warn_of_the_same(same_plan(output, release.ledger.entries[-1].plan))
    console.print(f"Written to [bold]{escape(str(output))}[/].")
    if keep_trace is not None:
        _show_trace(kept)


def _kept(trace: Any, path: Path, release: Any, *, force: bool) -> str | None:
    """Keep the trace if there is one; the release is written, and nothing is wrong without it."""
    if trace.aligned is None:
        return None
    return str(trace.keep(path, release, force=force))


def _show_trace(kept: str | None) -> None:
    if kept is None:
        console.print("This system does not tell what became of each record: no trace was kept.")
        return
    console.print(
        f"What became of each record: [bold]{escape(kept)}[/]. [red]Do not publish it: it links "
        f"released values to records.[/]"
    )


def _tell_curator(content: Any, release: Any, trace: Any) -> None:
    """Tell whoever publishes, and nobody else, what became of the records: counts of them."""
    _tell_lost(content, release)
    _tell_moved(content, release)
    _tell_contributed(trace, release)


def _tell_lost(content: Any, release: Any) -> None:
    from covey.table import Table

    names = [each.name for each in release.plan.schema or () if each.drops]
    if not names:
        return
    lacking = f"they lack {escape(' or '.join(names))}"
    if not isinstance(content, Table):
        errors.print(f"Records were left out if {lacking}; `covey evaluate` counts them.")
        return
    found = content.complete_in(names)
    if found.dropped:
        errors.print(
            f"For you alone: {found.dropped:,} of {found.dropped + found.n:,} records were left "
            f'out, because {lacking}. missing = "category" in the schema would keep them.'
        )


def _tell_moved(content: Any, release: Any) -> None:
    from covey.table import Table

    if not isinstance(content, Table) or release.guarantee.epsilon is None:
        return
    outside = content.outside_bounds()
    moved = {name: outside[name] for name in release.guarantee.columns if outside.get(name)}
    if moved:
        told = ", ".join(f"{count:,} of {escape(name)}" for name, count in moved.items())
        errors.print(
            f"For you alone: values outside their bounds count as the nearer bound: {told}. If "
            f"these are true values, the bounds are too narrow."
        )


def _counting_persons(described: Any, parameters: Any, system: str) -> Any:
    """Return a schema that reads identifiers as texts, whatever it says of their column."""
    from covey.systems import SYSTEMS
    from covey.systems.persons import persons_of, schema_with

    if described is None or system not in SYSTEMS:
        return described
    _, persons = persons_of(SYSTEMS[system], parameters, described)
    return described if persons is None else schema_with(described, persons)


def _tell_contributed(trace: Any, release: Any) -> None:
    if trace.contributed is not None:
        told = trace.contributed.told(release.guarantee.contributions)
        errors.print(f"For you alone: {told}")


def _show_account(ledger: Any) -> None:
    from covey.kinds import amount

    if ledger.left is not None:
        console.print(f"Ledger: epsilon = {amount(ledger.left)} left.")
    if ledger.unbounded:
        console.print("Ledger: releases without a bound are in it, so all together have none.")


def _warn_of_the_same(folders: list[str]) -> None:
    if folders:
        console.print(
            f"Note: of the same plan beside it: {escape(', '.join(folders))}. If they are about "
            f"the same people, all their costs add up; a ledger would know: "
            f"covey ledger FILE --create LIMIT."
        )


def _show_columns(guarantee: Any) -> None:
    lines = {
        "Published as they were": guarantee.untouched,
        "Not published": guarantee.dropped,
    }
    for title, names in lines.items():
        if names:
            console.print(f"{title}: {escape(', '.join(names))}.")


def _plan(
    path: Path | None,
    system: str | None,
    given: dict[str, Any],
    schema: Path | None,
    seed: int | None,
) -> Any:
    import covey

    if path is None:
        if system is None:
            raise PlanError(
                "no system was chosen, so nothing was published. Give --system NAME, or --plan "
                "FILE: `covey pilot` proposes one for a purpose, `covey systems` lists them, and "
                "column-model suits most tables of four columns and more."
            )
        return None
    if system or given or schema or seed is not None:
        raise PlanError(
            "a plan describes the whole release, so it cannot be combined with --system, --schema, "
            "--seed or parameters. Edit the plan file, or leave --plan out."
        )
    return covey.Plan.load(path)


def _refuse_trace(path: Path, output: Path, engine: str, *, force: bool) -> None:
    from covey.release.trace import refuse_trace_place

    if engine != "memory":
        raise PlanError(
            f"--keep-trace needs the records in memory, which --engine {engine} does not have, so "
            f"nothing was published. Leave it out, or use --engine memory."
        )
    refuse_trace_place(path, force=force, folder=output)


def _refuse_strict(engine: str, *, strict: bool) -> None:
    if strict:
        raise PlanError(
            f"--strict reads a whole graph, which --engine {engine} does not, so nothing was "
            f"published. Leave it out, or use --engine memory."
        )


def _refuse_graph_options(system: str, *, nodes: bool, strict: bool) -> None:
    for option, present in (("--nodes", nodes), ("--strict", strict)):
        if present:
            raise PlanError(
                f"{option} is about graphs, and {system!r} publishes tables, so nothing was "
                f"published. Leave it out."
            )


def _refuse_schema(schema: Any) -> None:
    if schema is not None:
        raise PlanError(
            "a schema describes the columns of a table, and this system publishes graphs, so "
            "nothing was published. Leave --schema out."
        )


def _pairs(items: list[str], given: dict[str, Any]) -> dict[str, str]:
    pairs: dict[str, str] = {}
    for item in items:
        name, equals, value = (part.strip() for part in item.partition("="))
        if not equals:
            raise PlanError(f"--param {item!r} has no value. Write --param name=value.")
        if name in given or name in pairs:
            raise PlanError(
                f"parameter {name!r} is given twice, so it is unclear which is meant and nothing "
                f"was published. Give it once."
            )
        pairs[name] = value
    return pairs


publish.__doc__ = (publish.__doc__ or "") + EXAMPLES
