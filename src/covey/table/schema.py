"""What do the columns of a table mean?  Schemas, and how they are written down."""

from __future__ import annotations

import tomllib
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field, fields, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from covey.errors import SchemaError, suggest
from covey.table.attribute import Attribute, Role, Scale, Source
from covey.table.formats import is_foreign, read_foreign, write_foreign
from covey.table.toml import to_toml

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator


@dataclass(frozen=True, slots=True)
class Schema:
    """The attributes of a table, in the order of its columns.

    Parameters
    ----------
    attributes : tuple of Attribute
        One for each column.
    folder : Path
        Where relative taxonomy paths start: the folder of the schema's file.
    notes : tuple of str
        What a file in another project's format left open, or said without a place for it here.
    """

    attributes: tuple[Attribute, ...]
    folder: Path = Path()
    notes: tuple[str, ...] = field(default=(), compare=False, repr=False)

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

    def without_data_facts(self, needed: Collection[str] = ()) -> Schema:
        """Leave out bounds and categories that were read off the data, but for the needed ones.

        A smallest income is somebody's income: it must not travel in the plan of a release
        that does not use it.  The categories of an ordinal attribute stay, because a person
        has put them in order.
        """
        schema = self
        for attribute in self.attributes:
            if attribute.name in needed or not attribute.relies_on_data:
                continue
            if attribute.bounds is not None:
                schema = schema.updated(attribute.name, bounds=None, bounds_source=Source.PUBLIC)
            elif attribute.scale is Scale.NOMINAL:
                public = {"categories": None, "categories_source": Source.PUBLIC}
                schema = schema.updated(attribute.name, **public)
        return schema

    @classmethod
    def draft(cls, source: Any) -> Schema:
        """Draft a schema from data, marking every bound that was read off them."""
        from covey.table.draft import draft_schema
        from covey.table.io import read_frame

        return draft_schema(read_frame(source)[0])

    @classmethod
    def from_dicts(cls, items: Iterable[Mapping[str, Any]], folder: Path = Path()) -> Schema:
        """Build a schema from TOML tables, refusing keys that mean nothing."""
        return cls(tuple(_attribute(item) for item in items), folder)

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
            Table Schema or CSVW metadata if it ends in ``.json``.  Bounds and categories in these
            count as public; they must not have been read off the data.
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
            text = path.read_text(encoding="utf-8-sig" if foreign else "utf-8")
            content = {} if foreign else tomllib.loads(text)
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
            attributes, notes = read_foreign(text, path, table)
            return cls(attributes, path.parent, notes)
        items = content.get("attribute")
        if not isinstance(items, list):
            raise SchemaError(
                f"the schema {str(path)!r} has no [[attribute]] table, so it describes nothing. "
                f"Draft one with `covey schema DATA -o {path.name}`."
            )
        return cls.from_dicts(items, path.parent)

    def save(
        self,
        path: str | Path,
        *,
        format: str | None = None,  # noqa: A002
    ) -> tuple[str, ...]:
        """Write the schema, with a reminder above bounds taken from the data.

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
            What the format cannot say about these attributes; nothing for TOML.  Bounds and
            categories that were read off the data are not written in the others, where they
            would pass for public.
        """
        path = Path(path)
        if format is not None or is_foreign(path):
            text, notes = write_foreign(self.attributes, path, format)
            path.write_text(text, encoding="utf-8")
            return notes
        head = "# What covey may assume about this table.  See docs/guide/schema.md.\n"
        if any(attribute.relies_on_data for attribute in self.attributes):
            head += (
                '# Bounds marked `bounds_source = "data"` and categories marked\n'
                '# `categories_source = "data"` were read off the data: no guarantee of noise may\n'
                "# rely on them.  Replace each by what you know from elsewhere (a law, a\n"
                "# questionnaire, a code book), then delete the mark.\n"
            )
        body = to_toml({"attribute": self.to_dicts()})
        path.write_text(head + "\n" + body, encoding="utf-8")
        return ()


def _attribute(table: Any) -> Attribute:
    item = dict(table) if isinstance(table, Mapping) else {}
    name = item.pop("name", None)
    if not isinstance(name, str) or not name:
        raise SchemaError('an [[attribute]] has no name. Add `name = "COLUMN"` to each of them.')
    known = {field.name for field in fields(Attribute)} - {"name"}
    for key in item:
        if key not in known:
            raise SchemaError(
                f"attribute {name!r} has a property {key!r} that means nothing here. "
                f"{suggest(key, known)}"
            )
    return Attribute(name, **item)
