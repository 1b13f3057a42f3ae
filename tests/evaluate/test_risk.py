"""The risk metrics agree with their definitions taken literally."""

from collections import defaultdict
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from covey.errors import DataError
from covey.evaluate.risk import (
    equivalence_classes,
    k_achieved,
    l_diversity,
    record_linkage,
    t_closeness,
)
from covey.evaluate.utility import column_scales

few = st.integers(-2, 2).map(float)
releases = st.integers(1, 16).flatmap(
    lambda n: st.tuples(
        arrays(np.float64, (n, 2), elements=st.integers(0, 1).map(float)),
        arrays(np.float64, n, elements=st.one_of(few, st.integers(0, 50).map(float))),
    )
)


def classes_of(quasi, confidential):
    classes = defaultdict(list)
    for key, value in zip(map(tuple, quasi.tolist()), confidential.tolist(), strict=True):
        classes[key].append(value)
    return list(classes.values())


def share(records, chosen):
    return Fraction(sum(value in chosen for value in records), len(records))


def ordered_distance(records, everyone):
    domain = sorted(set(everyone))
    if len(domain) == 1:
        return Fraction(0)
    moved = sum(
        abs(share(records, domain[: i + 1]) - share(everyone, domain[: i + 1]))
        for i in range(len(domain))
    )
    return moved / (len(domain) - 1)


def equal_distance(records, everyone):
    return sum(abs(share(records, [v]) - share(everyone, [v])) for v in set(everyone)) / 2


@given(release=releases)
def test_k_and_l_are_those_of_the_smallest_classes(release) -> None:
    classes = classes_of(*release)

    assert k_achieved(release[0]) == min(len(records) for records in classes)
    assert l_diversity(*release) == min(len(set(records)) for records in classes)


@given(release=releases)
@pytest.mark.parametrize(
    ("ordered", "distance"), [(True, ordered_distance), (False, equal_distance)]
)
def test_t_is_the_largest_distance_of_a_class(ordered, distance, release) -> None:
    t = t_closeness(*release, ordered=ordered)

    everyone = release[1].tolist()
    expected = max(distance(records, everyone) for records in classes_of(*release))
    assert t == pytest.approx(float(expected), abs=1e-12)


@given(release=releases, seed=st.integers(0, 99))
def test_the_order_of_records_does_not_matter(release, seed) -> None:
    quasi, confidential = release
    order = np.random.default_rng(seed).permutation(confidential.size)

    scores = [f(quasi, confidential) for f in (l_diversity, nominal_t, numeric_t)]

    rearranged = [f(quasi[order], confidential[order]) for f in (l_diversity, nominal_t, numeric_t)]
    assert rearranged == pytest.approx(scores)


def nominal_t(quasi, confidential):
    return t_closeness(quasi, confidential, ordered=False)


def numeric_t(quasi, confidential):
    return t_closeness(quasi, confidential, ordered=True)


def test_t_closeness_gives_the_values_of_its_authors_example() -> None:
    # Nine salaries of 3 to 11 thousand: {3, 4, 5} is at 0.375 and {6, 8, 11} at 0.167; the six
    # others are nearer to the whole in both cases.
    salaries = np.array([3.0, 4.0, 5.0, 6.0, 11.0, 8.0, 7.0, 9.0, 10.0])
    low_ones_apart = np.array([[0], [0], [0], [1], [1], [1], [1], [1], [1]])
    mixed_ones_apart = np.array([[1], [1], [1], [0], [0], [0], [1], [1], [1]])

    assert numeric_t(low_ones_apart, salaries) == pytest.approx(3 / 8)
    assert numeric_t(mixed_ones_apart, salaries) == pytest.approx(1 / 6)


def test_classes_of_different_values_are_apart_and_all_in_one_is_close() -> None:
    alone = np.array([[0.0], [0.0], [1.0], [1.0]])
    confidential = np.array(["flu", "flu", "gout", "gout"])

    assert nominal_t(alone, confidential) == 0.5
    assert nominal_t(np.zeros((4, 1)), confidential) == 0.0
    assert l_diversity(alone, confidential) == 1
    assert l_diversity(np.zeros((4, 1)), confidential) == 2


def test_a_single_class_is_at_distance_exactly_zero() -> None:
    incomes = np.random.default_rng(1).lognormal(size=1000)

    assert numeric_t(np.zeros((1000, 2)), incomes) == 0.0
    assert nominal_t(np.zeros((1000, 2)), incomes) == 0.0


def test_strings_and_objects_can_be_quasi_identifiers() -> None:
    quasi = np.array([["a", "x"], ["a", "x"], ["a", "y"], ["a", "y"], ["a", "y"]], dtype=object)

    assert k_achieved(quasi) == 2
    assert k_achieved(quasi.astype(str)) == 2


def test_values_that_look_alike_when_joined_stay_apart() -> None:
    quasi = np.array([["ab", "c"], ["a", "bc"]])

    assert k_achieved(quasi) == 1


def test_without_quasi_identifiers_all_records_share_one_class() -> None:
    assert k_achieved(np.empty((7, 0))) == 7


def test_many_wide_columns_do_not_overflow_the_class_numbers() -> None:
    quasi = np.random.default_rng(1).integers(0, 2**62, size=(500, 12))
    doubled = np.concatenate((quasi, quasi))

    classes = equivalence_classes(doubled)

    assert sorted(classes[:500]) == list(range(500))
    assert (classes[:500] == classes[500:]).all()


def test_an_empty_release_has_no_classes() -> None:
    with pytest.raises(DataError, match="no records"):
        k_achieved(np.empty((0, 2)))


@given(original=arrays(np.float64, (12, 2), elements=few), seed=st.integers(0, 99))
def test_linkage_shares_a_hit_among_the_nearest_originals(original, seed) -> None:
    released = original + np.random.default_rng(seed).integers(-1, 2, size=original.shape)

    rl = record_linkage(original, released)

    squared = ((released[:, None, :] - original[None, :, :]) ** 2).sum(axis=2)
    nearest = squared == squared.min(axis=1, keepdims=True)
    expected = 100 * np.mean(np.diag(nearest) / nearest.sum(axis=1))
    assert rl == pytest.approx(expected)


def test_unchanged_distinct_records_are_all_linked_and_merged_ones_by_chance() -> None:
    original = np.arange(10.0)[:, None]

    assert record_linkage(original, original) == 100.0
    assert record_linkage(np.ones((10, 1)), original) == pytest.approx(10.0)


def test_the_scale_decides_which_attribute_gives_records_away() -> None:
    original = np.array([[0.0, 0.0], [1.0, 100.0]])
    released = np.array([[0.1, 90.0], [0.9, 10.0]])
    scale = column_scales(original.var(axis=0), "bounds", [(0.0, 1.0), (0.0, 1000.0)])

    assert record_linkage(original, released) == 0.0
    assert record_linkage(original, released, scale) == 100.0


def test_linkage_needs_corresponding_records() -> None:
    with pytest.raises(DataError, match="one record for each record"):
        record_linkage(np.ones((3, 1)), np.ones((2, 1)))
