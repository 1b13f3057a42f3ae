"""A meter takes the price first, and its noise pays for the claim of the question."""

from __future__ import annotations

import math
from fractions import Fraction
from types import SimpleNamespace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from covey.core import Bill, Budget, Meter, PrivacyUnit, SecureNoise
from covey.core.meter import LARGEST_CUBE, LARGEST_TEST, SMALLEST_TEST, largest_structure
from covey.core.questions import (
    RECORD_UNIT,
    BoxSums,
    ClusterConcepts,
    Cuts,
    EdgesLeft,
    RankBlockSums,
    RecordConcepts,
    RecordValues,
    Sample,
    Size,
)
from covey.errors import BudgetError, InternalError, PlanError, UnprovenError
from covey.partition.insensitive import PublicOrder
from covey.table.grid import Grid
from tests.core.law import has_scale
from tests.core.stand_ins import Held, Silent

REPLACED, ADDED = PrivacyUnit.REPLACE_RECORD, PrivacyUnit.ADD_REMOVE_RECORD


def metered(exact=None, *, budget=1, delta=None, unit=REPLACED, source=None) -> SimpleNamespace:
    """Return a meter with its bill, its records and its noise."""
    bill = Bill(unit=unit, budget=Budget(Fraction(budget), delta))
    records, source = Held(np.asarray(exact)), source or Silent()
    return SimpleNamespace(
        meter=Meter(records, bill, source), bill=bill, records=records, source=source
    )


def blocks(steps: int) -> RankBlockSums:
    return RankBlockSums("age", Grid(low=0.0, high=1.0, steps=steps), np.array([2]))


@given(
    integers=st.lists(st.integers(-(2**40), 2**40), min_size=1, max_size=20),
    steps=st.integers(1, 2**30),
    epsilon=st.fractions(Fraction(1, 10**6), 100),
)
def test_the_scale_is_exactly_sensitivity_over_epsilon_whatever_the_data(
    integers, steps, epsilon
) -> None:
    with_noise = metered(np.array(integers), budget=epsilon)

    noisy = with_noise.meter.counts(blocks(steps), Budget(epsilon))

    assert with_noise.source.asked == [
        {"values": integers, "scale": steps / epsilon, "l1": steps, "epsilon": epsilon}
    ]
    assert noisy.scale == steps / epsilon
    assert noisy.scales.tolist() == [float(steps / epsilon)] * len(integers)


def test_a_question_is_on_the_bill_with_its_claim_its_price_and_its_public_numbers() -> None:
    with_noise = metered([1, 2])

    with_noise.meter.counts(blocks(100), Budget.of("0.25"))

    (paid,) = with_noise.bill.paid
    assert (paid.method, paid.statistic, paid.proof) == ("rank-blocks", "sums", "rank-blocks")
    assert (paid.cost.epsilon, paid.public, paid.noise) == (Fraction(1, 4), {"steps": 100}, 400)
    assert with_noise.bill.spent.amount == Fraction(1, 4)


def test_each_count_gets_noise_in_proportion_to_its_public_weight() -> None:
    with_noise = metered([5, 0, 7, 1], budget=2, unit=PrivacyUnit.NODE)

    noisy = with_noise.meter.counts(EdgesLeft((1, 8, 8, 2), "key"), Budget.of(2))

    scales = {call["scale"]: (call["values"], call["l1"]) for call in with_noise.source.asked}
    assert scales == {2: ([5], 4), 4: ([1], 8), 16: ([0, 7], 32)}
    assert noisy.values.tolist() == [5, 0, 7, 1]
    assert noisy.scales.tolist() == [2.0, 16.0, 16.0, 4.0]


def test_real_noise_has_the_scale_that_is_returned_and_no_other() -> None:
    bounds = (1,) * 5_000 + (10,) * 5_000
    drawn = metered(np.zeros(10_000, np.int64), unit=PrivacyUnit.NODE, source=SecureNoise())

    noisy = drawn.meter.counts(EdgesLeft(bounds, "key"), Budget.of(1))

    for place in (0, -1):
        scale = noisy.scales[place]
        same = noisy.values[noisy.scales == scale]
        verdicts = [has_scale(same, factor * scale) for factor in (0.8, 1.0, 1.2)]
        assert verdicts == [False, True, False]


