"""A schema survives its file, and every contradiction in it is named and explained."""

from __future__ import annotations

import math
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from covey import Attribute, Missing, Role, Scale, Schema
from covey.errors import BoundsError, SchemaError
from covey.table.provenance import FACTS

texts = st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=10)
finite = st.floats(-1e9, 1e9)


@st.composite
def marks(draw: st.DrawFn) -> dict[str, object]:
    """Draw where each fact comes from; those without a mark are stated."""
    sources = st.sampled_from(["stated", "drafted", "confirmed", "imported"])
    by_fact = {fact: draw(sources) for fact in FACTS}
    marked: dict[str, object] = {
        source: tuple(fact for fact in by_fact if by_fact[fact] == source)
        for source in ("drafted", "confirmed", "imported")
    }
    if marked["confirmed"]:
        marked["confirmed_by"] = draw(st.one_of(st.just(""), texts))
    if marked["imported"]:
        marked["imported_from"] = draw(st.sampled_from(["smartnoise", "csvw", "frictionless"]))
    return marked


@st.composite
def attributes(draw: st.DrawFn) -> Attribute:
    """Draw an attribute without contradictions."""
    scale = draw(st.sampled_from(list(Scale)))
    categories = draw(st.lists(texts, min_size=2, max_size=4, unique=True))
    properties: dict[str, object] = {
        "role": draw(st.sampled_from(list(Role))),
        "scale": scale,
        "unit": draw(st.one_of(st.just(""), texts)),
    }
    policies = [Missing.REFUSE, Missing.DROP, Missing.IMPUTE, Missing.CATEGORY]
    if scale is Scale.NUMERIC:
        low, high = draw(st.tuples(finite, finite).filter(lambda ends: ends[0] < ends[1]))
        properties |= {
            "bounds": (low, high),
            "integer": draw(st.booleans()),
            "special": draw(st.sampled_from([None, (0,), (-9, 0, 1e6)])),
        }
        public = draw(st.sampled_from([low, high, min(max(0, low), high)]))
    else:
        properties |= {
            "categories": tuple(categories),
        }
        public = draw(st.sampled_from(categories))
    if scale is Scale.NOMINAL:
        properties["taxonomy"] = draw(st.one_of(st.none(), texts))
    properties["missing"] = draw(st.sampled_from(policies))
    if properties["missing"] is Missing.IMPUTE:
        properties["impute"] = public
    if properties["role"] is Role.PERSON:
        properties["contributions"] = draw(st.one_of(st.none(), st.integers(1, 9)))
    if properties["role"] is Role.WEIGHT:
        kept = {"integer": properties.get("integer", False), "unit": properties["unit"]}
        properties = {**kept, "role": Role.WEIGHT, "bounds": (0.0, draw(st.floats(1.0, 1e6)))}
    return Attribute(draw(texts), **properties, **draw(marks()))


def one_person(drawn: list[Attribute]) -> Schema:
    """Let at most one column say whose a record is."""
    first = next((each.name for each in drawn if each.role is Role.PERSON), None)
    return Schema(
        tuple(
            replace(each, role=Role.IDENTIFIER, contributions=None)
            if each.role is Role.PERSON and each.name != first
            else each
            for each in drawn
        )
    )


schemas = st.lists(attributes(), min_size=1, max_size=5, unique_by=lambda each: each.name).map(
    one_person
)


@given(schema=schemas)
def test_a_schema_reads_back_from_its_file_as_it_was(
    tmp_path_factory: pytest.TempPathFactory, schema: Schema
) -> None:
    path = tmp_path_factory.mktemp("schema") / "people.toml"

    schema.save(path)

    assert Schema.load(path).attributes == schema.attributes


def test_a_public_value_of_zero_for_missing_ones_survives_the_file(tmp_path: Path) -> None:
    schema = Schema((Attribute("children", missing="impute", impute=0),))

    schema.save(tmp_path / "people.toml")

    assert Schema.load(tmp_path / "people.toml")["children"].impute == 0


def test_special_values_survive_the_file(tmp_path: Path) -> None:
    schema = Schema((Attribute("gain", bounds=(1, 9), special=[0, -9]),))

    schema.save(tmp_path / "people.toml")

    assert "special = [" in (tmp_path / "people.toml").read_text("utf-8")
    assert Schema.load(tmp_path / "people.toml")["gain"].special == (0.0, -9.0)


