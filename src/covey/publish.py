"""How does a plan become a release?"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, TypeVar, overload

from covey.errors import PlanError, suggest
from covey.perturb import NoiseSource, SecureNoise, SeededNoise
from covey.plan import Plan
from covey.privacy import Budget, Entry, Guarantee, GuaranteeKind, Ledger, load_ledger, spend
from covey.release import Release, seeded
from covey.report import DOCUMENTS
from covey.systems import SYSTEMS, Progress, System
from covey.table import Attribute, Missing, Role, Schema

if TYPE_CHECKING:
    from covey.release.streamed import StreamedRelease
    from covey.spark.release import SparkRelease

ENGINES = ("memory", "stream", "spark")

Made = TypeVar("Made", "Release", "StreamedRelease", "SparkRelease")
"""A release as an engine made it."""

COMPLETE = (
    "Whether a record is complete is public: incomplete records were dropped, and replacing a "
    "complete record by an incomplete one is not covered."
)

CHOSEN = (
    "The system or its parameters were chosen by looking at these data, and the choice itself "
    "tells about the records; ask `covey advise` without --look."
)


@overload
def publish(
    data: Any, system: str, *, engine: Literal["memory"] = "memory", **settings: Any
) -> Release: ...


@overload
def publish(
    data: Any, system: str, *, engine: str, **settings: Any
) -> Release | StreamedRelease | SparkRelease: ...


def publish(
    data: Any,
    system: str,
    *,
    schema: Schema | None = None,
    ledger: str | Path | None = None,
    random_state: int | None = None,
    chosen_on_data: bool = False,
    progress: Progress | None = None,
    engine: str = "memory",
    memory: str | int = "1GB",
    master: str = "local[*]",
    staging: str | Path | None = None,
    **parameters: Any,
) -> Release | StreamedRelease | SparkRelease:
    """Publish a table or a graph with a system.

    Parameters
    ----------
    data : Table, Graph, path, dataframe, array or networkx graph
        The records, or the edges if the system publishes graphs.  The engine "stream" takes
        paths, the engine "spark" paths and Spark DataFrames.
    system : str
        A name in `covey.SYSTEMS`.
    schema : Schema, optional
        What is public about the columns, unless ``data`` is a `Table` or a graph.
    ledger : path, optional
        A ledger file (`covey ledger FILE --create LIMIT`) that the release is charged to;
        nothing is published that would exceed its limit.
    random_state : int, optional
        Seed for an experiment: the release is then stamped "not for publication".
    chosen_on_data : bool
        Whether the system or its parameters were chosen by looking at the data: the release
        then carries no guarantee of noise.
    progress : callable, optional
        Called with (what is being done, done, total).
    engine : "memory", "stream" or "spark"
        Whether the data are held in memory, or files are read piece by piece as often as needed
        (docs/scale.md), or by many machines (docs/spark.md).  The promise is the same.
    memory : str or int
        What the engine "stream" may use, for instance "750MB".
    master : str
        Where the engine "spark" runs if ``data`` is a path: "local[2]", "spark://host:7077", …
    staging : path, optional
        A folder that all workers of the engine "spark" see; needed on a cluster.
    **parameters
        Those of the system, for instance ``epsilon=1.0`` or ``k=5``.

    Returns
    -------
    Release
        ``release.data``, ``release.guarantee``, ``release.save(folder)``.  From a table that is
        streamed a `StreamedRelease`, whose ``data`` is a lazy frame; from one on Spark a
        `SparkRelease`, whose ``data`` is a Spark DataFrame.
    """
    if engine not in ENGINES:
        raise PlanError(
            f"there is no engine {engine!r}, so nothing was published. {suggest(engine, ENGINES)}"
        )
    asked: dict[str, Any] = {
        "schema": schema,
        "ledger": ledger,
        "random_state": random_state,
        "chosen_on_data": chosen_on_data,
        "progress": progress,
        **parameters,
    }
    if engine == "stream":
        from covey.stream import publish_stream

        return publish_stream(data, system, memory=memory, **asked)
    if engine == "spark":
        from covey.spark import publish as publish_frame
        from covey.spark import publish_files

        if isinstance(data, (str, Path)):
            return publish_files(data, system, master=master, staging=staging, **asked)
        return publish_frame(data, system, staging=staging, **asked)
    from covey.memory import publish_memory

    return publish_memory(data, system, **asked)


@overload
def run(
    plan: Plan,
    data: Any,
    *,
    ledger: str | Path | None = None,
    progress: Progress | None = None,
    engine: Literal["memory"] = "memory",
) -> Release: ...


@overload
def run(
    plan: Plan,
    data: Any,
    *,
    ledger: str | Path | None = None,
    progress: Progress | None = None,
    engine: str,
    memory: str | int = "1GB",
    master: str = "local[*]",
    staging: str | Path | None = None,
) -> Release | StreamedRelease | SparkRelease: ...


def run(
    plan: Plan,
    data: Any,
    *,
    ledger: str | Path | None = None,
    progress: Progress | None = None,
    engine: str = "memory",
    memory: str | int = "1GB",
    master: str = "local[*]",
    staging: str | Path | None = None,
) -> Release | StreamedRelease | SparkRelease:
    """Run a plan on data: the same as `publish` with the plan's system and parameters."""
    return publish(
        data,
        plan.system,
        schema=plan.schema,
        ledger=ledger,
        random_state=plan.random_state,
        chosen_on_data=plan.chosen_on_data,
        progress=progress,
        engine=engine,
        memory=memory,
        master=master,
        staging=staging,
        **plan.parameters,
    )


