"""How is a question about records answered?  The price is taken, noise is drawn, noise comes out.

The meter owns the records, the budget and the bill.  Whoever holds a meter can ask; what comes
back is noise around the answer, whose scale a reviewed claim has set.  Asking more than the
budget pays for, for another neighbour relation than a claim speaks of, or without a claim, is
refused at the question.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import numpy as np

from covey.core import questions as ask
from covey.core.budget import Budget
from covey.core.claims_tables import Norm, find_claim
from covey.core.exact import THOUSANDTHS
from covey.core.unit import PrivacyUnit
from covey.errors import BudgetError, PlanError, UnprovenError

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from covey.core.source import NoiseSource

SMALLEST_TEST = Fraction(14427, 10000)
"""The proof of the private tree needs γλ ≥ 1; this bound leaves a margin."""

LARGEST_TEST, LARGEST_CUBE = 2**40, 2**50
"""Beyond these scales, exponents or sums of noise would not fit into 64-bit integers."""


@dataclass(frozen=True, slots=True)
class Paid:
    """A question that was asked: its claim, what it cost, and the public numbers of its noise."""

    method: str
    statistic: str
    proof: str
    epsilon: Fraction
    public: dict[str, int]
    scale: Fraction

    def to_dict(self) -> dict[str, Any]:
        """Return plain JSON values; amounts are exact fractions as text."""
        exact = {"epsilon": str(self.epsilon), "scale": str(self.scale)}
        about = {"claim": f"{self.method}/{self.statistic}", "proof": self.proof}
        return {**about, **exact, "public": dict(self.public)}


@dataclass(slots=True)
class Bill:
    """What was asked so far, and what may still be spent."""

    unit: PrivacyUnit
    budget: Fraction
    paid: list[Paid] = field(default_factory=list)
    sampled: bool = False
    closed: bool = False

    @property
    def spent(self) -> Fraction:
        """Return the cost of all questions together: sequential composition."""
        return sum((part.epsilon for part in self.paid), Fraction(0))

    def charge(
        self,
        question: Any,
        share: Budget,
        norm: Norm,
        scale: Callable[[Fraction], Fraction] = Fraction,
    ) -> tuple[int, Fraction]:
        """Take the price of a question, or refuse it; return its sensitivity and its scale.

        ``norm`` is what the noise pays for.  ``scale`` turns the quotient of sensitivity and price
        into the scale of the noise.
        """
        if type(question) not in ask.CLAIMED:
            raise UnprovenError(
                f"nobody has reviewed a claim about the question {type(question).__name__!r}, so "
                f"it gets no answer. Ask one of covey.core.questions, or add a claim and its proof."
            )
        ask.refuse_foreign(question)
        method, statistic, public = ask.CLAIMED[type(question)](question)
        claim = find_claim(method, statistic, self.unit)
        if claim.norm != norm:
            raise UnprovenError(
                f"the claim about the {statistic!r} of {method!r} bounds {claim.norm!r}, and this "
                f"noise would pay for {norm!r}, so it gets no answer. Ask the meter's other way."
            )
        if type(share) is not Budget or type(share.epsilon) is not Fraction:
            raise BudgetError("a share of the budget is no exact fraction. Split a `Budget`.")
        if self.closed or share.epsilon <= 0 or self.spent + share.epsilon > self.budget:
            raise BudgetError(
                f"the question {statistic!r} of {method!r} would cost {float(share.epsilon):g} and "
                f"{'the meter is closed' if self.closed else 'so much is not left'}, so it gets no "
                f"answer. Split the budget once, and ask for its parts."
            )
        sensitivity = claim.bound(**public)
        if sensitivity <= 0:
            raise UnprovenError(
                f"the sensitivity of {statistic!r} of {method!r} is not positive, so there would "
                f"be no noise. Check the public bounds or the taxonomy: one value is too few."
            )
        noise = scale(sensitivity / share.epsilon)
        self.paid.append(Paid(method, statistic, claim.proof, share.epsilon, public, noise))
        return sensitivity, noise


@dataclass(frozen=True, slots=True)
class Noisy:
    """Whole numbers with discrete Laplace noise of scale ``scale`` times their public weight."""

    values: NDArray[np.int64]
    scale: Fraction
    weights: NDArray[np.int64] | None = None

    @property
    def scales(self) -> NDArray[np.float64]:
        """Return the scale of each number's noise."""
        weights = np.ones(self.values.size) if self.weights is None else self.weights
        return np.asarray(weights * float(self.scale))


@dataclass(frozen=True, slots=True)
class Vectors:
    """Rows of whole numbers with noise z of probability ∝ exp(−max|z| / scale) in each row."""

    values: NDArray[np.int64]
    scale: int


