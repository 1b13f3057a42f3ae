"""What is in a release folder, beside the rows?"""

from __future__ import annotations

import json
import re
import shutil
import warnings
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from pkgutil import resolve_name
from typing import TYPE_CHECKING, Any, Literal, Protocol

import polars as pl

from covey.errors import ReleaseError
from covey.systems import SYSTEMS

if TYPE_CHECKING:
    from covey.core import Guarantee
    from covey.ledger import Ledger
    from covey.plan import Plan
    from covey.table import Schema

Format = Literal["csv", "parquet"]
_FORMATS: dict[str, Format] = {"csv": "csv", "parquet": "parquet"}


class Published(Protocol):
    """What can be read about a release, whichever engine made it and wherever its rows are."""

    @property
    def guarantee(self) -> Guarantee:
        """Return what the release promises."""
        ...

    @property
    def plan(self) -> Plan:
        """Return what was run."""
        ...

    @property
    def ledger(self) -> Ledger:
        """Return what it cost."""
        ...

    @property
    def extras(self) -> Mapping[str, pl.DataFrame]:
        """Return further tables made from the same noisy values."""
        ...

    @property
    def accuracy(self) -> pl.DataFrame | None:
        """Return the interval of each published mean and count, or None if there is none."""
        ...

    @property
    def format(self) -> Format:
        """Return how the rows are written."""
        ...

    @property
    def n(self) -> int:
        """Return the number of released rows."""
        ...

    def scan(self) -> pl.LazyFrame:
        """Return the released rows, to be looked at some at a time."""
        ...


Maker = Callable[[Published], str]
"""Makes the text of a document about a release, from what is published alone."""


def _made_by(name: str) -> Maker:
    """Return the maker of that name, which is loaded when the first document is made."""
    return lambda release: str(resolve_name(name)(release))


DOCUMENTS: dict[str, Maker] = {
    "card.json": _made_by("covey.report.card:card_text"),
    "report.html": _made_by("covey.report.public:public_report"),
}
"""What `save` writes beside the data, and what makes it."""


ELSEWHERE = re.compile(r"^[A-Za-z][A-Za-z0-9+.-]+:/")
"""How the address of a place begins that is no folder of this machine; C:/ has one letter."""


def write_papers(release: Published, folder: Path) -> Plan:
    """Write what stands beside the data (extras, guarantee, plan, ledger); return that plan."""
    for name, extra in release.extras.items():
        extra.write_csv(folder / f"{name}.csv")
    _write_json(folder / "guarantee.json", release.guarantee.to_dict())
    plan = _without_places(release.plan)
    if plan.schema is not None:
        plan = replace(plan, schema=_with_taxonomies(plan.schema, folder))
    (folder / "plan.toml").write_text(plan.to_toml(), encoding="utf-8")
    _write_json(folder / "ledger.json", release.ledger.to_dict())
    return plan


def write_documents(release: Published, folder: Path) -> None:
    """Write what people and machines read about a release; what cannot be made is missed.

    The budget is spent: a picture that cannot be drawn must not lose the release.
    """
    for name, make in DOCUMENTS.items():
        try:
            text = make(release)
        except Exception as error:  # noqa: BLE001 — whatever it is, it must not lose the release
            warnings.warn(
                f"the release is written without {name}, which could not be made "
                f"({type(error).__name__}: {error}). Its guarantee is in guarantee.json.",
                stacklevel=4,
            )
        else:
            (folder / name).write_text(text, encoding="utf-8")


def checked_format(name: str | None) -> Format | None:
    """Return the name of a format that a release can be written in, or refuse it."""
    if name is not None and name not in _FORMATS:
        raise ReleaseError(
            f"the format {name!r} is unknown, so nothing was written. Choose csv or parquet."
        )
    return None if name is None else _FORMATS[name]


def refuse_existing(folder: Path, *, force: bool) -> None:
    """Refuse a folder that a release must not replace, and a place that is no folder here."""
    if ELSEWHERE.match(str(folder)) or str(folder) == "-":
        raise ReleaseError(
            f"the output {str(folder)!r} is not a folder of this machine, and a release is a "
            f"folder with several files, so nothing was written. Write it to a folder, and copy it."
        )
    try:
        free = not folder.exists() or (folder.is_dir() and not any(folder.iterdir()))
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or "it is no path"
        raise ReleaseError(
            f"the output {str(folder)!r} cannot be written ({reason}), so nothing was published. "
            f"Choose another folder."
        ) from None
    if free:
        return
    if not force:
        raise ReleaseError(
            f"the output {str(folder)!r} exists already, so nothing was written. Choose another "
            f"folder, or replace an old release with --force (force=True)."
        )
    if not (folder / "guarantee.json").is_file():
        raise ReleaseError(
            f"the output {str(folder)!r} is not a release folder, so it is not replaced even by "
            f"force. Choose another folder."
        )


def _without_places(plan: Plan) -> Plan:
    """Name files without their folders, which tell about the house that published."""
    system = SYSTEMS.get(plan.system)
    files = {each.name for each in system.parameters if each.file} if system else set()
    named = {
        name: Path(value).name
        for name, value in plan.parameters.items()
        if name in files and isinstance(value, str)
    }
    return replace(plan, parameters={**plan.parameters, **named})


def _with_taxonomies(schema: Schema, folder: Path) -> Schema:
    """Put the public taxonomies beside the plan, so that it can be run elsewhere."""
    for number, attribute in enumerate(schema):
        if attribute.taxonomy is not None:
            name = f"taxonomy-{number}.csv"
            shutil.copyfile(schema.folder / attribute.taxonomy, folder / name)
            schema = schema.updated(attribute.name, taxonomy=name)
    return schema


def _write_json(path: Path, content: dict[str, Any]) -> None:
    path.write_text(json.dumps(content, indent=2, ensure_ascii=False) + "\n", encoding="utf-8")