def find_system(name: str) -> System:
    """Return the system of that name, or suggest others."""
    if name not in SYSTEMS:
        raise PlanError(
            f"there is no system {name!r}, so nothing was published. {suggest(name, SYSTEMS)}"
        )
    return SYSTEMS[name]


def refuse_unaffordable(plan: Plan, ledger: str | Path | None) -> None:
    """Refuse early, so that nobody waits for a release that the ledger will refuse."""
    epsilon = plan.parameters.get("epsilon")
    if ledger is not None and epsilon is not None:
        load_ledger(ledger).require(Budget.of(epsilon).epsilon)


def promised(
    guarantee: Guarantee, plan: Plan, system: System, source: NoiseSource, schema: Schema | None
) -> tuple[Guarantee, Plan]:
    """Return what a release may promise, and the plan that may be published with it.

    ``schema`` is that of the table; a graph has none.
    """
    if not source.secure and not system.deterministic:
        guarantee = seeded(guarantee)
    if plan.chosen_on_data:
        guarantee = guarantee.downgraded(CHOSEN)
    if schema is None:
        return guarantee, plan
    if guarantee.epsilon is not None and any(map(_drops, schema)):
        guarantee = replace(guarantee, assumes=(*guarantee.assumes, COMPLETE))
    # Clusters without noise need no bounds; noise needs those of the columns that it covers.
    needed = () if guarantee.kind is GuaranteeKind.K_ANONYMITY else guarantee.columns
    return guarantee, replace(plan, schema=schema.without_data_facts(needed))


def _drops(attribute: Attribute) -> bool:
    return attribute.missing is Missing.DROP and attribute.role is not Role.IDENTIFIER


def noise_source(random_state: int | None) -> NoiseSource:
    """Return secure noise, or repeatable noise for an experiment."""
    if random_state is None:
        return SecureNoise()
    if isinstance(random_state, bool) or not isinstance(random_state, int) or random_state < 0:
        raise PlanError(
            f"random_state = {random_state!r} is not a whole number of at least 0. "
            f"Leave it out for a release; give one only for a repeatable experiment."
        )
    return SeededNoise.of(random_state)


def charge(path: str | Path | None, guarantee: Guarantee, plan: Plan) -> Ledger:
    """Enter the cost of a release into its ledger, before anyone can see it.

    A crash from here on loses budget, not privacy.
    """
    if guarantee.epsilon is None:
        return Ledger() if path is None else load_ledger(path)
    entry = Entry.now(
        system=plan.system,
        epsilon=guarantee.epsilon,
        unit=str(guarantee.unit),
        plan=plan.fingerprint,
    )
    return Ledger().charged(entry) if path is None else spend(path, entry)


def documented(release: Made) -> Made:
    """Let a release be saved with the documents about it, whichever engine made it."""
    return replace(release, documents=DOCUMENTS)
