"""Schemas of other projects are read as they mean it, and nothing is lost in silence."""

from __future__ import annotations

import json
from dataclasses import fields, replace
from pathlib import Path

import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st

from covey import About, Attribute, Missing, Role, Scale, Schema, read_table
from covey.errors import BoundsError, SchemaError
from covey.table.formats import FORMATS
from covey.table.formats.foreign import attributes_of, notes_about
from tests.table.test_schema import schemas

ENDINGS = {"smartnoise": "x.yaml", "frictionless": "x.json", "csvw": "x.csv-metadata.json"}


def load(tmp_path: Path, name: str, content: object, **options: str) -> Schema:
    """Write content as the text of a file, or as JSON, and read it as a schema."""
    text = content if isinstance(content, str) else json.dumps(content)
    (tmp_path / name).write_text(text, encoding="utf-8")
    return Schema.load(tmp_path / name, **options)


def unmarked(schema: Schema) -> tuple[Attribute, ...]:
    """Return the attributes without a word on where their facts come from."""
    return tuple(replace(each, imported=(), imported_from="") for each in schema)


def said(schema: Schema, *words: str) -> bool:
    """Return whether one note holds all these words."""
    return any(all(word in note for word in words) for note in schema.notes)


CLINIC = """
"":
  hospital:
    visits:
      max_ids: 3
      rows: 5000
      censor_dims: false
      clamp_columns: false
      patient:
        type: int
        private_id: true
      age:
        type: int
        lower: 0
        upper: 110
        nullable: false
      '"blood-pressure"':
        type: float
        lower: 40
        upper: 2.6e+2
        missing_value: 120
      weight:
        type: float
        lower: 0
        sensitivity: 5
      ward:
        type: string
        cardinality: 7
      smoker:
        type: boolean
      admitted:
        type: datetime
      height:
        type: float
        lower: 0
        upper: 250
        nullable: true
"""


@pytest.fixture
def clinic(tmp_path: Path) -> Schema:
    return load(tmp_path, "clinic.yaml", CLINIC)


def test_smartnoise_metadata_become_attributes(clinic: Schema) -> None:
    assert unmarked(clinic) == (
        Attribute("patient", role=Role.IDENTIFIER, integer=True),
        Attribute("age", bounds=(0, 110), integer=True),
        Attribute("blood-pressure", bounds=(40, 260), missing=Missing.IMPUTE, impute=120),
        Attribute("weight"),
        Attribute("ward", scale=Scale.NOMINAL),
        Attribute("smoker", scale=Scale.NOMINAL, categories=("false", "true")),
        Attribute("admitted", role=Role.IDENTIFIER, scale=Scale.NOMINAL),
        Attribute("height", bounds=(0, 250)),
    )


def test_facts_of_a_file_are_imported_and_those_that_covey_takes_for_granted_are_not(
    clinic: Schema, tmp_path: Path
) -> None:
    assert {each.name: each.imported for each in clinic} == {
        "patient": ("integer", "role"),
        "age": ("bounds", "missing", "integer"),
        "blood-pressure": ("bounds", "missing"),
        "weight": (),
        "ward": (),
        "smoker": (),
        "admitted": (),
        "height": ("bounds",),
    }
    assert [each.imported_from for each in clinic if each.imported] == ["smartnoise"] * 4
    clinic.save(tmp_path / "clinic.toml")
    assert Schema.load(tmp_path / "clinic.toml").attributes == clinic.attributes


def test_what_smartnoise_says_and_covey_does_not_do_is_noted(clinic: Schema) -> None:
    assert said(clinic, "up to 3 records", "3 times as large", "divide epsilon by 3")
    assert said(clinic, "Options of SmartNoise", "rows", "censor_dims")
    assert said(clinic, "moves values outside the bounds")
    assert said(clinic, "'sensitivity' of weight")
    assert said(clinic, "'cardinality' of ward")
    assert said(clinic, "Only one bound", "weight")
    assert said(clinic, "cannot publish the values of admitted", "identifiers")
    assert said(clinic, '"true"', "smoker")
    assert said(clinic, "may be missing in height", "`missing`")


