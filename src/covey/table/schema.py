"""What do the columns of a table mean?  Schemas, and how they are written down."""

from __future__ import annotations

import tomllib
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field, fields, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import polars as pl

from covey.errors import SchemaError, suggest
from covey.notebook import notebook_html
from covey.table.about import About
from covey.table.attribute import Attribute, Missing, Role, Scale
from covey.table.dialect import Dialect
from covey.table.formats import is_foreign, read_foreign, write_foreign
from covey.table.rules import Rule, parse_known, parse_rule, usable_rules
from covey.table.step import step_of_decimals
from covey.table.taxonomy_drafts import is_drafted
from covey.table.toml import to_toml
from covey.written import parse_toml, read_written, unknown_key

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator

REMINDER = (
    "# Facts listed under `drafted` were read off the data: no guarantee of noise may rely on\n"
    "# them.  Replace each by what you know from elsewhere (a law, a questionnaire, a code book)\n"
    "# and take it off the list; or let somebody who knows the columns confirm that it is true\n"
    "# whoever is in the data: covey schema --confirm FILE\n"
)


_TABLES = ("attribute", "reading", "rules", "about")
"""What stands in a schema file at the top."""


@dataclass(frozen=True, slots=True)
class Schema:
    """The attributes of a table, in the order of its columns.

    Parameters
    ----------
    attributes : tuple of Attribute
        One for each column.
    folder : Path
        Where relative taxonomy paths start: the folder of the schema's file.
    reading : Dialect
        How a file with the data is written, where that is not to be detected.
    rules : tuple of str
        What holds for every possible record, such as ``start <= end`` (`covey.table.rules`).
    about : About
        What the table is called, who publishes it, and what it is good for.
    reasons : mapping
        Why a draft says what it says, by column, in words; kept as comments in the file.
    notes : tuple of str
        What a file in another project's format left open, or said without a place for it here.
    """

    attributes: tuple[Attribute, ...]
    folder: Path = Path()
    notes: tuple[str, ...] = field(default=(), compare=False, repr=False)
    reading: Dialect = field(default_factory=Dialect, compare=False, repr=False)
    rules: tuple[str, ...] = ()
    about: About = field(default_factory=About)
    reasons: Mapping[str, tuple[str, ...]] = field(default_factory=dict, compare=False, repr=False)

    def __post_init__(self) -> None:
        """Refuse an empty schema and repeated names."""
        object.__setattr__(self, "attributes", tuple(self.attributes))
        if not self.attributes:
            raise SchemaError(
                "the schema describes no attribute, so there is nothing to publish. "
                "Add an [[attribute]] table for each column."
            )
        repeated = [name for name, times in Counter(self.names).items() if times > 1]
        if repeated:
            raise SchemaError(
                f"the schema describes {repeated[0]!r} more than once, so its meaning is unclear. "
                f"Keep one [[attribute]] for each column."
            )
        if len(self.with_role(Role.PERSON)) > 1:
            raise SchemaError(
                "the schema names several columns that say whose a record is, so it is not clear "
                'who is protected. Keep role = "person" for one, and call the others identifiers.'
            )
        object.__setattr__(self, "rules", _checked_rules(self.rules))

    @property
    def parsed_rules(self) -> tuple[Rule, ...]:
        """Return the rules about these columns, understood."""
        return parse_known(self.rules, self.attributes)

    @property
    def derived(self) -> frozenset[str]:
        """Return the columns that a rule computes from others: they need no noise of their own."""
        return frozenset(rule.derives for rule in self.parsed_rules if rule.derives)

    def __iter__(self) -> Iterator[Attribute]:
        """Iterate over the attributes in column order."""
        return iter(self.attributes)

    def __getitem__(self, name: str) -> Attribute:
        """Return the attribute of that name."""
        for attribute in self.attributes:
            if attribute.name == name:
                return attribute
        raise SchemaError(
            f"there is no attribute {name!r} in the schema. {suggest(name, self.names)}"
        )

    def to_frame(self) -> pl.DataFrame:
        """Return a row for each attribute: name, role, scale, and which facts are no public ones.

        Values that a draft read off the data are not in it.
        """
        return pl.DataFrame(
            [
                {
                    "name": each.name,
                    "role": str(each.role),
                    "scale": str(each.kind or each.scale),
                    "possible": _possible(each),
                    "missing": str(each.missing),
                    "drafted": ", ".join(self.drafted(each.name)),
                }
                for each in self
            ]
        )

    def _repr_html_(self) -> str:
        """Show what is said about each column in a notebook."""
        frame = self.to_frame()
        line = "Facts under 'drafted' were read off the data." if self.relies_on_data else ""
        title = f"Schema of {len(self.attributes)} columns"
        return notebook_html(title, [line], frame.columns, frame.rows())

    @property
    def names(self) -> tuple[str, ...]:
        """Return the attribute names in column order."""
        return tuple(attribute.name for attribute in self.attributes)

    def with_role(self, *roles: Role) -> tuple[Attribute, ...]:
        """Return the attributes that have one of these roles."""
        return tuple(attribute for attribute in self.attributes if attribute.role in roles)

    def updated(self, name: str, **changes: Any) -> Schema:
        """Return a schema in which one attribute has other properties."""
        changed = replace(self[name], **changes)
        kept = (changed if old.name == name else old for old in self.attributes)
        return replace(self, attributes=tuple(kept))

    def counting_persons(self, name: str, contributions: int) -> Schema:
        """Return a schema in which a column says whose a record is, and nothing else about it."""
        own = self[name]
        said = Attribute(
            name,
            role=Role.PERSON,
            scale=Scale.NOMINAL,
            contributions=contributions,
            missing_codes=own.missing_codes,
        )
        kept = (
            said
            if each.name == name
            else replace(each, role=Role.IDENTIFIER, contributions=None)
            if each.role is Role.PERSON
            else each
            for each in self.attributes
        )
        return replace(self, attributes=tuple(kept))

    def drafted(self, name: str) -> tuple[str, ...]:
        """Return which facts about a column were read off the data and confirmed by nobody.

        The file of a taxonomy carries its own mark.
        """
        attribute = self[name]
        facts = attribute.read_off
        if attribute.taxonomy is None or "taxonomy" in (*facts, *attribute.confirmed):
            return facts
        marked = is_drafted(self.folder / attribute.taxonomy)
        return (*facts, "taxonomy") if marked else facts

    @property
    def relies_on_data(self) -> bool:
        """Return whether a fact about any column was read off the data."""
        return any(self.drafted(name) for name in self.names)

    def dropping_for(self, published: Collection[str]) -> Schema:
        """Return a schema that leaves out records for the gaps of published columns alone.

        A gap elsewhere is nobody's reason to leave a record out: it stays there as it is.
        """
        kept = (
            replace(each, missing=Missing.CATEGORY)
            if each.drops and each.name not in published
            else each
            for each in self.attributes
        )
        return replace(self, attributes=tuple(kept))

    def for_plan(self, published: Collection[str], needed: Collection[str]) -> Schema:
        """Leave out what the plan of a release has no need to tell.

        A smallest income is somebody's income: it must not travel in the plan of a release
        that does not use it.

        Parameters
        ----------
        published : collection of str
            Columns of the release.  Of the others, a plan tells that they are not published,
            and which of their values may not be missing; no taxonomy of theirs.
        needed : collection of str
            Those whose bounds and categories were used.
        """
        kept = (
            _as_published(each, needed=each.name in needed)
            if each.name in published
            else _as_left_out(each)
            for each in self.attributes
        )
        rules = tuple(rule.text for rule in usable_rules(self.parsed_rules, published))
        return replace(self, attributes=tuple(kept), rules=rules, reasons={})

    @classmethod
    def draft(cls, source: Any, **reading: Any) -> Schema:
        """Draft a schema from data, marking every fact that was read off them.

        Parameters
        ----------
        source : path, dataframe or array
            As `covey.read_table` takes it.
        **reading
            As there: how a file is written, where it is not to be detected.
        """
        from covey.table.draft import draft_raw
        from covey.table.read import read_raw

        return draft_raw(read_raw(source, stated=Dialect.of(reading))[0])

    @classmethod
    def from_dicts(
        cls,
        items: Iterable[Mapping[str, Any]],
        folder: Path = Path(),
        reading: Any = None,
        rules: Any = (),
        about: Any = None,
    ) -> Schema:
        """Build a schema from TOML tables, refusing keys that mean nothing."""
        read = Dialect() if reading is None else Dialect.of(reading)
        described = About() if about is None else About.of(about)
        attributes = tuple(_attribute(item) for item in items)
        schema = cls(attributes, folder, reading=read, rules=rules, about=described)
        for rule in schema.rules:
            parse_rule(rule, schema.attributes)
        return schema

    def to_dicts(self) -> list[dict[str, Any]]:
        """Return the attributes as plain TOML tables."""
        return [attribute.to_dict() for attribute in self.attributes]

    @classmethod
    def load(cls, path: str | Path, *, table: str | None = None) -> Schema:
        """Read a schema from a file.

        Parameters
        ----------
        path : path
            A TOML file; SmartNoise metadata if it ends in ``.yaml`` or ``.yml``; a Frictionless
            Table Schema or CSVW metadata if it ends in ``.json``.  What these say counts as stated
            by their author and is marked as imported; it must not have been read off the data.
        table : str, optional
            Which table, if a file of another project describes several.

        Returns
        -------
        Schema
            Its ``notes`` say what the other format left open or covey has no place for.
        """
        path = Path(path)
        foreign = is_foreign(path)
        try:
            text = read_written(path, encoding="utf-8-sig" if foreign else "utf-8")
            content = {} if foreign else parse_toml(text)
        except OSError as error:
            raise SchemaError(
                f"the schema {str(path)!r} cannot be read ({error.strerror}). "
                f"Draft one with `covey schema DATA -o {path.name}`."
            ) from error
        except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
            kind = "UTF-8 text" if foreign else "TOML"
            raise SchemaError(
                f"the schema {str(path)!r} is not valid {kind} ({error}). Correct that line."
            ) from error
        if foreign:
            attributes, notes, about = read_foreign(text, path, table)
            return cls(attributes, path.parent, notes, about=about)
        items = content.get("attribute")
        if not isinstance(items, list):
            raise SchemaError(
                f"the schema {str(path)!r} has no [[attribute]] table, so it describes nothing. "
                f"Draft one with `covey schema DATA -o {path.name}`."
            )
        if (wrong := unknown_key(content, _TABLES)) is not None:
            raise SchemaError(f"the schema {str(path)!r} {wrong}")
        return cls.from_dicts(
            items,
            path.parent,
            content.get("reading"),
            content.get("rules", ()),
            content.get("about"),
        )

    def save(
        self,
        path: str | Path,
        *,
        format: str | None = None,  # noqa: A002
    ) -> tuple[str, ...]:
        """Write the schema, with a reminder above facts taken from the data.

        Parameters
        ----------
        path : path
            TOML, unless the name ends in ``.yaml`` or ``.yml`` (SmartNoise metadata), in
            ``-metadata.json`` (CSVW) or in another ``.json`` (Frictionless Table Schema).
        format : "smartnoise", "frictionless" or "csvw", optional
            If the name of the file does not tell.

        Returns
        -------
        tuple of str
            What the format cannot say about these attributes; nothing for TOML.  What was read
            off the data is not written in the others, where it would pass for public.
        """
        path = Path(path)
        if format is not None or is_foreign(path):
            text, notes = write_foreign(self.attributes, self.about, path, format)
            path.write_text(text, encoding="utf-8")
            return notes
        head = "# What covey may assume about this table.  See docs/guide/schema.md.\n"
        if self.relies_on_data:
            head += REMINDER
        if self.rules:
            head += "\n" + to_toml({"rules": list(self.rules)})
        parts = {"about": self.about.stated(), "reading": self.reading.stated()}
        body = "".join(to_toml({name: part}) + "\n" for name, part in parts.items() if part)
        for item in self.to_dicts():
            told = "".join(f"# {why}\n" for why in self.reasons.get(item["name"], ()))
            body += told + "[[attribute]]\n" + to_toml(item) + "\n"
        path.write_text(head + "\n" + body.rstrip() + "\n", encoding="utf-8")
        return ()