def test_a_missing_value_may_be_imputed_by_a_special_value_outside_the_bounds() -> None:
    attribute = Attribute("gain", bounds=(1, 9), special=[-9], missing="impute", impute=-9)

    assert attribute.impute == -9


def test_a_file_says_above_all_which_facts_were_read_off_the_data(tmp_path: Path) -> None:
    marked = Attribute("age", bounds=(18, 89), drafted=["bounds"])

    Schema((marked,)).save(tmp_path / "marked.toml")
    Schema((Attribute("age", bounds=(0, 120)),)).save(tmp_path / "public.toml")

    assert "no guarantee of noise may" in (tmp_path / "marked.toml").read_text("utf-8")
    assert "no guarantee" not in (tmp_path / "public.toml").read_text("utf-8")


def test_taxonomy_paths_start_at_the_folder_of_the_schema_file(tmp_path: Path) -> None:
    Schema((Attribute("town", scale="nominal", taxonomy="towns.csv"),)).save(tmp_path / "s.toml")

    assert Schema.load(tmp_path / "s.toml").folder == tmp_path


def test_roles_and_scales_may_be_written_as_words() -> None:
    attribute = Attribute("town", role="confidential", scale="nominal")

    assert (attribute.role, attribute.scale) == (Role.CONFIDENTIAL, Scale.NOMINAL)


def test_a_missing_nominal_value_is_a_category_of_its_own_unless_told_otherwise() -> None:
    assert Attribute("town", scale="nominal").missing is Missing.CATEGORY
    assert Attribute("age").missing is Missing.REFUSE
    assert Attribute("pain", scale="ordinal").missing is Missing.REFUSE


def test_ordinal_categories_span_the_range_of_their_positions() -> None:
    attribute = Attribute("pain", scale="ordinal", categories=("none", "mild", "strong"))

    assert attribute.public_bounds == (0.0, 2.0)
    assert attribute.width == 2.0


def test_without_bounds_the_width_is_refused_with_the_line_to_write() -> None:
    with pytest.raises(BoundsError, match=r"'income' has no public bounds.*`bounds = \[low, high"):
        _ = Attribute("income").width


CONTRADICTIONS = {
    "a role that does not exist": (
        {"role": "quasi identifier"},
        r"role = 'quasi identifier'.*Did you mean 'quasi-identifier'",
    ),
    "a scale that does not exist": ({"scale": "ordered"}, r"scale = 'ordered'.*Known: .*ordinal"),
    "a policy that does not exist": (
        {"missing": "ignore"},
        r"missing = 'ignore'.*category, drop, impute, refuse",
    ),
    "a fact that does not exist": ({"drafted": ["bound"]}, r"'drafted' facts.*mean 'bounds'"),
    "a fact with two sources": (
        {"drafted": ["bounds"], "confirmed": ["bounds"]},
        r"marks 'bounds' more than once.*Keep one",
    ),
    "one text as facts": ({"drafted": "bounds"}, r"is no list of facts.*`drafted = \["),
    "a number as the person who confirms": ({"confirmed_by": 3}, r"confirmed_by = 3.*a name"),
    "bounds the wrong way round": (
        {"bounds": (9, 1)},
        r"wrong way round or equal: \[9, 1\].*smaller one first",
    ),
    "equal bounds": ({"bounds": (1, 1)}, r"wrong way round or equal"),
    "one bound": ({"bounds": (1,)}, r"are not two numbers.*`bounds = \[low, high\]`"),
    "three bounds": ({"bounds": (1, 2, 3)}, r"are not two numbers"),
    "a number as bounds": ({"bounds": 7}, r"are not two numbers"),
    "a text as bounds": ({"bounds": "19"}, r"are not two numbers"),
    "bounds that are texts": ({"bounds": ("low", "high")}, r"are not two numbers"),
    "an infinite bound": ({"bounds": (0, math.inf)}, r"are not finite.*two finite numbers"),
    "a bound that is no number": ({"bounds": (math.nan, 1)}, r"are not finite"),
    "numeric categories": ({"categories": ("a", "b")}, r"is numeric and lists categories.*Remove"),
    "a special text": ({"special": ["none"]}, r"special values.*not finite numbers.*special = "),
    "a special truth value": ({"special": [True]}, r"not finite numbers"),
    "an infinite special value": ({"special": (0, math.inf)}, r"not finite numbers"),
    "special values that are one text": ({"special": "0"}, r"not finite numbers"),
    "no special values": ({"special": []}, r"empty or repeat.*each value once"),
    "repeated special values": ({"special": (0, 0.0)}, r"empty or repeat.*each value once"),
    "a special half": ({"special": [0.5], "integer": True}, r"whole numbers.*special"),
    "special categories": ({"special": [0], "scale": "nominal"}, r"is nominal and lists special"),
    "no categories": ({"scale": "nominal", "categories": ()}, r"empty or repeat.*each .* once"),
    "repeated categories": ({"scale": "nominal", "categories": ("a", "a")}, r"repeat themselves"),
    "a text as categories": ({"scale": "nominal", "categories": "ab"}, r"are one text.*list"),
    "one ordinal category": ({"scale": "ordinal", "categories": ("a",)}, r"one category.*lowest"),
    "nominal bounds": ({"scale": "nominal", "bounds": (0, 1)}, r"has bounds.*Remove the bounds"),
    "bounds beside categories": (
        {"scale": "ordinal", "categories": ("a", "b"), "bounds": (0, 1)},
        r"has bounds.*Remove the bounds",
    ),
    "a numeric taxonomy": ({"taxonomy": "t.csv"}, r"is numeric and has a taxonomy.*Remove"),
    "a taxonomy that is no path": ({"scale": "nominal", "taxonomy": 3}, r"taxonomy = 3.*Write"),
    "integer that is no truth value": ({"integer": "no"}, r"integer = 'no'.*true or false"),
    "a unit that is no text": ({"unit": 5}, r"unit = 5.*a text"),
    "imputing nothing": ({"missing": "impute"}, r"both missing = \"impute\" and a public value"),
    "a value that is not imputed": ({"impute": 3}, r"both missing = \"impute\" and"),
    "imputing a text": ({"missing": "impute", "impute": "3"}, r"not a finite number.*`impute = 0`"),
    "imputing an infinite value": (
        {"missing": "impute", "impute": math.inf},
        r"not a finite number",
    ),
    "imputing outside the bounds": (
        {"missing": "impute", "impute": 9, "bounds": (0, 5)},
        r"outside its bounds.*between them",
    ),
    "imputing what is no category": (
        {"missing": "impute", "impute": "c", "scale": "nominal", "categories": ("a", "b")},
        r"none of its categories.*Write one of them",
    ),
}


