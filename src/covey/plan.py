"""What describes a release completely, as data?

A plan names the system, its parameters and the schema.  Command line, library and web page
make and run the same plan.  A plan file written by an old version keeps its meaning forever:
new keys may be added, none may change.
"""

from __future__ import annotations

import hashlib
import json
import tomllib
from dataclasses import dataclass, field, fields
from importlib.metadata import version
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from covey.errors import PlanError
from covey.table import Schema
from covey.table.toml import to_toml
from covey.written import parse_toml, read_written, unknown_key

if TYPE_CHECKING:
    from collections.abc import Mapping

VERSION = 1


_KEYS = (
    *("version", "covey", "system", "parameters", "attribute", "reading", "rules", "about"),
    *("random_state", "chosen_on_data", "nodes"),
)
"""What stands in a plan file at the top."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """A release described as data.

    Parameters
    ----------
    system : str
        A name in `covey.SYSTEMS`.
    parameters : mapping
        The system's parameters, as plain TOML values.
    schema : Schema, optional
        What covey may assume about the table; a graph has none.
    random_state : int, optional
        Seed of an experiment.  A release made with one is not for publication.
    nodes : int, optional
        How many nodes a graph has, if that is public: where one edge is protected.
    chosen_on_data : bool
        Whether the system or its parameters were chosen by looking at the data: a release then
        carries no guarantee of noise.
    """

    system: str
    parameters: Mapping[str, Any] = field(default_factory=dict)
    schema: Schema | None = None
    random_state: int | None = None
    chosen_on_data: bool = False
    nodes: int | None = None

    def __post_init__(self) -> None:
        """Freeze the parameters."""
        object.__setattr__(self, "parameters", MappingProxyType(dict(self.parameters)))

    def __reduce__(self) -> tuple[Any, ...]:
        """Make plans fit to be sent to other processes: a frozen mapping is not."""
        values = {part.name: getattr(self, part.name) for part in fields(self)}
        return _remade, (values | {"parameters": dict(self.parameters)},)

    def to_dict(self) -> dict[str, Any]:
        """Return the plan as plain TOML values."""
        parameters = {name: _plain(value) for name, value in self.parameters.items()}
        out: dict[str, Any] = {
            "version": VERSION,
            "covey": version("covey"),
            "system": self.system,
        }
        if self.random_state is not None:
            out["random_state"] = self.random_state
        if self.chosen_on_data:
            out["chosen_on_data"] = True
        if self.nodes is not None:
            out["nodes"] = self.nodes
        if self.schema is not None and self.schema.rules:
            out["rules"] = list(self.schema.rules)
        if self.schema is not None and self.schema.about.stated():
            out["about"] = self.schema.about.stated()
        out["parameters"] = {name: value for name, value in parameters.items() if value is not None}
        if self.schema is not None and self.schema.reading.stated():
            out["reading"] = self.schema.reading.stated()
        if self.schema is not None:
            out["attribute"] = self.schema.to_dicts()
        return out

    @property
    def fingerprint(self) -> str:
        """Return a short hash of the plan, the same for the same plan on every machine."""
        content = {key: value for key, value in self.to_dict().items() if key != "covey"}
        text = json.dumps(content, sort_keys=True, separators=(",", ":"), default=str)  # dates
        return hashlib.sha256(text.encode()).hexdigest()[:16]

    def to_toml(self) -> str:
        """Return the plan as the text of a plan file."""
        head = "# A covey plan.  Run it with: covey publish DATA --plan plan.toml -o FOLDER\n\n"
        return head + to_toml(self.to_dict())

    @classmethod
    def load(cls, path: str | Path) -> Plan:
        """Read a plan file."""
        path = Path(path)
        try:
            content = parse_toml(read_written(path))
        except OSError as error:
            raise PlanError(
                f"the plan {str(path)!r} cannot be read ({error.strerror}). Check the path; "
                f"`covey publish` writes a plan.toml into every release folder."
            ) from error
        except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
            raise PlanError(
                f"the plan {str(path)!r} is not valid TOML ({error}). Correct that line."
            ) from error
        if content.get("version") != VERSION or not isinstance(content.get("system"), str):
            raise PlanError(
                f"the file {str(path)!r} is not a plan that this covey understands: it needs "
                f"`version = {VERSION}` and a `system`. Take the plan.toml of a release folder."
            )
        if (wrong := unknown_key(content, _KEYS)) is not None:
            raise PlanError(f"the plan {str(path)!r} {wrong}")
        parameters, attributes = content.get("parameters", {}), content.get("attribute")
        if not isinstance(parameters, dict) or not isinstance(attributes, list | None):
            raise PlanError(
                f"the plan {str(path)!r} is damaged: `parameters` must be one table and "
                f"`attribute` a list of tables. Take the plan.toml of a release folder."
            )
        schema = (
            None
            if attributes is None
            else Schema.from_dicts(
                attributes,
                path.parent,
                content.get("reading"),
                content.get("rules", ()),
                content.get("about"),
            )
        )
        return cls(
            system=content["system"],
            parameters=parameters,
            schema=schema,
            random_state=content.get("random_state"),
            chosen_on_data=content.get("chosen_on_data", False) is not False,
            nodes=content.get("nodes"),
        )


def _remade(values: dict[str, Any]) -> Plan:
    return Plan(**values)


def _plain(value: Any) -> Any:
    return list(value) if isinstance(value, tuple) else value