def test_a_budget_is_spent_to_the_last_and_not_beyond() -> None:
    with_noise = metered([1])
    for share in Budget.of(1).split([1, 1, 1]):
        with_noise.meter.counts(blocks(1), share)

    assert with_noise.bill.spent.amount == 1
    with pytest.raises(BudgetError, match="so much is not left"):
        with_noise.meter.counts(blocks(1), Budget.of("1e-9"))
    assert len(with_noise.source.asked) == len(with_noise.bill.paid) == 3


@pytest.mark.parametrize(
    ("question", "unit", "words"),
    [
        (blocks(1), ADDED, "no reviewed proof"),
        (Size(), REPLACED, "no reviewed proof"),
        (object(), REPLACED, "nobody has reviewed"),
    ],
    ids=["other neighbours", "a public number", "no claim"],
)
def test_what_no_claim_covers_gets_no_answer_and_costs_nothing(question, unit, words) -> None:
    with_noise = metered([1], unit=unit)

    with pytest.raises(UnprovenError, match=words):
        with_noise.meter.counts(question, Budget.of(1))

    assert with_noise.bill.spent.amount == 0
    assert with_noise.source.asked == []


@pytest.mark.parametrize("epsilon", ["0.001", "0.1", "0.2", "1/3", "1", "1.8"])
@pytest.mark.parametrize(("unit", "price"), [(REPLACED, "3.6"), (ADDED, "2.6")])
def test_the_scale_of_a_test_pays_for_the_claim_and_is_rounded_up_to_a_thousandth(
    unit, price, epsilon
) -> None:
    with_noise = metered(unit=unit, budget=2)

    with_noise.meter.boxes(Cuts(()), Budget.of(epsilon))

    (paid,) = with_noise.bill.paid
    exact = Fraction(price) / Fraction(epsilon)
    assert exact <= paid.noise < exact + Fraction(1, 1000)
    assert (paid.noise * 1000).denominator == 1
    decide = with_noise.records.seen["decide"]
    assert decide(np.array([3, 0]), 0).tolist() == [True, False]
    assert with_noise.source.asked == [{"values": [3, 0], "depth": 0, "scale": paid.noise}]


def test_a_depth_is_tested_once_and_no_boxes_need_no_draw() -> None:
    with_noise = metered()
    with_noise.meter.boxes(Cuts(()), Budget.of(1))
    decide = with_noise.records.seen["decide"]

    assert decide(np.zeros(0, dtype=np.int64), 1).tolist() == []
    assert with_noise.source.asked == []
    with pytest.raises(BudgetError, match="depth 1 were tested before"):
        decide(np.array([5]), 1)


@pytest.mark.parametrize(("unit", "most"), [(REPLACED, "2.49"), (ADDED, "1.8")])
def test_a_structure_beyond_the_proof_is_refused(unit, most) -> None:
    assert math.floor(100 * largest_structure(unit)) / 100 == float(most)
    with_noise = metered(unit=unit, budget=3)

    with_noise.meter.boxes(Cuts(()), Budget.of(most))
    assert with_noise.bill.paid[0].noise >= SMALLEST_TEST
    with pytest.raises(PlanError, match=r"too large.*would get 2\.5"):
        metered(unit=unit, budget=3).meter.boxes(Cuts(()), Budget.of("2.5"))


def test_tests_that_would_not_fit_into_64_bits_are_refused() -> None:
    share = Budget(Fraction(36, 10) / LARGEST_TEST)
    with_noise = metered()

    with_noise.meter.boxes(Cuts(()), share)

    assert with_noise.bill.paid[0].noise == LARGEST_TEST
    with pytest.raises(PlanError, match="too small for exact tests"):
        metered().meter.boxes(Cuts(()), Budget(share.epsilon / 2))


def box_sums(*measured: tuple[bool, ...]) -> BoxSums:
    shape = (len(measured), len(measured[0]))
    return BoxSums(1, (), np.zeros(shape), np.ones(shape), np.array(measured))


def test_sides_that_are_not_measured_come_out_as_nothing() -> None:
    with_noise = metered([[7, 8, 9], [1, 2, 3]])

    noisy = with_noise.meter.vectors(box_sums((True, False), (False, False)), Budget.of(1))

    assert noisy.values.tolist() == [[7, 8, 0], [1, 0, 0]]


