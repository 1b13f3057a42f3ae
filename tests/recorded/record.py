"""What did each plan release?  Written down by `python -m tests.recorded.record`.

Everything is read from the saved folder, because that is what leaves the house, and because
its files stay what they are whatever code writes them.  Of long tables some rows are kept in full,
and of every column what it adds up to: last digits differ between processors.
"""

from __future__ import annotations

import csv
import io
import json
import math
import re
import tempfile
import tomllib
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from tests.recorded.plans import PLANS, Recorded

RELEASES = Path(__file__).with_name("releases.json")
FEW = 60
MOST_ROWS = {"clusters": 200}
"""A table of at most so many rows is kept in full; others are if they have few."""
EVERY = 20
"""Of longer tables, one row of so many is kept."""
PROMISED = ("kind", "unit", "epsilon", "claim")
NOT_TABLES = re.compile(r"taxonomy-\d+\.csv")

Row = Sequence[str]


def recorded(plan: Recorded) -> dict[str, Any]:
    """Publish a plan, and describe its release with all rows."""
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch)
        out = plan.publish(folder).save(folder / "out", format="csv")
        files = sorted(path for path in out.glob("*.csv") if not NOT_TABLES.fullmatch(path.name))
        guarantee = json.loads((out / "guarantee.json").read_text(encoding="utf-8"))
        written = (out / "plan.toml").read_text(encoding="utf-8")
        secure = plan.publish(folder, secure=True).guarantee.to_dict()
        return {
            "parameters": tomllib.loads(written.replace(scratch, "FOLDER"))["parameters"],
            "guarantee": {name: guarantee[name] for name in PROMISED},
            "secure_guarantee": {name: secure[name] for name in PROMISED},
            "tables": {path.stem: table(path.read_text(encoding="utf-8")) for path in files},
        }


def table(text: str) -> dict[str, Any]:
    """Describe a CSV file: names, types as far as it shows them, rows, totals of columns."""
    names, *rows = parsed(text)
    columns = [[row[place] for row in rows] for place in range(len(names))]
    return {
        "columns": names,
        "types": [written_type(iter(cells)) for cells in columns],
        "shape": [len(rows), len(names)],
        "totals": [total(cells) for cells in columns],
        "rows": [joined(row) for row in rows],
    }


def total(cells: list[str]) -> float | dict[str, int]:
    """Return the sum of a column's numbers, or how often each text occurs if it has any."""
    numbers = [_number(cell) for cell in cells]
    if None in numbers:
        return dict(sorted(Counter(cells).items()))
    return math.fsum(number for number in numbers if number is not None)


def kept(name: str, described: dict[str, Any]) -> dict[str, Any]:
    """Keep the rows of a short table, and some of a long one."""
    if len(described["rows"]) <= MOST_ROWS.get(name, FEW):
        return described
    return described | {"every": EVERY, "rows": described["rows"][::EVERY]}


def parsed(text: str) -> list[list[str]]:
    """Split a CSV text into rows of texts."""
    return list(csv.reader(io.StringIO(text)))


def joined(row: Row) -> str:
    """Write a row as one line of CSV."""
    out = io.StringIO()
    csv.writer(out, lineterminator="").writerow(row)
    return out.getvalue()


def written_type(cells: Iterator[str]) -> str:
    """Say what a CSV file shows of a column's type: integer, decimal or text, with gaps or not."""
    texts = list(cells)
    held = [text for text in texts if text]
    gaps = " with gaps" if len(held) < len(texts) else ""
    if not held:
        return "empty"
    if all(re.fullmatch(r"-?\d+", text) for text in held):
        return f"integer{gaps}"
    return f"decimal{gaps}" if None not in map(_number, held) else f"text{gaps}"


def alike(before: Any, now: Any) -> bool:
    """Return whether two cells or totals mean the same, the last digits of a number apart."""
    old, new = _number(before), _number(now)
    if old is None or new is None:
        return bool(before == now)
    return math.isclose(old, new, rel_tol=1e-8, abs_tol=1e-9)


def _number(cell: Any) -> float | None:
    try:
        number = float(cell)
    except (TypeError, ValueError):
        return None
    return number if math.isfinite(number) else None


def written_down() -> None:
    """Run all plans, and replace what was recorded."""
    releases = {}
    for name, plan in PLANS.items():
        release = recorded(plan)
        tables = {each: kept(each, described) for each, described in release["tables"].items()}
        releases[name] = release | {"tables": tables}
    RELEASES.write_text(json.dumps(releases, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    written_down()
