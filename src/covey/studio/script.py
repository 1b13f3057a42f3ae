"""How would the same release be made on the command line, and in Python?"""

from __future__ import annotations

import shlex

from covey.studio.found import Run

EXAMPLE_LEDGER = "example.ledger.json"


def command_line(run: Run) -> str:
    """Return the commands that run the same plan on the same data."""
    publish = ["covey", "publish", run.source.name, "--plan", "plan.toml"]
    if run.ledger is not None:
        publish += ["--ledger", _ledger(run)]
    lines = [shlex.join([*publish, "-o", "release"])]
    if run.limit is not None and run.source.example:
        # The ledger of the example ends with the page.
        lines.insert(0, f"covey ledger {_ledger(run)} --create {run.limit:g}")
    return "\n".join(lines)


def python_script(run: Run) -> str:
    """Return a script that runs the same plan on the same data."""
    reading = "covey.read_graph(DATA)"
    if run.source.kind == "table":
        reading = "covey.read_table(DATA, plan.schema)"
    ledger = "" if run.ledger is None else f", ledger={_ledger(run)!r}"
    return f'''"""Publish {run.source.name} with {run.plan.system}, as in Covey Studio."""

import covey

DATA = {run.source.name!r}

plan = covey.Plan.load("plan.toml")
data = {reading}
release = covey.run(plan, data{ledger})
release.save("release")
print(release.guarantee)
'''


def _ledger(run: Run) -> str:
    return EXAMPLE_LEDGER if run.source.example else str(run.ledger)