def test_what_a_person_must_still_decide_is_noted(clinic: Schema) -> None:
    roles = next(note for note in clinic.notes if "quasi-identifiers" in note)

    assert "age, blood-pressure, weight, ward, smoker, height" in roles
    assert "patient" not in roles
    assert said(clinic, "possible values of ward")


def test_a_person_who_is_not_a_record_is_pointed_out(tmp_path: Path) -> None:
    table = "d: {s: {t: {%s pid: {type: int, private_id: true}, age: {type: int}}}}"

    once = load(tmp_path, "once.yaml", table % "")
    rows = load(tmp_path, "rows.yaml", table % "row_privacy: true,")

    assert said(once, "each value of pid", "takes each record for a person")
    assert not said(rows, "takes each record for a person")


def test_a_column_may_be_called_like_an_option(tmp_path: Path) -> None:
    schema = load(tmp_path, "s.yaml", "d: {s: {t: {rows: {type: int, lower: 0, upper: 9}}}}")

    assert schema["rows"].bounds == (0, 9)


def test_one_of_several_tables_is_read_by_its_name(tmp_path: Path) -> None:
    two = "d: {s: {a: {x: {type: int}}, b: {y: {type: float}}}}"

    assert load(tmp_path, "two.yaml", two, table="b").names == ("y",)
    with pytest.raises(SchemaError, match=r"several tables \(a, b\).*--table"):
        load(tmp_path, "two.yaml", two)
    with pytest.raises(SchemaError, match=r"no table 'c'.*Known: a, b"):
        load(tmp_path, "two.yaml", two, table="c")


SURVEY = {
    "fields": [
        {"name": "respondent", "type": "string", "constraints": {"unique": True}},
        {"name": "age", "type": "integer", "constraints": {"minimum": 18, "maximum": "99"}},
        {
            "name": "income",
            "type": "number",
            "constraints": {"exclusiveMinimum": 0, "maximum": 9e6},
        },
        {"name": "town", "type": "string", "constraints": {"enum": ["A", "B"], "required": True}},
        {
            "name": "pain",
            "type": "string",
            "categories": [{"value": "none", "label": "No pain"}, {"value": "strong"}],
            "categoriesOrdered": True,
        },
        {"name": "sex", "type": "integer", "categories": [1, 2]},
        {"name": "rooms", "type": "integer", "constraints": {"enum": [1, 2, 5]}},
        {"name": "vote", "type": "boolean", "trueValues": ["yes"], "falseValues": ["no"]},
        {"name": "born", "type": "year", "title": "Year of birth"},
        {"name": "when", "type": "datetime", "format": "%Y"},
        {"name": "remark"},
    ],
    "primaryKey": "respondent",
    "missingValues": ["", "-99"],
    "foreignKeys": [],
}


def test_a_frictionless_table_schema_becomes_attributes(tmp_path: Path) -> None:
    schema = load(tmp_path, "survey.json", SURVEY)

    assert unmarked(schema) == (
        Attribute("respondent", role=Role.IDENTIFIER, scale=Scale.NOMINAL),
        Attribute("age", bounds=(18, 99), integer=True),
        Attribute("income", bounds=(0, 9e6)),
        Attribute("town", scale=Scale.NOMINAL, categories=("A", "B"), missing=Missing.REFUSE),
        Attribute("pain", scale=Scale.ORDINAL, categories=("none", "strong")),
        Attribute("sex", scale=Scale.NOMINAL, categories=("1", "2")),
        Attribute("rooms", bounds=(1, 5), integer=True),
        Attribute("vote", scale=Scale.NOMINAL, categories=("no", "yes")),
        Attribute("born", integer=True),
        Attribute("when", role=Role.IDENTIFIER, scale=Scale.NOMINAL),
        Attribute("remark", scale=Scale.NOMINAL),
    )
    assert said(schema, "respondent is the primary key", "identifier")
    assert said(schema, "missing values are written as", "-99", "Replace")
    assert said(schema, "foreignKeys of the table")
    assert said(schema, "'unique' of respondent")
    assert said(schema, "'enum' of rooms")
    assert said(schema, "'title' of born")
    assert said(schema, "'format' of when")