def _checked_rules(rules: Any) -> tuple[str, ...]:
    if isinstance(rules, str) or not all(isinstance(rule, str) for rule in rules):
        raise SchemaError(
            'the rules of the schema are no list of texts. Write `rules = ["start <= end"]`.'
        )
    return tuple(rules)


def _attribute(table: Any) -> Attribute:
    item = dict(table) if isinstance(table, Mapping) else {}
    name = item.pop("name", None)
    if not isinstance(name, str) or not name:
        raise SchemaError('an [[attribute]] has no name. Add `name = "COLUMN"` to each of them.')
    _read_old_marks(item, name)
    _read_decimals(item, name)
    known = {field.name for field in fields(Attribute)} - {"name"}
    for key in item:
        if key not in known:
            raise SchemaError(
                f"attribute {name!r} has a property {key!r} that means nothing here. "
                f"{suggest(key, known)}"
            )
    return Attribute(name, **item)


def _read_old_marks(item: dict[str, Any], name: str) -> None:
    """Understand the marks of older files: ``bounds_source = "data"``."""
    for fact in ("bounds", "categories"):
        source = item.pop(f"{fact}_source", "public")
        if source not in ("public", "data"):
            raise SchemaError(
                f"attribute {name!r} has {fact}_source = {source!r}, which means nothing here. "
                f"{suggest(str(source), ['data', 'public'])}"
            )
        if source == "data":
            item["drafted"] = [*item.get("drafted", ()), fact]