@pytest.mark.parametrize(
    ("unit", "epsilon", "scale"),
    [(REPLACED, "1", 2 * RECORD_UNIT), (ADDED, "1", RECORD_UNIT), (REPLACED, "0.3", 436907)],
)
def test_the_scale_of_a_cube_is_the_sensitivity_over_epsilon_rounded_up(
    unit, epsilon, scale
) -> None:
    with_noise = metered([[7, 8]], unit=unit)

    noisy = with_noise.meter.vectors(box_sums((True,)), Budget.of(epsilon))

    assert noisy.scale == with_noise.source.asked[0]["scale"] == scale


def test_sides_that_are_not_measured_get_no_noise_and_no_number() -> None:
    with_noise = metered([[1, 2, 3], [4, 5, 6], [7, 8, 9]])

    noisy = with_noise.meter.vectors(
        box_sums((True, True), (False, True), (True, False)), Budget.of(1)
    )

    assert noisy.values.tolist() == [[1, 2, 3], [4, 0, 6], [7, 8, 0]]
    assert [call["values"] for call in with_noise.source.asked] == [
        [[4, 6], [7, 8]],
        [[1, 2, 3]],
    ]


def test_a_cube_that_would_not_fit_into_64_bits_is_refused() -> None:
    largest = Budget(Fraction(2 * RECORD_UNIT, LARGEST_CUBE))

    noisy = metered([[7, 8]]).meter.vectors(box_sums((True,)), largest)

    assert noisy.scale == LARGEST_CUBE
    with pytest.raises(PlanError, match="too small for exact noise"):
        metered([[7, 8]]).meter.vectors(box_sums((True,)), Budget(largest.epsilon / 2))


def concepts(clusters: int, *, largest: int = 3) -> ClusterConcepts:
    order = PublicOrder(kind="single", grids={}, taxonomies={}, k=1, n=clusters)
    return ClusterConcepts(order, "job", np.array([[0, largest], [largest, 0]]), largest)


@pytest.mark.parametrize("clusters", [1, 4])
def test_clusters_that_one_record_may_touch_together_share_the_price_of_a_choice(clusters) -> None:
    counts = np.tile([2, 1], (clusters, 1))
    with_noise = metered(counts)

    chosen = with_noise.meter.choices(concepts(clusters), Budget.of("0.6"))

    assert chosen.tolist() == [0] * clusters
    (asked,) = with_noise.source.asked
    assert asked == {"values": [[3, 6]] * clusters, "rate": Fraction(6, 10) / clusters / (2 * 3)}


def log_probabilities(losses: np.ndarray, rate: float) -> np.ndarray:
    weights = -rate * losses
    return weights - np.logaddexp.reduce(weights, axis=1, keepdims=True)


def test_the_loss_of_all_choices_together_stays_within_epsilon() -> None:
    rng = np.random.default_rng(8)
    with_noise = metered(np.zeros((5, 2), dtype=np.int64))
    with_noise.meter.choices(concepts(5), Budget.of(1))
    rate = float(with_noise.source.asked[0]["rate"])

    losses = []
    for _ in range(200):
        here = rng.integers(0, 40, (5, 4))
        there = np.maximum(0, here + rng.integers(-3, 4, here.shape))
        moved = np.abs(log_probabilities(here, rate) - log_probabilities(there, rate))
        losses.append(moved.max(axis=1).sum())

    assert 0.5 < max(losses) <= 1


def test_taxonomies_of_one_concept_are_refused() -> None:
    with pytest.raises(UnprovenError, match="one value is too few"):
        metered([[1, 1]]).meter.choices(concepts(1, largest=0), Budget.of(1))


def test_values_of_single_records_get_the_whole_share_of_their_column() -> None:
    grid = Grid(low=0.0, high=1.0, steps=50)
    distances = np.array([[0, 4], [4, 0]])
    with_noise = metered([1, 0])

    values, chosen = with_noise.meter.perturbed(
        [RecordValues("age", grid), RecordConcepts("job", ("a", "b"), distances, 4)],
        Budget.of(1).split([1, 3]),
    )

    assert (values.tolist(), chosen.tolist()) == ([1, 0], [1, 0])
    laplace, choices = with_noise.source.asked
    assert (laplace["scale"], laplace["l1"], laplace["epsilon"]) == (200, 50, Fraction(1, 4))
    assert choices == {"values": [[4, 0], [0, 4]], "rate": Fraction(3, 4) / (2 * 4)}
    assert with_noise.bill.spent.amount == 1


