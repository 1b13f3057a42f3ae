"""A draft understands columns, and says why it proposes what it proposes."""

from __future__ import annotations

from datetime import date
from decimal import Decimal
from pathlib import Path

import polars as pl
import pytest

import covey
from covey import Missing, Role, Scale, Schema
from covey.table.value_shapes import hierarchy_of

N = 60


def drafted(values: list, name: str = "x") -> tuple[covey.Attribute, str]:
    schema = Schema.draft(pl.DataFrame({name: values}, strict=False))
    return schema[name], " ".join(schema.reasons.get(name, ()))


@pytest.mark.parametrize(
    "name",
    ["PatientID", "Vorname", "Nachname", "E-Mail-Adresse", "Telefon", "prénom", "apellido", "IBAN"],
)
def test_names_of_identifiers_in_several_languages(name: str) -> None:
    attribute, why = drafted([f"v{i}" for i in range(N)], name)

    assert attribute.role is Role.IDENTIFIER
    assert "Its name says" in why


@pytest.mark.parametrize("name", ["town name", "surname_length", "paid", "phone service"])
def test_names_that_only_look_like_it(name: str) -> None:
    attribute, _ = drafted(["a", "b"] * N, name)

    assert attribute.role is Role.QUASI_IDENTIFIER


@pytest.mark.parametrize("start", [0, 1])
def test_row_numbers_are_not_published(start: int) -> None:
    attribute, why = drafted(list(range(start, start + N)))

    assert attribute.role is Role.IDENTIFIER
    assert "counts the rows" in why
    assert "role" in attribute.drafted


def test_numbered_records_are_not_published_and_measurements_are() -> None:
    numbers = [(i * 37) % 101 for i in range(N)]

    assert drafted(numbers, "Lfd. Nr.")[0].role is Role.IDENTIFIER
    assert drafted(numbers, "size")[0].role is Role.QUASI_IDENTIFIER