@dataclass(frozen=True, slots=True)
class Boxed:
    """Boxes that a randomised test has cut: their ends, and the number to ask about them."""

    low: NDArray[np.int64]
    high: NDArray[np.int64]
    number: int


@dataclass(frozen=True, slots=True)
class Draw:
    """The noise on one column of single records, which an engine adds piece by piece."""

    question: ask.RecordValues | ask.RecordConcepts
    sensitivity: int
    epsilon: Fraction
    source: NoiseSource

    @property
    def scale(self) -> Fraction:
        """Return the scale of the noise on values; half the rate's inverse for choices."""
        return self.sensitivity / self.epsilon

    def __call__(self, exact: NDArray[np.int64]) -> NDArray[np.int64]:
        """Return noisy values, or the candidates chosen for codes of values."""
        if isinstance(self.question, ask.RecordValues):
            return self.source.laplace(
                exact, scale=self.scale, l1=self.sensitivity, epsilon=self.epsilon
            )
        return self.source.choices(self.question.distances[exact], rate=1 / (2 * self.scale))


class Meter:
    """Answers questions about records with noise, and keeps the bill.

    It shows the records to nobody.  Whoever publishes keeps the bill too; the system does not.
    """

    __slots__ = ("__bill", "__records", "__source", "progress")

    def __init__(
        self,
        records: ask.Records,
        bill: Bill,
        source: NoiseSource,
        progress: Callable[[str, int, int], None] | None = None,
    ) -> None:
        self.__records, self.__source, self.__bill = records, source, bill
        self.progress = progress or (lambda *_: None)

    def counts(self, question: Any, share: Budget) -> Noisy:
        """Return counts or sums with discrete Laplace noise (discrete-laplace.md).

        Of weighted counts the claim bounds Σ |change| / weight: noise grows with the weight.
        """
        l1, scale = self.__bill.charge(question, share, "sum")
        exact = self.__records.answer(question)
        _refuse_other_clusters(question, len(exact))
        return self.__noisy(exact, l1, scale, share, _weights(question))

    def counts_of(
        self, questions: Sequence[ask.CellCounts], shares: Sequence[Budget]
    ) -> list[Noisy]:
        """Return several counts at once, for engines that read all records for each answer."""
        priced = [self.__bill.charge(*each, "sum") for each in zip(questions, shares, strict=True)]
        found = zip(self.__records.answers(questions), priced, shares, strict=True)
        return [self.__noisy(exact, *price, share) for exact, price, share in found]

    def __noisy(
        self,
        exact: NDArray[np.int64],
        l1: int,
        scale: Fraction,
        share: Budget,
        weights: NDArray[np.int64] | None = None,
    ) -> Noisy:
        noisy = np.empty(exact.size, dtype=np.int64)
        each = np.ones(exact.size, dtype=np.int64) if weights is None else weights
        for weight in np.unique(each).tolist():
            where = each == weight
            noisy[where] = self.__source.laplace(
                exact[where], scale=weight * scale, l1=weight * l1, epsilon=share.epsilon
            )
        return Noisy(noisy, scale, weights)

    def boxes(self, question: ask.Cuts, share: Budget) -> Boxed:
        """Return the boxes that randomised tests cut, each tested once (private-tree.md)."""
        _, scale = self.__bill.charge(question, share, "tests", _in_thousandths)
        if not SMALLEST_TEST <= scale <= LARGEST_TEST:
            raise PlanError(
                f"epsilon is too {'small' if scale > LARGEST_TEST else 'large'} for exact tests of "
                f"the private tree, whose structure would get {float(share.epsilon):g}. Give "
                f"another epsilon, or publish fewer columns."
            )
        tested: set[int] = set()

        def decide(counts: NDArray[np.int64], depth: int) -> NDArray[np.bool_]:
            if depth in tested:
                raise BudgetError(f"the boxes of depth {depth} were tested before; once is paid.")
            tested.add(depth)
            if counts.size == 0:
                return np.zeros(0, dtype=np.bool_)
            return self.__source.cut(counts, depth=depth, scale=scale)

        return Boxed(*self.__records.cut(question, decide))

    def vectors(self, question: ask.BoxSums | ask.RankProducts, share: Budget) -> Vectors:
        """Return count and sums of every box at once, with noise in a cube (cube-noise.md).

        Sides that are not measured stay 0; boxes with equally many of them are drawn together.
        Sums of products of ranks are one such row.
        """
        _, exact_scale = self.__bill.charge(question, share, "rows", _whole)
        scale = int(exact_scale)
        if scale > LARGEST_CUBE:
            raise PlanError(
                "epsilon is too small for exact noise, which would not fit into 64 bits. Give a "
                "larger epsilon, or publish fewer columns."
            )
        exact = self.__records.answer(question)
        noisy = np.zeros_like(exact)
        used = np.ones(exact.shape, dtype=np.bool_)
        if isinstance(question, ask.BoxSums):
            used[:, 1:] = question.measured
        width = used.sum(axis=1)
        for sides in np.unique(width):
            rows = np.flatnonzero(width == sides)
            drawn = self.__source.cube(exact[rows][used[rows]].reshape(rows.size, -1), scale=scale)
            inside = np.zeros((rows.size, exact.shape[1]), dtype=np.int64)
            inside[used[rows]] = drawn.ravel()
            noisy[rows] = inside
        return Vectors(noisy, scale)

    def choices(self, question: ask.ClusterConcepts, share: Budget) -> NDArray[np.int64]:
        """Return a candidate for each cluster, with probability ∝ exp(−ε loss / (2 N s)).

        One record may touch all N clusters, so each gets an equal part (exponential-mechanism.md).
        """
        _, scale = self.__bill.charge(
            question,
            share,
            "cluster-scores",
            lambda quotient: 2 * question.order.sizes.size * quotient,
        )
        exact = self.__records.answer(question)
        _refuse_other_clusters(question, len(exact))
        return self.__source.choices(exact @ question.distances, rate=1 / scale)

    def choice(self, question: ask.PairScores, share: Budget) -> int:
        """Return one pair of columns, with probability ∝ exp(ε score / (2 s))."""
        _, scale = self.__bill.charge(question, share, "scores", lambda quotient: 2 * quotient)
        scores = self.__records.answer(question)
        return int(self.__source.choices(-scores[None, :], rate=1 / scale)[0])

    def perturbed(self, questions: Sequence[Any], shares: Sequence[Budget]) -> Any:
        """Return the records, every value of which was drawn anew by itself (record-values.md)."""
        draws = []
        for question, share in zip(questions, shares, strict=True):
            values = isinstance(question, ask.RecordValues)
            if not values and not isinstance(question, ask.RecordConcepts):
                raise UnprovenError("only values of single records are drawn by themselves.")
            l1, _ = self.__bill.charge(question, share, "sum" if values else "scores")
            draws.append(Draw(question, l1, share.epsilon, self.__source))
        return self.__records.perturbed(draws)

    def sampled(self, question: ask.Sample) -> Meter:
        """Return a meter on the records whose coins say that they take part (personalised.md).

        What it is asked goes on the same bill, and may cost what the coins were made for; the
        coins cost nothing, and nobody sees them.  This meter is closed: whoever did not take part
        pays for nothing.
        """
        ask.refuse_foreign(question)
        method, statistic, public = ask.CLAIMED[ask.Sample](question)
        bill, records = self.__bill, self.__records
        claim = find_claim(method, statistic, bill.unit)
        if claim.bound(**public) != 1 or claim.norm != "records" or bill.paid or bill.closed:
            raise UnprovenError("only a first sample that changes by one record is proven.")
        bill.sampled, bill.budget = True, min(bill.budget, question.threshold)
        bill.paid.append(Paid(method, statistic, claim.proof, Fraction(0), {}, Fraction(0)))
        self.__bill = Bill(unit=bill.unit, budget=Fraction(0), closed=True)
        toss = None if question.certain else self.__source.coins
        return Meter(records.sampled(question, toss), bill, self.__source, self.progress)