@pytest.mark.parametrize("contradiction", CONTRADICTIONS)
def test_a_contradiction_is_refused_and_the_attribute_and_the_next_step_named(
    contradiction: str,
) -> None:
    properties, explanation = CONTRADICTIONS[contradiction]

    with pytest.raises(SchemaError, match=explanation) as refusal:
        Attribute("income", **properties)

    assert "'income'" in str(refusal.value)


def test_a_schema_without_attributes_is_refused() -> None:
    with pytest.raises(SchemaError, match=r"describes no attribute.*Add an \[\[attribute\]\]"):
        Schema(())


def test_a_schema_that_describes_a_column_twice_is_refused() -> None:
    with pytest.raises(SchemaError, match=r"describes 'age' more than once.*Keep one"):
        Schema((Attribute("age"), Attribute("age")))


def test_an_unknown_attribute_is_refused_with_the_nearest_name() -> None:
    with pytest.raises(SchemaError, match=r"no attribute 'incme'.*Did you mean 'income'"):
        Schema((Attribute("age"), Attribute("income")))["incme"]


FILES = {
    "no TOML": ("bounds = [", r"is not valid TOML.*Correct that line"),
    "no attribute": ("[people]\n", r"no \[\[attribute\]\] table.*covey schema DATA -o"),
    "attributes that are no tables": ("attribute = [1, 2]\n", r"has no name.*Add `name ="),
    "an attribute without a name": ('[[attribute]]\nrole = "x"\n', r"has no name"),
    "a name that is a number": ("[[attribute]]\nname = 5\n", r"has no name"),
    "a property that means nothing": (
        '[[attribute]]\nname = "age"\nbound = [0, 1]\n',
        r"'age' has a property 'bound'.*Did you mean 'bounds'",
    ),
}


@pytest.mark.parametrize("fault", FILES)
def test_a_faulty_schema_file_is_refused_and_explained(tmp_path: Path, fault: str) -> None:
    content, explanation = FILES[fault]
    (tmp_path / "people.toml").write_text(content, encoding="utf-8")

    with pytest.raises(SchemaError, match=explanation):
        Schema.load(tmp_path / "people.toml")