def test_a_table_schema_is_found_in_a_resource_and_in_a_package(tmp_path: Path) -> None:
    resource = {"name": "survey", "path": "survey.csv", "schema": {"fields": [{"name": "a"}]}}
    other = {"name": "other", "schema": {"fields": [{"name": "b"}]}}

    assert load(tmp_path, "r.json", resource).names == ("a",)
    assert load(tmp_path, "p.json", {"resources": [resource]}).names == ("a",)
    assert load(tmp_path, "p.json", {"resources": [resource, other]}, table="other").names == ("b",)


TREES = {
    "@context": ["http://www.w3.org/ns/csvw", {"@language": "en"}],
    "url": "trees.csv",
    "dc:title": "Trees",
    "null": "NA",
    "tableSchema": {
        "datatype": "decimal",
        "primaryKey": "tree%20id",
        "columns": [
            {"name": "tree%20id", "datatype": "token"},
            {"titles": "height in m", "datatype": {"base": "double", "minimum": 0, "maximum": 120}},
            {"titles": {"en": ["rings"]}, "datatype": {"base": "byte", "minExclusive": 0}},
            {"titles": ["kind", "species"], "datatype": {"format": "oak|ash \\(old\\)"}},
            {"name": "code", "datatype": {"base": "string", "format": "[A-Z]{3}"}},
            {"name": "alive", "required": True, "datatype": {"base": "boolean", "format": "Y|N"}},
            {"name": "girth", "default": "0"},
            {"name": "visits", "datatype": "date", "separator": ";"},
            {"name": "link", "virtual": True},
        ],
    },
}


def test_csvw_metadata_become_attributes(tmp_path: Path) -> None:
    schema = load(tmp_path, "trees.csv-metadata.json", TREES)

    assert unmarked(schema) == (
        Attribute("tree id", role=Role.IDENTIFIER, scale=Scale.NOMINAL),
        Attribute("height in m", bounds=(0, 120)),
        Attribute("rings", integer=True),
        Attribute("kind", scale=Scale.NOMINAL, categories=("oak", "ash (old)")),
        Attribute("code", scale=Scale.NOMINAL),
        Attribute("alive", scale=Scale.NOMINAL, categories=("N", "Y"), missing=Missing.REFUSE),
        Attribute("girth", missing=Missing.IMPUTE, impute=0),
        Attribute("visits", role=Role.IDENTIFIER, scale=Scale.NOMINAL),
    )
    assert said(schema, "primary key is taken for an identifier")
    assert said(schema, "Virtual columns")
    assert schema.about == About(title="Trees")
    assert not said(schema, "dc:title")
    assert said(schema, "'format' of code")
    assert said(schema, "'null' of tree id, height in m")
    assert said(schema, "Only one bound", "rings")


def test_one_table_of_a_csvw_group_is_read(tmp_path: Path) -> None:
    tables = [{"url": f"{name}.csv", "tableSchema": {"columns": [{"name": name}]}} for name in "ab"]
    group = {"@context": "http://www.w3.org/ns/csvw", "tables": tables}

    assert load(tmp_path, "g.json", group, table="b.csv").names == ("b",)


@pytest.mark.parametrize("ending", ENDINGS.values())
@given(schema=schemas)
@settings(max_examples=25)
def test_what_does_not_read_back_is_named(
    tmp_path_factory: pytest.TempPathFactory, ending: str, schema: Schema
) -> None:
    path = tmp_path_factory.mktemp("schema") / ending

    notes = schema.save(path)

    read_back = Schema.load(path)
    assert read_back.names == schema.names
    for old, new in zip(schema, read_back, strict=True):
        for field in fields(Attribute):
            if field.name.startswith(("drafted", "confirmed", "imported")):
                continue
            if getattr(old, field.name) != getattr(new, field.name):
                fact = "missing" if field.name == "impute" else field.name
                lost = "off the data" if fact in old.read_off else f"`{field.name}` of"
                assert any(lost in note and old.name in note for note in notes)
        assert not new.relies_on_data
        hidden = [fact for fact in old.read_off if fact not in ("role", "scale")]
        assert not set(hidden) & set(new.imported), "what was read off would pass for public"