def _refuse_other_clusters(question: Any, answers: int) -> None:
    """Refuse a public order for another number of records: its claim counts the clusters."""
    if isinstance(question, ask.ClusterSums | ask.ClusterConcepts):
        order = question.order
        columns = len(order.grids) if question.name is None else 1
        if answers != order.sizes.size * columns:
            raise UnprovenError("a public order speaks of another number of records.")


def _in_thousandths(kappa: Fraction) -> Fraction:
    """Round the scale of a test up to thousandths; the claim counts κ in them."""
    return Fraction(math.ceil(kappa), THOUSANDTHS)


def _whole(scale: Fraction) -> Fraction:
    return Fraction(math.ceil(scale))


def largest_structure(unit: PrivacyUnit) -> Fraction:
    """Return the most that a private tree's cuts may cost: beyond it, the proof ends."""
    bound = find_claim("private-tree", "structure", unit).bound()
    return Fraction(bound, THOUSANDTHS) / SMALLEST_TEST


def _weights(question: Any) -> NDArray[np.int64] | None:
    """Return the public weight of each count, where the claim speaks of weighted counts."""
    if isinstance(question, ask.EdgesLeft):
        return np.array(question.bounds)
    if isinstance(question, ask.EdgeCounts) and not question.even:
        return question.boxes.weights
    return None