def test_a_schema_file_that_is_not_there_is_refused_with_the_command_that_drafts_one(
    tmp_path: Path,
) -> None:
    with pytest.raises(SchemaError, match=r"cannot be read \(No such file.*covey schema DATA -o"):
        Schema.load(tmp_path / "people.toml")


OLD = """
[[attribute]]
name = "age"
bounds = [18, 89]
bounds_source = "data"

[[attribute]]
name = "town"
scale = "nominal"
categories = ["A", "B"]
categories_source = "data"

[[attribute]]
name = "height"
bounds = [0, 300]
bounds_source = "public"
"""


def test_files_with_the_marks_of_older_versions_keep_their_meaning(tmp_path: Path) -> None:
    (tmp_path / "old.toml").write_text(OLD, encoding="utf-8")

    read = Schema.load(tmp_path / "old.toml")

    assert [attribute.drafted for attribute in read] == [("bounds",), ("categories",), ()]


def test_an_older_mark_that_means_nothing_is_refused(tmp_path: Path) -> None:
    (tmp_path / "old.toml").write_text(OLD.replace('"public"', '"me"'), encoding="utf-8")

    with pytest.raises(SchemaError, match=r"bounds_source = 'me'.*data, public"):
        Schema.load(tmp_path / "old.toml")


def test_marks_are_written_in_one_line_each(tmp_path: Path) -> None:
    marked = Attribute(
        "age", drafted=["missing", "bounds"], confirmed=["integer"], confirmed_by="A", bounds=(0, 9)
    )

    Schema((marked,)).save(tmp_path / "people.toml")

    text = (tmp_path / "people.toml").read_text("utf-8")
    assert 'drafted = ["bounds", "missing"]\nconfirmed = ["integer"]\nconfirmed_by = "A"\n' in text


def test_a_plan_tells_of_columns_that_are_not_published_that_they_are_not() -> None:
    schema = Schema(
        (
            Attribute("age", bounds=(18, 89), drafted=["bounds"]),
            Attribute("income", bounds=(9, 99), integer=True, drafted=["bounds", "integer"]),
            Attribute("height", bounds=(0, 300)),
            Attribute("town", scale="nominal", categories=("A", "B"), drafted=["categories"]),
            Attribute("job", scale="nominal", taxonomy="jobs.csv"),
            Attribute("weight", bounds=(3, 99), missing="drop", drafted=["bounds", "missing"]),
        )
    )

    plan = schema.for_plan(published=["age"], needed=["age"])

    assert plan["age"] == schema["age"]
    assert plan["income"] == Attribute("income", role="identifier")
    assert plan["height"] == schema["height"]
    assert plan["town"] == Attribute("town", role="identifier")
    assert plan["job"] == Attribute("job", scale="nominal")
    # Which records take part depends on it.
    assert plan["weight"] == Attribute("weight", missing="drop", drafted=["missing"])


def test_clusters_without_noise_are_planned_without_extremes() -> None:
    schema = Schema(
        (
            Attribute("age", bounds=(18, 89), integer=True, drafted=["bounds", "integer"]),
            Attribute("town", scale="nominal", categories=("A", "B"), drafted=["categories"]),
            Attribute("pain", scale="ordinal", categories=("no", "yes"), drafted=["categories"]),
            Attribute("mood", scale="ordinal", categories=("low", "high")),
        )
    )

    plan = schema.for_plan(published=schema.names, needed=())

    assert plan["age"] == Attribute("age", integer=True, drafted=["integer"])
    assert plan["town"] == Attribute("town", scale="nominal")
    assert plan["pain"] == Attribute("pain", scale="ordinal")
    assert plan["mood"] == schema["mood"], "a person has put them in order"


def test_one_column_at_most_says_whose_a_record_is() -> None:
    with pytest.raises(SchemaError, match="several columns"):
        Schema((Attribute("a", role=Role.PERSON), Attribute("b", role=Role.PERSON)))


@pytest.mark.parametrize("contributions", [0, -1, True, 2.5, "5"])
def test_contributions_are_a_positive_whole_number(contributions) -> None:
    with pytest.raises(SchemaError, match="not a whole number of at least 1"):
        Attribute("a", role=Role.PERSON, contributions=contributions)


def test_contributions_belong_to_persons_alone() -> None:
    with pytest.raises(SchemaError, match='role = "person"'):
        Attribute("a", role=Role.IDENTIFIER, contributions=5)
