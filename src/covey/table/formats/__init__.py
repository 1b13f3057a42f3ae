"""In which formats of other projects can a schema be read and written?"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from covey.errors import SchemaError, suggest
from covey.table.about import About
from covey.table.attribute import Attribute
from covey.table.formats import csvw, frictionless, smartnoise
from covey.table.formats.foreign import (
    Column,
    Described,
    attributes_of,
    foreign_columns,
    imported,
    notes_about,
    notes_on_loss,
)
from covey.table.provenance import FORMAT_TITLES

Syntax = Literal["yaml", "json"]
SYNTAXES: dict[str, Syntax] = {".yaml": "yaml", ".yml": "yaml", ".json": "json"}
"""How the content of a file is written, by the ending of its name."""

CSVW_ENDING = "-metadata.json"
"""What the W3C calls the file beside a table: ``people.csv-metadata.json``."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SchemaFormat:
    """A way to write down what the columns of a table mean.

    Parameters
    ----------
    name, title : str
        What it is called in code and in sentences.
    syntax : "yaml" or "json"
        What its files are written in.
    recognises : callable
        Whether content in that syntax is of this format.
    read : callable
        ``read(content, table)`` returns a `Described`.
    write : callable
        ``write(columns, title, about)`` returns plain content; ``title`` is the name of the file.
    """

    name: str
    title: str
    syntax: Syntax
    recognises: Callable[[Any], bool]
    read: Callable[[Any, str | None], Described]
    write: Callable[[Sequence[Column], str, About], dict[str, Any]]


FORMATS: dict[str, SchemaFormat] = {
    known.name: known
    for known in (
        SchemaFormat(
            name="smartnoise",
            title=FORMAT_TITLES["smartnoise"],
            syntax="yaml",
            recognises=smartnoise.recognises,
            read=smartnoise.read,
            write=smartnoise.write,
        ),
        SchemaFormat(
            name="csvw",
            title=FORMAT_TITLES["csvw"],
            syntax="json",
            recognises=csvw.recognises,
            read=csvw.read,
            write=csvw.write,
        ),
        SchemaFormat(
            name="frictionless",
            title=FORMAT_TITLES["frictionless"],
            syntax="json",
            recognises=frictionless.recognises,
            read=frictionless.read,
            write=frictionless.write,
        ),
    )
}


def is_foreign(path: Path) -> bool:
    """Return whether a file's name says that it is a schema of another project."""
    return path.suffix.lower() in SYNTAXES


def read_foreign(
    text: str, path: Path, table: str | None
) -> tuple[tuple[Attribute, ...], tuple[str, ...], About]:
    """Return the attributes that a text describes, notes on them, and what it says of the table."""
    syntax = SYNTAXES[path.suffix.lower()]
    content = _parsed(text, path, syntax)
    candidates = [known for known in FORMATS.values() if known.syntax == syntax]
    for candidate in candidates:
        if candidate.recognises(content):
            described = candidate.read(content, table)
            notes = (*described.notes, *notes_about(described.columns))
            about = About.of(described.about)
            return imported(described.columns, candidate.name), notes, about
    titles = " or ".join(known.title for known in candidates)
    raise SchemaError(
        f"the schema {str(path)!r} is not {titles}, so it describes nothing. "
        f"Compare it with docs/guide/schema.md."
    )


def write_foreign(
    attributes: Sequence[Attribute], about: About, path: Path, name: str | None
) -> tuple[str, tuple[str, ...]]:
    """Return attributes as the text of a file, and what that format cannot say about them."""
    chosen = _chosen(path, name)
    title = path.name.removesuffix(CSVW_ENDING).removesuffix(path.suffix).removesuffix(".csv")
    content = chosen.write(foreign_columns(attributes), title or "table", about)
    # What the format gives back is what it can say: nothing is lost in silence.
    described = chosen.read(content, None)
    notes = notes_on_loss(attributes, attributes_of(described.columns))
    lost = [key for key, text in about.stated().items() if described.about.get(key) != text]
    if lost:
        notes.append(f"This format cannot say the {', '.join(lost)} of the table, under [about].")
    return _written(content, chosen.syntax), tuple(notes)


def _chosen(path: Path, name: str | None) -> SchemaFormat:
    if name is None:
        csvw_file = path.name.lower().endswith(CSVW_ENDING)
        json_format = "csvw" if csvw_file else "frictionless"
        name = json_format if SYNTAXES[path.suffix.lower()] == "json" else "smartnoise"
    if name not in FORMATS:
        raise SchemaError(
            f"there is no format {name!r} for schemas, so nothing was written. "
            f"{suggest(name, FORMATS)}"
        )
    chosen = FORMATS[name]
    if SYNTAXES.get(path.suffix.lower()) != chosen.syntax:
        raise SchemaError(
            f"{chosen.title} is written in {chosen.syntax.upper()}, and {path.name!r} does not "
            f"end so: nothing was written. Choose a name that ends in .{chosen.syntax}."
        )
    return chosen


def _parsed(text: str, path: Path, syntax: Syntax) -> Any:
    try:
        if syntax == "json":
            return json.loads(text, object_pairs_hook=_without_repeats)
        return _parsed_yaml(text)
    except RecursionError:
        reason = "it is nested too deeply"
    except ValueError as error:
        reason = str(error)
    raise SchemaError(
        f"the schema {str(path)!r} is not valid {syntax.upper()} ({reason}). Correct that place."
    )


def _parsed_yaml(text: str) -> Any:
    import yaml

    class Loader(yaml.SafeLoader):
        """As safe as its parent, and it refuses to drop the first of two equal keys."""

        def construct_mapping(self, node: Any, deep: bool = False) -> dict[Any, Any]:
            names = [key.value for key, _ in node.value if isinstance(key, yaml.ScalarNode)]
            _refuse_repeats(names)
            return super().construct_mapping(node, deep=deep)

    try:
        return yaml.load(text, Loader)  # noqa: S506
    except yaml.MarkedYAMLError as error:
        line = "" if error.problem_mark is None else f", line {error.problem_mark.line + 1}"
        raise ValueError(f"{error.problem}{line}") from error
    except yaml.YAMLError as error:
        raise ValueError("it holds characters that YAML does not allow") from error


def _without_repeats(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    _refuse_repeats([name for name, _ in pairs])
    return dict(pairs)


def _refuse_repeats(names: Sequence[str]) -> None:
    repeated = [name for name, times in Counter(names).items() if times > 1]
    if repeated:
        raise ValueError(f"{repeated[0]!r} stands twice in one place")


def _written(content: dict[str, Any], syntax: Syntax) -> str:
    if syntax == "json":
        return json.dumps(content, indent=2, ensure_ascii=False, allow_nan=False) + "\n"
    import yaml

    text = yaml.safe_dump(content, sort_keys=False, allow_unicode=True)
    if any(line_end in text for line_end in "\x85\u2028\u2029"):
        # YAML folds these line ends into spaces unless they are escaped.
        text = yaml.safe_dump(content, sort_keys=False, allow_unicode=False)
    # The writer spells an empty key in two lines, which nobody would do by hand.
    return text.replace("? ''\n: ", "'':\n  ", 1)
