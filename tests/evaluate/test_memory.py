"""An evaluation compares a release with the records it was made from, for the curator alone."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest

import covey
from covey.errors import BoundsError, DataError, PlanError, SchemaError
from covey.release import open_release
from covey.table import Attribute, Missing, Role, Scale, Schema
from tests.contracts.identity import identity_release, release_of

# Two columns in which everything can be computed by hand.
FRAME = pl.DataFrame({"x": [0.0, 2.0, 4.0, 6.0], "y": [0.0, 0.0, 10.0, 10.0]})
SCHEMA = Schema((Attribute("x", bounds=(0, 8)), Attribute("y", bounds=(0, 5))))
MOVED = pl.DataFrame({"x": [1.0, 1.0, 5.0, 5.0], "y": [0.0, 0.0, 10.0, 10.0]})


def table() -> covey.Table:
    return covey.read_table(FRAME, SCHEMA)


def moved() -> tuple[covey.Release, covey.Trace]:
    return release_of(table(), MOVED, ("x", "y"))


def test_squared_errors_are_divided_by_what_was_asked_for() -> None:
    scores = {
        scaling: covey.evaluate(table(), *moved(), scaling=scaling)["sse"]
        for scaling in ("raw", "standard", "bounds")
    }

    # Four errors of 1 in x; its variance is 5 and its public width 8.
    assert scores == pytest.approx({"raw": 4.0, "standard": 4.0 / 5.0, "bounds": 4.0 / 64.0})


def test_information_loss_is_a_share_of_the_total_and_has_its_two_other_forms() -> None:
    scores = covey.evaluate(table(), *moved())

    spread = np.sqrt(20.0 / 3.0)
    assert scores["il_percent"] == pytest.approx(100.0 * (4.0 / 5.0) / 8.0)
    assert scores["il1s_sum"] == pytest.approx(4.0 / (np.sqrt(2.0) * spread))
    assert scores["il1s"] == pytest.approx(scores["il1s_sum"] / 8.0)


def test_records_are_linked_in_the_space_that_was_asked_for_and_ties_are_shared() -> None:
    scores = covey.evaluate(table(), *moved(), scaling="raw")

    # Each released record lies half way between its own original and that of its cluster mate.
    assert scores["rl"] == pytest.approx(50.0)


def test_a_score_of_the_table_comes_with_one_for_each_column() -> None:
    scores = covey.evaluate(table(), *moved())

    assert scores["ks[x]"] == pytest.approx(0.25)
    assert scores["ks[y]"] == 0.0
    assert scores["ks"] == pytest.approx(0.125)
    assert scores["wasserstein[x]"] == pytest.approx(1.0 / np.sqrt(5.0))


def test_the_wasserstein_distance_of_the_table_is_in_standard_deviations() -> None:
    scores = covey.evaluate(table(), *moved())

    assert scores["wasserstein"] == pytest.approx((1.0 / np.sqrt(5.0) + 0.0) / 2.0)


def test_means_variances_and_correlations_are_compared() -> None:
    scores = covey.evaluate(table(), *moved())

    correlation = [np.corrcoef(frame.to_numpy().T)[0, 1] for frame in (FRAME, MOVED)]
    assert scores["mean_error"] == 0.0
    assert scores["variance_error"] == pytest.approx(1.0 / 5.0)
    assert scores["correlation_error"] == pytest.approx(abs(correlation[1] - correlation[0]))


def test_only_the_columns_that_the_guarantee_covers_are_scored() -> None:
    release = release_of(table(), MOVED, ("y",))

    scores = covey.evaluate(table(), *release)

    assert scores["sse"] == 0.0
    assert "ks[x]" not in scores


def test_a_baseline_adds_the_three_factors_of_improvement() -> None:
    coarse = pl.DataFrame({"x": [3.0] * 4, "y": [5.0] * 4})
    baseline = release_of(table(), coarse, ("x", "y"))

    scores = covey.evaluate(table(), *moved(), scaling="raw", baseline=baseline)

    worse = covey.evaluate(table(), *baseline, scaling="raw")
    assert scores["sse_f"] == pytest.approx(np.sqrt(worse["sse"] / scores["sse"]))
    assert scores["rl_f"] == pytest.approx(worse["rl"] / scores["rl"])
    assert scores["score"] == pytest.approx(scores["sse_f"] * scores["rl_f"])


def test_without_a_baseline_there_is_nothing_to_improve_on() -> None:
    assert not {"sse_f", "rl_f", "score"} & set(covey.evaluate(table(), *moved()))


def test_a_release_without_a_link_to_the_records_says_what_could_not_be_computed() -> None:
    evaluation = covey.evaluate(table(), moved()[0])

    assert "sse" not in evaluation
    assert "ks" in evaluation
    assert len(evaluation.notes) == 1
    assert "holds no link to the original records" in evaluation.notes[0]


def test_k_anonymity_is_checked_on_the_released_columns() -> None:
    schema = Schema(
        (Attribute("x", bounds=(0, 8)), Attribute("y", bounds=(0, 5), role=Role.CONFIDENTIAL))
    )
    data = covey.read_table(FRAME, schema)
    release = release_of(data, MOVED, ("x",))

    scores = covey.evaluate(data, *release)

    assert scores["k_achieved"] == 2
    assert scores["l_diversity"] == scores["l_diversity[y]"] == 1
    assert scores["t_closeness"] == scores["t_closeness[y]"] == pytest.approx(0.5)


def test_disclosure_is_measured_for_k_anonymity_alone() -> None:
    release = covey.publish(table(), "rank-blocks", epsilon=1.0, trace=True)

    scores = covey.evaluate(table(), *release)

    assert not {"k_achieved", "l_diversity", "t_closeness"} & set(scores)


def test_confidential_categories_are_compared_without_an_order() -> None:
    frame = FRAME.with_columns(c=pl.Series(["a", "b", "a", "c"]))
    c = Attribute("c", scale=Scale.NOMINAL, role=Role.CONFIDENTIAL, categories=("a", "b", "c"))
    data = covey.read_table(frame, Schema((*SCHEMA.attributes, c)))
    release = release_of(data, MOVED.with_columns(frame["c"]), ("x", "y"))

    scores = covey.evaluate(data, *release)

    assert scores["l_diversity[c]"] == 2
    assert scores["t_closeness[c]"] == pytest.approx(0.25)


def test_the_data_themselves_lose_nothing() -> None:
    scores = covey.evaluate(table(), *identity_release(table(), ("x", "y")))

    assert scores["sse"] == scores["il1s"] == scores["ks"] == scores["range_query_error"] == 0.0
    assert scores["rl"] == 100.0


def test_values_outside_the_bounds_are_counted_for_the_curator() -> None:
    evaluation = covey.evaluate(table(), *moved())

    assert evaluation.outside_bounds == {"x": 0, "y": 2}


def test_incomplete_records_are_counted_for_the_curator() -> None:
    frame = FRAME.with_columns(x=pl.Series([0.0, None, 4.0, 6.0]))
    data = covey.read_table(frame, SCHEMA.updated("x", missing=Missing.DROP))

    evaluation = covey.evaluate(data, *identity_release(data, ("x", "y")))

    assert evaluation.dropped == 1


def test_the_same_release_gets_the_same_scores_every_time() -> None:
    first, second = (dict(covey.evaluate(table(), *moved())) for _ in range(2))

    assert first == second


def test_an_evaluation_is_a_mapping_from_names_to_numbers() -> None:
    evaluation = covey.evaluate(table(), *moved())

    assert len(evaluation) == len(list(evaluation)) == len(dict(evaluation))
    assert all(isinstance(value, (int, float)) for value in evaluation.values())
    with pytest.raises(KeyError):
        evaluation["no such score"]


@pytest.mark.parametrize("kind", ["polars", "pandas", "pyarrow", "numpy", "path"])
def test_the_originals_may_be_what_was_published(kind, tmp_path) -> None:
    frame = pl.concat([FRAME, pl.DataFrame({"x": [3.0], "y": [None]}, schema=FRAME.schema)])
    file = tmp_path / "data.parquet"
    frame.write_parquet(file)
    given = {
        "polars": frame,
        "pandas": frame.to_pandas(),
        "pyarrow": frame.to_arrow(),
        "numpy": frame.to_numpy(),
        "path": file,
    }[kind]
    schema = SCHEMA.updated("y", missing=Missing.DROP)
    release = covey.publish(given, "mdav", schema=schema, k=2, trace=True)

    found = covey.evaluate(given, *release)

    expected = covey.evaluate(covey.read_table(given, schema), *release)
    assert dict(found) == dict(expected)
    assert found["k_achieved"] >= 2
    assert found.dropped == 1


def test_a_frame_that_the_schema_of_the_release_does_not_describe_is_refused() -> None:
    with pytest.raises(SchemaError, match="'y' that the data do not have"):
        covey.evaluate(FRAME.drop("y"), *moved())
    with pytest.raises(DataError, match="cannot be read from a list"):
        covey.evaluate([1.0, 2.0], *moved())


def test_other_records_than_those_of_the_release_are_not_compared_one_by_one() -> None:
    with pytest.raises(DataError, match="one record for each record"):
        covey.evaluate(FRAME[:3], *moved())


def test_tables_and_graphs_are_not_compared_with_each_other() -> None:
    edges = np.array([(1, 2), (2, 3)])
    asked = {"epsilon": 1.0, "unit": "edge", "regenerate": False, "random_state": 1}
    degrees = covey.publish(edges, "degree-histogram", **asked)

    assert covey.evaluate(edges, degrees) == covey.evaluate(covey.read_graph(edges), degrees)
    with pytest.raises(PlanError, match="one of a graph, and a table was given"):
        covey.evaluate(table(), degrees)
    with pytest.raises(PlanError, match="one of a table, and a graph was given"):
        covey.evaluate(covey.read_graph(edges), *moved())


def test_what_is_no_release_at_hand_is_refused(tmp_path) -> None:
    saved = covey.publish(table(), "mdav", k=2).save(tmp_path / "out")

    for given in (open_release(saved), moved(), MOVED):
        with pytest.raises(PlanError, match=r"two arguments; read a folder.*evaluate_stream"):
            covey.evaluate(table(), given)


def test_scaling_by_bounds_needs_bounds() -> None:
    data = covey.read_table(FRAME, SCHEMA.updated("x", bounds=None))
    release = release_of(data, MOVED, ("x", "y"))

    with pytest.raises(BoundsError, match="'x' has no public bounds"):
        covey.evaluate(data, *release, scaling="bounds")


def test_an_unknown_scaling_is_refused() -> None:
    with pytest.raises(PlanError, match=r"scaling 'standart' is not known.*'standard'"):
        covey.evaluate(table(), *moved(), scaling="standart")
