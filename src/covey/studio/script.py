"""How would the same release be made on the command line, and by a Python script?"""

from __future__ import annotations

import shlex

from covey.studio.results import TabRun

EXAMPLE_LEDGER = "example.ledger.json"


def command_line(run: TabRun) -> str:
    """Return the commands that run the same plan on the same data."""
    publish = ["covey", "publish", run.file.name, "--plan", "plan.toml"]
    if run.ledger is not None:
        publish += ["--ledger", _ledger(run)]
    lines = [shlex.join([*publish, "-o", "release"])]
    if run.limit is not None and run.file.example:
        # The ledger of the example ends with the page.
        lines.insert(0, f"covey ledger {_ledger(run)} --create {run.limit:g}")
    return "\n".join(lines)


def python_script(run: TabRun) -> str:
    """Return a script that runs the same plan on the same data."""
    reading = "covey.read_graph(DATA)"
    if run.file.kind == "table":
        reading = "covey.read_table(DATA, plan.schema)"
    ledger = "" if run.ledger is None else f", ledger={_ledger(run)!r}"
    return f'''"""Publish {run.file.name} with {run.plan.system}, as in Covey Studio."""

import covey

DATA = {run.file.name!r}

plan = covey.Plan.load("plan.toml")
data = {reading}
release = covey.run(plan, data, folder="release"{ledger})
print(release.guarantee)
'''


def _ledger(run: TabRun) -> str:
    return EXAMPLE_LEDGER if run.file.example else str(run.ledger)