def _read_decimals(item: dict[str, Any], name: str) -> None:
    """Understand ``decimals = 2`` as another spelling of ``step = 0.01``."""
    if "decimals" not in item:
        return
    step = step_of_decimals(name, item.pop("decimals"))
    if item.get("step", step) != step:
        raise SchemaError(
            f"attribute {name!r} has a step and another number of decimals, which contradict each "
            f"other. Keep one of them."
        )
    item["step"] = step


def _as_published(attribute: Attribute, *, needed: bool) -> Attribute:
    """Return what a plan tells of a published column: not the extremes, if they are not used."""
    if needed:
        return attribute
    # Also those of an ordinal attribute: whoever has put them in order has taken off the mark.
    hidden = set(attribute.read_off) & {"bounds", "categories"}
    changes: dict[str, Any] = dict.fromkeys(hidden)
    marks = tuple(fact for fact in attribute.drafted if fact not in hidden)
    return replace(attribute, **changes, drafted=marks)


def _as_left_out(attribute: Attribute) -> Attribute:
    """Return what a plan tells of a column that is not published."""
    if not attribute.relies_on_data:
        return replace(attribute, taxonomy=None, description="")
    if not attribute.drops:
        return Attribute(attribute.name, role=Role.IDENTIFIER)
    marks = tuple(fact for fact in attribute.drafted if fact in ("missing", "role", "scale"))
    return Attribute(
        attribute.name,
        role=attribute.role,
        scale=attribute.scale,
        missing=attribute.missing,
        drafted=marks,
    )


def _possible(attribute: Attribute) -> str:
    """Say what values are possible, without any that was read off the data."""
    if attribute.categories is not None:
        return f"{len(attribute.categories)} categories"
    if attribute.taxonomy is not None:
        return "a taxonomy"
    if attribute.limits is None:
        return ""
    if "bounds" in attribute.drafted:
        return "bounds read off the data"
    return " to ".join(map(attribute.told, attribute.limits))