def sample(*, certain: bool = False) -> Sample:
    return Sample("records", Fraction(1), certain=certain, column="allowed")


def test_a_sample_costs_nothing_and_what_it_is_asked_goes_on_the_same_bill() -> None:
    with_noise = metered([1, 2])

    with_noise.meter.sampled(sample()).counts(blocks(9), Budget.of(1))

    assert with_noise.bill.sampled
    assert [paid.method for paid in with_noise.bill.paid] == ["personalised", "rank-blocks"]
    assert with_noise.bill.spent.amount == 1


def test_coins_that_are_certain_are_not_tossed() -> None:
    for certain in (False, True):
        with_noise = metered([1])
        with_noise.meter.sampled(sample(certain=certain))
        assert (with_noise.records.seen["toss"] is None) == certain


def test_only_the_first_question_may_be_a_sample() -> None:
    with_noise = metered([1])
    with_noise.meter.counts(blocks(9), Budget.of("0.5"))

    with pytest.raises(UnprovenError, match="only a first sample"):
        with_noise.meter.sampled(sample())


def test_a_sample_of_a_sample_is_not_proven() -> None:
    once = metered([1]).meter.sampled(sample())

    with pytest.raises(UnprovenError, match="only a first sample"):
        once.sampled(sample())


DELTA = Fraction(1, 10**9)


@given(
    rho=st.fractions(Fraction(1, 10**6), 100),
    integers=st.lists(st.integers(-(2**40), 2**40), min_size=1, max_size=20),
)
def test_gaussian_noise_pays_for_the_squares_and_little_more(rho, integers) -> None:
    with_noise = metered(np.array(integers), budget=rho, delta=DELTA)

    noisy = with_noise.meter.counts(blocks(30), Budget(rho, DELTA))

    (asked,) = with_noise.source.asked
    assert (asked["squares"], asked["rho"]) == (900, rho)
    assert 900 / (2 * rho) <= asked["variance"] <= 900 / (2 * rho) * (1 + Fraction(1, 2**14))
    assert noisy.gaussian
    assert noisy.noise == asked["variance"]
    assert noisy.deviation == pytest.approx(math.sqrt(asked["variance"]))
    with pytest.raises(InternalError):
        _ = noisy.scale


def test_weighted_gaussian_noise_grows_with_the_weight() -> None:
    with_noise = metered([5, 7], budget=1, delta=DELTA, unit=PrivacyUnit.NODE)

    noisy = with_noise.meter.counts(EdgesLeft((1, 8), "key"), Budget(Fraction(1), DELTA))

    first, second = with_noise.source.asked
    assert (second["variance"], second["squares"]) == (
        64 * first["variance"],
        64 * first["squares"],
    )
    assert noisy.scales[1] == pytest.approx(8 * noisy.scales[0])


def test_a_rho_is_no_epsilon_and_an_epsilon_no_rho() -> None:
    for budget, share in ((DELTA, None), (None, DELTA), (DELTA, DELTA / 2)):
        with_noise = metered([1], delta=budget)

        with pytest.raises(BudgetError, match="so much is not left"):
            with_noise.meter.counts(blocks(3), Budget(Fraction(1, 2), share))
        assert not with_noise.bill.paid
        assert not with_noise.source.asked


def test_gaussian_noise_without_a_bound_on_squares_is_refused() -> None:
    with_noise = metered([[7, 8]], delta=DELTA)

    with pytest.raises(UnprovenError, match="nobody has bounded the squares"):
        with_noise.meter.vectors(box_sums((True,)), Budget(Fraction(1), DELTA))

    assert not with_noise.bill.paid
    assert not with_noise.source.asked


def test_rhos_are_spent_to_the_last_and_not_beyond() -> None:
    with_noise = metered([1], delta=DELTA)
    for share in Budget(Fraction(1), DELTA).split([1, 1, 1]):
        with_noise.meter.counts(blocks(1), share)

    assert with_noise.bill.spent == Budget(Fraction(1), DELTA)
    with pytest.raises(BudgetError):
        with_noise.meter.counts(blocks(1), Budget(Fraction(1, 10**9), DELTA))