PUBLIC = Schema(
    (
        Attribute("age", bounds=(0, 120), integer=True),
        Attribute("income", bounds=(-0.5, 1e7)),
        Attribute("sex", scale=Scale.NOMINAL, categories=("f", "m"), missing=Missing.REFUSE),
        Attribute("street | no. (5)", scale=Scale.NOMINAL, categories=("a|b", "c\\d", "[e]")),
    )
)


@pytest.mark.parametrize("ending", ["x.json", "x.csv-metadata.json"])
def test_a_schema_of_public_facts_survives_both_json_formats(tmp_path: Path, ending: str) -> None:
    assert PUBLIC.save(tmp_path / ending) == ()

    assert unmarked(Schema.load(tmp_path / ending)) == PUBLIC.attributes


def test_ordered_categories_survive_in_frictionless_alone(tmp_path: Path) -> None:
    pain = Attribute("pain", scale=Scale.ORDINAL, categories=("none", "mild", "strong"))

    lost = {name: Schema((pain,)).save(tmp_path / end) for name, end in ENDINGS.items()}

    assert lost["frictionless"] == ()
    assert lost["csvw"] == ("This format cannot say the `scale` of pain.",)
    assert "This format cannot say the `categories` of pain." in lost["smartnoise"]


def test_identifiers_and_imputed_values_survive_in_smartnoise(tmp_path: Path) -> None:
    schema = Schema(
        (
            Attribute("pid", role=Role.IDENTIFIER, scale=Scale.NOMINAL),
            Attribute("age", bounds=(0, 120), missing=Missing.IMPUTE, impute=40),
        )
    )

    assert schema.save(tmp_path / "x.yml") == ()

    assert unmarked(Schema.load(tmp_path / "x.yml")) == schema.attributes


@pytest.mark.parametrize("ending", ENDINGS.values())
def test_a_special_value_for_missing_ones_is_named_as_lost(tmp_path: Path, ending: str) -> None:
    gain = Attribute("gain", bounds=(1, 9), special=(0,), missing=Missing.IMPUTE, impute=0)

    notes = Schema((gain,)).save(tmp_path / ending)

    assert {field for field in ("special", "impute", "missing") if f"`{field}`" in str(notes)} == {
        *("special", "impute", "missing")
    }
    assert Schema.load(tmp_path / ending)["gain"].bounds == (1, 9)


@pytest.mark.parametrize("ending", ENDINGS.values())
def test_a_word_for_missing_numbers_is_named_as_lost(tmp_path: Path, ending: str) -> None:
    grade = Attribute("grade", scale=Scale.ORDINAL, bounds=(1, 6), missing="impute", impute="six")

    notes = Schema((grade,)).save(tmp_path / ending)

    assert "This format cannot say the `impute` of grade." in notes


@pytest.mark.parametrize("ending", ENDINGS.values())
def test_facts_read_off_the_data_are_not_passed_off_as_public(tmp_path: Path, ending: str) -> None:
    drafted = Schema(
        (
            Attribute("income", bounds=(17.25, 7777777), drafted=("bounds",)),
            Attribute("town", scale=Scale.NOMINAL, categories=("Q", "Z"), drafted=("categories",)),
        )
    )

    notes = drafted.save(tmp_path / ending)

    text = (tmp_path / ending).read_text(encoding="utf-8")
    assert "7777777" not in text
    assert "17.25" not in text
    assert "Z" not in text
    assert any("read off the data about income, town was not written" in note for note in notes)
    assert Schema.load(tmp_path / ending)["income"].bounds is None


def test_smartnoise_metadata_are_written_as_smartnoise_reads_them(tmp_path: Path) -> None:
    Schema((Attribute("sale-amount", bounds=(0, 100), integer=True),)).save(tmp_path / "sales.yaml")

    text = (tmp_path / "sales.yaml").read_text(encoding="utf-8")
    column = {"type": "int", "lower": 0, "upper": 100, "nullable": False}
    table = {"row_privacy": True, '"sale-amount"': column}
    assert yaml.safe_load(text) == {"": {"sales": {"sales": table}}}
    assert text.startswith("'':\n  sales:\n")


