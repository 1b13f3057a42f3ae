"""Step 1, read: a file or a dataframe becomes a table with a schema."""

from covey.table.about import About
from covey.table.attribute import Attribute, Missing, Role, Scale
from covey.table.draft import draft_schema
from covey.table.grid import Grid
from covey.table.head import Head
from covey.table.provenance import Provenance
from covey.table.read import read_frame, read_table, to_kind, to_native
from covey.table.schema import Schema
from covey.table.table import Kind, Table, from_codes, from_texts, from_values
from covey.table.taxonomy import Taxonomy

__all__ = [
    "About",
    "Attribute",
    "Grid",
    "Head",
    "Kind",
    "Missing",
    "Provenance",
    "Role",
    "Scale",
    "Schema",
    "Table",
    "Taxonomy",
    "draft_schema",
    "from_codes",
    "from_texts",
    "from_values",
    "read_frame",
    "read_table",
    "to_kind",
    "to_native",
]