def test_a_repeated_identifier_says_what_that_means_for_the_promise() -> None:
    attribute, why = drafted([i // 3 for i in range(N)], "person_id")

    assert attribute.role is Role.IDENTIFIER
    assert "somebody has several records" in why
    assert "contributions" in why


def test_people_may_share_a_name() -> None:
    assert "several" not in drafted([f"Arndt {i // 2}" for i in range(N)], "surname")[1]


def test_whom_records_are_about_is_an_identifier_if_there_are_many() -> None:
    assert drafted([i // 2 for i in range(N)], "household")[0].role is Role.IDENTIFIER
    assert drafted([i % 4 for i in range(N)], "household")[0].role is Role.QUASI_IDENTIFIER


def test_texts_that_differ_in_all_records_name_records() -> None:
    attribute, why = drafted([f"v{i}" for i in range(N)])

    assert attribute.role is Role.IDENTIFIER
    assert "Every record has another value" in why


@pytest.mark.parametrize(
    ("texts", "said"),
    [
        (["call 0171 2345678 please", "no answer yet"], "telephone numbers"),
        (["+49 30 123456", "0221/987654"], "telephone numbers"),
        (["write to a@b.org", "none"], "electronic mail"),
        ([f"she said that {i} of her friends had left for good" for i in range(30)], "free text"),
    ],
)
def test_texts_that_may_name_people_are_not_published(texts: list[str], said: str) -> None:
    attribute, why = drafted(texts * 2)

    assert attribute.role is Role.IDENTIFIER
    assert said in why
    assert attribute.categories is None


@pytest.mark.parametrize(
    "texts", [["2020-01-05", "2021-12-31"], ["<=50K", ">50K"], ["1st-4th", "5th-6th"], ["10.25 cm"]]
)
def test_dates_ranges_and_measures_are_no_telephone_numbers(texts: list[str]) -> None:
    assert "telephone" not in drafted(texts * 10)[1]


def test_postcodes_are_names_even_if_they_are_numbers() -> None:
    attribute, why = drafted([50667 + i % 7 for i in range(N)], "PLZ")

    assert attribute.scale is Scale.NOMINAL
    assert "names of places" in why


@pytest.mark.parametrize(
    ("codes", "kind"),
    [
        ([f"{c}{i:02}.{j}" for c in "IJ" for i in range(10, 20) for j in range(2)], "ICD"),
        ([f"DE{a}{b}" for a in range(1, 8) for b in range(1, 5)], "NUTS"),
        ([f"{a:02}.{b}" for a in range(1, 9) for b in range(1, 5)], "NACE"),
    ],
)
def test_codes_with_a_hierarchy_are_told_a_taxonomy(codes: list[str], kind: str) -> None:
    attribute, why = drafted(codes * 3, "code of diagnosis")

    assert attribute.role is Role.QUASI_IDENTIFIER
    assert f"({kind})" in why
    assert "covey schema -o" in why


@pytest.mark.parametrize(
    ("values", "order"),
    [
        (["high", "low", "medium"], ("low", "medium", "high")),
        (["oft", "nie", "immer", "selten"], ("nie", "selten", "oft", "immer")),
        (["65+", "18-24", "25-64", "<18"], ("<18", "18-24", "25-64", "65+")),
        (
            ["agree", "strongly agree", "disagree", "neutral"],
            ("disagree", "neutral", "agree", "strongly agree"),
        ),
    ],
)
def test_an_order_that_everybody_knows_is_proposed(values: list, order: tuple) -> None:
    attribute, why = drafted(values * 5)

    assert attribute.scale is Scale.ORDINAL
    assert attribute.categories == order
    assert "order" in why


@pytest.mark.parametrize("values", [["red", "green", "blue"], ["a", "b"], ["10", "9", "x"]])
def test_other_categories_have_none(values: list) -> None:
    assert drafted(values * 5)[0].scale is Scale.NOMINAL


def test_a_constant_says_nothing() -> None:
    for values in ([5] * N, ["a"] * N, [True] * N):
        attribute, why = drafted(values)
        assert attribute.role is Role.IDENTIFIER
        assert "tells nothing" in why


def test_a_column_without_values_is_left_out() -> None:
    assert drafted([None] * N)[0].role is Role.IDENTIFIER


def test_words_for_missing_among_numbers_leave_numbers() -> None:
    attribute, why = drafted(["5", "NA", "7.5", "unknown", "9"] * 5)

    assert attribute.scale is Scale.NUMERIC
    assert attribute.missing_codes == ("NA", "unknown")
    assert attribute.missing is Missing.CATEGORY
    assert "missing_codes" in attribute.drafted
    assert "Taken for missing: 'NA', 'unknown'" in why


def test_words_for_missing_among_texts_are_codes_unless_they_are_countries() -> None:
    assert drafted(["a", "k. A.", "b"] * 5)[0].missing_codes == ("k. A.",)
    assert drafted(["DE", "NA", "FR"] * 5)[0].missing_codes == ()


def test_minus_nine_is_a_code_where_all_others_are_positive() -> None:
    attribute, why = drafted([5, -9, 7, 9] * 5)

    assert attribute.missing_codes == ("-9",)
    assert attribute.bounds == (5.0, 9.0)
    assert "code for missing" in why
    assert drafted([5, -9, -4, 9] * 5)[0].missing_codes == ()


def test_spikes_are_special_values() -> None:
    amounts = [*([0] * N), *range(1, N)]

    assert drafted(amounts)[0].special == (0.0,)
    assert drafted([*range(1, 40), 99, 99, 99])[0].special == (99.0,)
    assert drafted([*range(1, 40), 99, 99, 99])[0].bounds == (1.0, 39.0)
    assert drafted([*range(1, 99), 99, 99, 99])[0].special is None


def test_few_values_of_many_records_name_nobody_whatever_they_are_called() -> None:
    assert drafted([i % 7 for i in range(20 * N)], "PID")[0].role != "identifier"
    assert drafted([i % 7 for i in range(20 * N)], "phone")[0].role == "identifier"
    assert drafted([i % 40 for i in range(20 * N)], "PID")[0].role == "identifier"


def test_a_person_with_several_records_is_an_identifier_even_if_stored_as_a_float() -> None:
    assert drafted([float(i // 4) for i in range(4 * N)], "individual")[0].role == "identifier"


def test_dates_that_are_all_first_days_have_months_or_years_as_steps() -> None:
    years = [date(1970 + i % 9, 1, 1) for i in range(N)]
    months = [f"01.{1 + i % 12:02}.2001" for i in range(N)]
    days = [date(2000, 1 + i % 12, 1 + i % 3) for i in range(N)]

    assert [drafted(each, "since")[0].step for each in (years, months, days)] == [
        *("year", "month", "day")
    ]


def test_a_survey_weight_is_told() -> None:
    assert "survey weight" in drafted([0.5 + i / N for i in range(N)], "weight")[1]
    assert "survey weight" not in drafted([50.5 + i for i in range(N)], "weight")[1]


def test_a_survey_weight_gets_its_role_from_zero_on_and_gaps_count_nothing() -> None:
    weight = drafted([None, *(0.5 + i / N for i in range(N))], "weight")[0]

    assert (weight.role, weight.bounds[0]) == ("weight", 0.0)
    assert (weight.missing, weight.impute) == ("impute", 0)
    assert "role" in weight.drafted


def test_reasons_are_comments_in_the_file_of_the_schema(tmp_path: Path) -> None:
    schema = Schema.draft(pl.DataFrame({"row": list(range(N)), "town": ["a", "b"] * (N // 2)}))
    schema.save(tmp_path / "people.toml")
    text = (tmp_path / "people.toml").read_text()

    assert "# It counts the rows" in text
    assert Schema.load(tmp_path / "people.toml").attributes == schema.attributes


def test_a_draft_of_words_for_missing_can_be_published(tmp_path: Path) -> None:
    path = tmp_path / "people.csv"
    incomes = ["k. A." if i % 9 == 0 else f"{i},5" for i in range(N)]
    towns = ["NA" if i % 7 == 0 else "ab"[i % 2] for i in range(N)]
    rows = [f"{20 + i % 30};{incomes[i]};{towns[i]}" for i in range(N)]
    path.write_text("\n".join(["age;income;town", *rows]) + "\n")

    table = covey.read_table(path)
    release = covey.publish(table, "private-tree", epsilon=10.0)

    assert table.n == N
    assert table.frame["income"].dtype == pl.Float64
    assert table.schema["income"].missing_codes == ("k. A.",)
    assert release.data["income"].dtype == pl.Float64
    again = covey.read_table(path, table.schema)
    assert again.frame.equals(table.frame)


def many(values: list, n: int = 240) -> list:
    return [values[at % len(values)] for at in range(n)]


@pytest.mark.parametrize("name", ["HaushaltsNr", "household_id", "Patientennummer", "SchulNr"])
def test_the_number_of_a_household_names_it_and_its_members_are_told_of(name: str) -> None:
    schema = covey.Schema.draft(pl.DataFrame({name: many(list(range(1001, 1081)))}))

    assert schema[name].role == "identifier"
    assert any("several records" in reason for reason in schema.reasons[name])


def test_the_place_of_a_person_in_a_household_names_nobody() -> None:
    schema = covey.Schema.draft(pl.DataFrame({"PersonNr": many([1, 2, 3, 4])}))

    assert schema["PersonNr"].role == "quasi-identifier"
    assert schema["PersonNr"].scale == "numeric"


@pytest.mark.parametrize("name", ["ISCO08", "occupation", "Bundesland", "sex"])
def test_numbers_for_groups_are_names_and_not_averaged(name: str) -> None:
    frame = pl.DataFrame({name: many([1110, 2, 30])})
    schema = covey.Schema.draft(frame)

    assert schema[name].scale == "nominal"
    assert schema[name].categories == ("2", "30", "1110")
    assert any("not averaged" in reason for reason in schema.reasons[name])


def test_numbers_for_groups_come_back_as_numbers() -> None:
    frame = pl.DataFrame({"sex": many([1, 2]), "age": many(list(range(60)))})
    schema = covey.Schema.draft(frame)

    release = covey.publish(frame, "private-tree", schema=schema, epsilon=5, random_state=1)

    assert release.data["sex"].dtype == pl.Int64
    assert set(release.data["sex"]) == {1, 2}


@pytest.mark.parametrize(
    ("values", "name", "kind"),
    [
        (["A01", "C10", "F41", "Q86", "Q87"], "Zweig", "NACE"),
        (["F10", "F11", "F20", "I10", "I20"], "cause", "ICD"),
        (["F10", "F11", "F20", "I10", "I20"], "NACE_2", "NACE"),
        (["DE111", "DE112", "DEA11"], "region", "NUTS"),
        (["ATL", "AUS", "BOS", "BNA", "ESP", "ESN"], "dest", None),
        (["N11536", "N12552", "N12900"], "tailnum", None),
        (["1266", "1267", "1311"], "ISCO08", "digit codes"),
        (["1266", "1267", "1311"], "steps", None),
    ],
)
def test_codes_that_only_look_like_those_of_a_classification_are_none(
    values: list[str], name: str, kind: str | None
) -> None:
    assert hierarchy_of(values, name) == kind


@pytest.mark.parametrize(
    ("values", "step"),
    [
        ([at / 2 for at in range(2, 20)], 0.5),
        ([at / 4 for at in range(2, 40)], 0.25),
        ([at / 10 for at in range(20)], 0.1),
        ([at * 50 for at in range(60)], 50),
        ([at * 50 for at in range(6)], None),
        (list(range(60)), None),
        ([Decimal(at) / 100 for at in range(101, 200)], 0.01),
    ],
)
def test_steps_are_those_that_people_round_to(values: list, step: float | None) -> None:
    attribute, _ = drafted(many(values))

    assert attribute.step == step
    assert ("step" in attribute.drafted) == (step is not None)


@pytest.mark.parametrize(
    ("name", "values", "hint"),
    [
        ("dep_time", [100 * hour + minute for hour in range(24) for minute in (5, 38)], "08:38"),
        ("day", [20190100 + day for day in range(1, 31)], "%Y%m%d"),
        ("share", [f"{at / 10} %" for at in range(40)], "followed by '%'"),
        ("seen", [f"0{1 + at % 9}/0{1 + at % 7}/2020" for at in range(63)], "day or the month"),
    ],
)
def test_what_nobody_but_a_person_can_decide_is_said(name: str, values: list, hint: str) -> None:
    schema = covey.Schema.draft(pl.DataFrame({name: many(values)}))

    assert any(hint in reason for reason in schema.reasons[name])


def test_times_that_look_like_no_clock_are_not_talked_about() -> None:
    schema = covey.Schema.draft(pl.DataFrame({"time": many(list(range(90, 900, 7)))}))

    assert "time" not in schema.reasons


def test_a_sample_weight_differs_more_than_bodies_do() -> None:
    frame = pl.DataFrame(
        {"weight": many([1.5, 2.5, 900.5, 7000.5]), "body_weight": many([61.5, 74.5, 80.5, 99.5])}
    )
    schema = covey.Schema.draft(frame)

    assert schema["weight"].role == "weight"
    assert schema["body_weight"].role == "quasi-identifier"