def test_csvw_names_are_tokens_and_titles_are_headers(tmp_path: Path) -> None:
    Schema((Attribute("_my-col ü", bounds=(0, 1)),)).save(tmp_path / "a b.csv-metadata.json")

    written = json.loads((tmp_path / "a b.csv-metadata.json").read_text(encoding="utf-8"))
    (column,) = written["tableSchema"]["columns"]
    assert written["url"] == "a%20b.csv"
    assert column["name"] == "%5Fmy%2Dcol%20%C3%BC"
    assert column["titles"] == "_my-col ü"


def test_a_format_may_be_named_where_the_ending_does_not_tell(tmp_path: Path) -> None:
    PUBLIC.save(tmp_path / "x.json", format="csvw")

    assert "tableSchema" in json.loads((tmp_path / "x.json").read_text(encoding="utf-8"))
    with pytest.raises(SchemaError, match=r"no format 'cvsw'.*Did you mean 'csvw'"):
        PUBLIC.save(tmp_path / "y.json", format="cvsw")
    with pytest.raises(SchemaError, match=r"written in YAML.*ends in \.yaml"):
        PUBLIC.save(tmp_path / "y.json", format="smartnoise")
    assert not (tmp_path / "y.json").exists()


def test_a_table_carries_the_notes_of_its_schema(tmp_path: Path, clinic: Schema) -> None:
    (tmp_path / "x.csv").write_text("age\n3\n", encoding="utf-8")

    table = read_table(tmp_path / "x.csv", Schema((clinic["age"],), tmp_path, clinic.notes))

    assert table.notes == clinic.notes


FAULTS: dict[str, tuple[str, str, str]] = {
    "no YAML": ("x.yaml", "a: [1", r"is not valid YAML \(.*line"),
    "a YAML tag": ("x.yaml", "a: !!python/object:os.system {}", r"is not valid YAML"),
    "a YAML control character": ("x.yaml", "a: \x01", r"is not valid YAML"),
    "a YAML date that is none": ("x.yaml", "a: {b: {c: 2020-99-99}}", r"is not valid YAML"),
    "an empty file": ("x.yaml", "", r"is not SmartNoise metadata"),
    "a YAML list": ("x.yaml", "[1, 2]", r"is not SmartNoise metadata"),
    "flat YAML": ("x.yaml", "a: 1", r"is not SmartNoise metadata"),
    "a table without columns": ("x.yaml", "d: {s: {t: {}}}", r"describes no attribute"),
    "no table": ("x.yaml", "d: {s: {}}", r"describes no table"),
    "a schema that is a number": ("x.yaml", "d: {s: 1}", r"SQL schema 's' does not hold"),
    "a name that is a truth value": ("x.yaml", "d: {s: {t: {no: {type: int}}}}", r"in quotes"),
    "a repeated column": (
        "x.yaml",
        "d: {s: {t: {a: {type: int}, a: {type: float}}}}",
        r"'a' stands twice",
    ),
    "a type of nobody": ("x.yaml", "d: {s: {t: {a: {type: integer}}}}", r"'integer'.*'int'"),
    "no type": ("x.yaml", "d: {s: {t: {a: {lower: 1}}}}", r"has the type None"),
    "a type that is a list": ("x.yaml", "d: {s: {t: {a: {type: []}}}}", r"has the type \[\]"),
    "a bound that is a word": (
        "x.yaml",
        "d: {s: {t: {a: {type: int, lower: low}}}}",
        r"'lower' of column 'a' is not a number",
    ),
    "a bound that is a truth value": (
        "x.yaml",
        "d: {s: {t: {a: {type: int, lower: yes}}}}",
        r"is not a number",
    ),
    "an infinite bound": (
        "x.yaml",
        "d: {s: {t: {a: {type: float, lower: 0, upper: .inf}}}}",
        r"are not finite",
    ),
    "bounds the wrong way round": (
        "x.yaml",
        "d: {s: {t: {a: {type: int, lower: 9, upper: 1}}}}",
        r"wrong way round",
    ),
    "a private id that is a word": (
        "x.yaml",
        "d: {s: {t: {a: {type: int, private_id: maybe}}}}",
        r"'private_id' of column 'a' is neither true nor false",
    ),
    "no JSON": ("x.json", "{", r"is not valid JSON"),
    "JSON that is too deep": ("x.json", "[" * 100_000, r"is not valid JSON \(it is nested"),
    "a repeated key": ("x.json", '{"fields": [], "fields": []}', r"'fields' stands twice"),
    "other JSON": ("x.json", "{}", r"is not CSVW metadata or a Frictionless Table Schema"),
    "a JSON number": ("x.json", "1", r"is not CSVW metadata or"),
    "no fields": ("x.json", '{"fields": []}', r"`fields` is not a list with something"),
    "a field that is a text": ("x.json", '{"fields": ["a"]}', r"a field does not hold names"),
    "a field without a name": ("x.json", '{"fields": [{}]}', r"a field has no name"),
    "a field of an unknown type": (
        "x.json",
        '{"fields": [{"name": "a", "type": "int"}]}',
        r"type 'int'.*Did you mean 'integer'",
    ),
    "a list of values that is none": (
        "x.json",
        '{"fields": [{"name": "a", "type": "string", "constraints": {"enum": "ab"}}]}',
        r"'enum' of column 'a' is not a list",
    ),
    "values that are lists": (
        "x.json",
        '{"fields": [{"name": "a", "type": "string", "constraints": {"enum": [[1]]}}]}',
        r"'enum' of column 'a' is not a list of values",
    ),
    "a bound beyond all numbers": (
        "x.json",
        '{"fields": [{"name": "a", "type": "number", "constraints": {"minimum": 1%s}}]}'
        % ("0" * 400),
        r"'minimum' of column 'a' is not a number",
    ),
    "no columns": ("x.json", '{"tableSchema": {}}', r"`columns` is not a list"),
    "no schema in CSVW": ("x.json", '{"@context": "x"}', r"`tableSchema` does not hold"),
    "a column without a name": ("x.json", '{"tableSchema": {"columns": [{}]}}', r"neither a name"),
    "a datatype of nobody": (
        "x.json",
        '{"tableSchema": {"columns": [{"name": "a", "datatype": "strin"}]}}',
        r"datatype 'strin'.*Did you mean 'string'",
    ),
    "a default that is no number": (
        "x.json",
        '{"tableSchema": {"columns": [{"name": "a", "datatype": "int", "default": "?"}]}}',
        r"'default' of column 'a' is not a number",
    ),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_a_faulty_file_is_refused_and_explained(tmp_path: Path, fault: str) -> None:
    name, content, explanation = FAULTS[fault]

    with pytest.raises(SchemaError, match=explanation):
        load(tmp_path, name, content)


def test_a_file_that_is_no_text_or_not_there_is_refused(tmp_path: Path) -> None:
    (tmp_path / "x.yaml").write_bytes(b"\xff\xfe\xff")

    with pytest.raises(SchemaError, match="not valid UTF-8 text"):
        Schema.load(tmp_path / "x.yaml")
    with pytest.raises(SchemaError, match="cannot be read"):
        Schema.load(tmp_path / "y.json")


leaves = st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5)
KEYS = (
    "fields",
    "name",
    "type",
    "constraints",
    "minimum",
    "enum",
    "categories",
    "schema",
    "tables",
)
KEYS += ("resources", "tableSchema", "columns", "datatype", "base", "format", "titles", "default")
KEYS += ("primaryKey", "null", "lower", "upper", "private_id", "missing_value", "int", "max_ids")
words = st.sampled_from(KEYS) | st.text(max_size=3)
content = st.recursive(
    leaves | words,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(words, inner, max_size=4),
    max_leaves=20,
)


@pytest.mark.parametrize("name", FORMATS)
@given(content=content)
@settings(max_examples=80)
def test_any_content_is_read_or_refused_and_never_crashes(name: str, content: object) -> None:
    try:
        described = FORMATS[name].read(content, None)
        attributes = attributes_of(described.columns)
    except SchemaError:
        return
    assert len(attributes) == len(described.columns)
    assert all(isinstance(note, str) for note in notes_about(described.columns))


def test_bounds_are_checked_like_those_of_a_toml_file(tmp_path: Path) -> None:
    with pytest.raises(BoundsError):
        load(tmp_path, "x.yaml", "d: {s: {t: {a: {type: int, lower: 1, upper: 1}}}}")
