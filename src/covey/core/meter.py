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
from covey.core.bounds import binary_above
from covey.core.budget import Budget
from covey.core.claims_tables import Norm, find_claim
from covey.core.exact import THOUSANDTHS
from covey.core.persons import Persons
from covey.core.unit import PrivacyUnit
from covey.errors import BudgetError, InternalError, PlanError, UnprovenError

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from covey.core.source import NoiseSource

SMALLEST_TEST = Fraction(14427, 10000)
"""The proof of the private tree needs γλ ≥ 1; this bound leaves a margin."""

LARGEST_TEST, LARGEST_CUBE = 2**40, 2**50
"""Beyond these scales, exponents or sums of noise would not fit into 64-bit integers."""

VARIANCE_BITS = 16
"""Variances are rounded up to so many binary digits, with which noise is drawn fast."""


@dataclass(frozen=True, slots=True)
class Paid:
    """A question that was asked: its claim, what it cost, and the public numbers of its noise.

    ``noise`` is its scale; of Gaussian noise its variance.
    """

    method: str
    statistic: str
    proof: str
    cost: Budget
    public: dict[str, int]
    noise: Fraction
    gaussian: bool = False

    def to_dict(self) -> dict[str, Any]:
        """Return plain JSON values; amounts are exact fractions as text."""
        about = {"claim": f"{self.method}/{self.statistic}", "proof": self.proof}
        amount = "epsilon" if self.cost.delta is None else "rho"
        noise = "variance" if self.gaussian else "scale"
        exact = {amount: str(self.cost.amount), noise: str(self.noise)}
        return {**about, **exact, "public": dict(self.public)}


@dataclass(slots=True)
class Bill:
    """What was asked so far, and what may still be spent.

    Both are of one record; of ``persons``, many of whose records are kept, more (persons.md).
    """

    unit: PrivacyUnit
    budget: Budget
    persons: Persons | None = None
    paid: list[Paid] = field(default_factory=list)
    sampled: bool = False
    closed: bool = False

    @property
    def spent(self) -> Budget:
        """Return the cost of all questions together: sequential composition (losses.md)."""
        whole = sum((part.cost.amount for part in self.paid), Fraction(0))
        return Budget(whole, self.budget.delta)

    @property
    def lost(self) -> Budget:
        """Return what the one who is protected loses: a record, or a person."""
        return self.spent if self.persons is None else self.persons.whole(self.spent)

    @property
    def protects(self) -> PrivacyUnit:
        """Return what may differ between neighbours: a record, or all of a person."""
        return self.unit if self.persons is None else self.persons.unit(self.unit)

    def charge(
        self,
        question: Any,
        share: Budget,
        norm: Norm,
        scale: Callable[[int], Fraction] | None = None,
    ) -> tuple[int, Fraction]:
        """Take the price of a question, or refuse it; return how far it moves and its noise.

        ``norm`` is what the noise pays for, and ``scale`` turns it into the scale of the noise.
        Without, moves get noise of scale bound/ε, and their squares a variance of
        half of squares/rho.
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
        if type(share) is not Budget or type(share.amount) is not Fraction:
            raise BudgetError("a share of the budget is no exact fraction. Split a `Budget`.")
        left = self.budget.amount - self.spent.amount
        other = share.delta != self.budget.delta
        if self.closed or other or not 0 < share.amount <= left:
            raise BudgetError(
                f"the question {statistic!r} of {method!r} would cost {float(share.amount):g} and "
                f"{'the meter is closed' if self.closed else 'so much is not left'}, so it gets no "
                f"answer. Split the budget once, and ask for its parts."
            )
        gaussian = scale is None and share.delta is not None
        moved = claim.squared(public) if gaussian else claim.bound(**public)
        if moved is None:
            raise UnprovenError(
                f"nobody has bounded the squares of the moves of the {statistic!r} of {method!r}, "
                f"so Gaussian noise would rest on nothing. Give an epsilon without delta."
            )
        if moved <= 0:
            raise UnprovenError(
                f"the sensitivity of {statistic!r} of {method!r} is not positive, so there would "
                f"be no noise. Check the public bounds or the taxonomy: one value is too few."
            )
        if gaussian:
            noise = binary_above(moved / (2 * share.amount), VARIANCE_BITS)
        else:
            noise = scale(moved) if scale else moved / share.amount
        self.paid.append(Paid(method, statistic, claim.proof, share, public, noise, gaussian))
        return moved, noise


@dataclass(frozen=True, slots=True)
class Noisy:
    """Whole numbers with noise: discrete Laplace of a scale, or discrete Gaussian of a variance.

    ``noise`` is that scale or variance; with public ``weights``, each number's scale, or the root
    of its variance, is so many times as large.
    """

    values: NDArray[np.int64]
    noise: Fraction
    weights: NDArray[np.int64] | None = None
    gaussian: bool = False

    @property
    def scale(self) -> Fraction:
        """Return the scale of Laplace noise of weight 1."""
        if self.gaussian:
            raise InternalError("Gaussian noise was taken for Laplace noise.")
        return self.noise

    @property
    def deviation(self) -> float:
        """Return the standard deviation of noise of weight 1, or a little more."""
        return math.sqrt(self.noise) if self.gaussian else math.sqrt(2.0) * float(self.noise)

    @property
    def scales(self) -> NDArray[np.float64]:
        """Return each number's scale of noise; of Gaussian noise, its standard deviation."""
        weights = np.ones(self.values.size) if self.weights is None else self.weights
        return np.asarray(weights * (self.deviation if self.gaussian else float(self.noise)))


@dataclass(frozen=True, slots=True)
class Vectors:
    """Rows of whole numbers with noise z of probability ∝ exp(−max|z| / noise) in each row.

    Or with independent Gaussian noise of this variance in each coordinate.
    """

    values: NDArray[np.int64]
    noise: Fraction
    gaussian: bool = False

    @property
    def scale(self) -> int:
        """Return the scale of noise in a cube."""
        if self.gaussian:
            raise InternalError("Gaussian noise was taken for noise in a cube.")
        return int(self.noise)

    def deviation(self, width: NDArray[np.int64] | int) -> NDArray[np.float64]:
        """Return the standard deviation of a coordinate of rows of this width, about."""
        each = np.asarray(width, dtype=np.float64)
        if self.gaussian:
            return np.full(each.shape, math.sqrt(self.noise))
        return np.asarray(float(self.noise) * np.sqrt((each + 1) * (each + 2) / 3.0))


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
        """Return counts or sums with discrete Laplace or Gaussian noise (discrete-laplace.md).

        Of weighted counts the claim bounds Σ |change| / weight: noise grows with the weight.
        """
        moved, noise = self.__bill.charge(question, share, "sum")
        exact = self.__records.answer(question)
        _refuse_other_clusters(question, len(exact))
        return self.__noisy(exact, moved, noise, share, _weights(question))

    def counts_of(self, questions: Sequence[Any], shares: Sequence[Budget]) -> list[Noisy]:
        """Return several counts at once, for engines that read all records for each answer."""
        priced = [self.__bill.charge(*each, "sum") for each in zip(questions, shares, strict=True)]
        found = zip(self.__records.answers(questions), priced, shares, strict=True)
        return [self.__noisy(exact, *price, share) for exact, price, share in found]

    def __noisy(
        self,
        exact: NDArray[np.int64],
        moved: int,
        noise: Fraction,
        share: Budget,
        weights: NDArray[np.int64] | None = None,
    ) -> Noisy:
        noisy, gaussian = np.empty(exact.size, dtype=np.int64), share.delta is not None
        each = np.ones(exact.size, dtype=np.int64) if weights is None else weights
        for weight in np.unique(each).tolist():
            where = each == weight
            if gaussian:
                noisy[where] = self.__source.gaussian(
                    exact[where],
                    variance=weight**2 * noise,
                    squares=weight**2 * moved,
                    rho=share.rho,
                )
            else:
                noisy[where] = self.__source.laplace(
                    exact[where], scale=weight * noise, l1=weight * moved, epsilon=share.epsilon
                )
        return Noisy(noisy, noise, weights, gaussian)

    def boxes(self, question: ask.Cuts, share: Budget) -> Boxed:
        """Return the boxes that randomised tests cut, each tested once (private-tree.md)."""
        _, scale = self.__bill.charge(
            question, share, "tests", lambda kappa: _in_thousandths(kappa / share.of_each())
        )
        if not SMALLEST_TEST <= scale <= LARGEST_TEST:
            raise PlanError(
                f"epsilon is too {'small' if scale > LARGEST_TEST else 'large'} for exact tests of "
                f"the private tree, whose structure would get {float(share.of_each()):g}. Give "
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
        Sums of products of ranks are one such row.  Gaussian noise is the same in all coordinates.
        """
        gaussian = share.delta is not None
        cube = None if gaussian else lambda moved: _whole(moved / share.epsilon)
        moved, noise = self.__bill.charge(question, share, "rows", cube)
        if noise > (LARGEST_CUBE**2 if gaussian else LARGEST_CUBE):
            raise PlanError(
                "epsilon is too small for exact noise, which would not fit into 64 bits. Give a "
                "larger epsilon, or publish fewer columns."
            )
        exact = self.__records.answer(question)
        noisy = np.zeros_like(exact)
        used = np.ones(exact.shape, dtype=np.bool_)
        if isinstance(question, ask.BoxSums):
            used[:, 1:] = question.measured
        if gaussian:
            noisy[used] = self.__source.gaussian(
                exact[used], variance=noise, squares=moved, rho=share.rho
            )
            return Vectors(noisy, noise, gaussian=True)
        width = used.sum(axis=1)
        for sides in np.unique(width):
            rows = np.flatnonzero(width == sides)
            drawn = self.__source.cube(
                exact[rows][used[rows]].reshape(rows.size, -1), scale=int(noise)
            )
            inside = np.zeros((rows.size, exact.shape[1]), dtype=np.int64)
            inside[used[rows]] = drawn.ravel()
            noisy[rows] = inside
        return Vectors(noisy, noise)

    def choices(self, question: ask.ClusterConcepts, share: Budget) -> NDArray[np.int64]:
        """Return a candidate for each cluster, with probability ∝ exp(−e loss / (2 s)).

        One record may touch all clusters, so each gets an equal part e (exponential-mechanism.md).
        """
        each = share.of_each(question.order.sizes.size, choice=True)
        _, scale = self.__bill.charge(
            question, share, "cluster-scores", lambda moved: 2 * moved / each
        )
        exact = self.__records.answer(question)
        _refuse_other_clusters(question, len(exact))
        return self.__source.choices(exact @ question.distances, rate=1 / scale)

    def choice(self, question: ask.PairScores, share: Budget) -> int:
        """Return one pair of columns, with probability ∝ exp(e score / (2 s))."""
        each = share.of_each(choice=True)
        _, scale = self.__bill.charge(question, share, "scores", lambda moved: 2 * moved / each)
        scores = self.__records.answer(question)
        return int(self.__source.choices(-scores[None, :], rate=1 / scale)[0])

    def perturbed(self, questions: Sequence[Any], shares: Sequence[Budget]) -> Any:
        """Return the records, every value of which was drawn anew by itself (record-values.md)."""
        draws = []
        for question, share in zip(questions, shares, strict=True):
            values = isinstance(question, ask.RecordValues)
            if not values and not isinstance(question, ask.RecordConcepts):
                raise UnprovenError("only values of single records are drawn by themselves.")
            epsilon = share.epsilon
            l1, _ = self.__bill.charge(question, share, "sum" if values else "scores")
            draws.append(Draw(question, l1, epsilon, self.__source))
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
        if bill.persons is not None:
            raise UnprovenError("nobody has proven what a person loses by several coins.")
        nothing = Budget(Fraction(0))
        bill.sampled = True
        bill.budget = Budget(min(bill.budget.epsilon, question.threshold))
        bill.paid.append(Paid(method, statistic, claim.proof, nothing, {}, Fraction(0)))
        self.__bill = Bill(unit=bill.unit, budget=nothing, closed=True)
        toss = None if question.certain else self.__source.coins
        return Meter(records.sampled(question, toss), bill, self.__source, self.progress)


def _refuse_other_clusters(question: Any, answers: int) -> None:
    """Refuse a public order for another number of records: its claim counts the clusters."""
    if isinstance(question, ask.ClusterSums | ask.ClusterConcepts):
        order = question.order
        columns = len(order.grids) if question.name is None else 1
        if answers != order.sizes.size * columns:
            raise UnprovenError("a public order speaks of another number of records.")


def _whole(scale: Fraction) -> Fraction:
    """Round the scale of noise in a cube up to a whole number."""
    return Fraction(math.ceil(scale))


def _in_thousandths(kappa: Fraction) -> Fraction:
    """Round the scale of a test up to thousandths; the claim counts κ in them."""
    return Fraction(math.ceil(kappa), THOUSANDTHS)


def largest_structure(unit: PrivacyUnit) -> Fraction:
    """Return the largest pure epsilon of a private tree's cuts: beyond it, the proof ends."""
    bound = find_claim("private-tree", "structure", unit).bound()
    return Fraction(bound, THOUSANDTHS) / SMALLEST_TEST


def _weights(question: Any) -> NDArray[np.int64] | None:
    """Return the public weight of each count, where the claim speaks of weighted counts."""
    if isinstance(question, ask.EdgesLeft):
        return np.array(question.bounds)
    if isinstance(question, ask.EdgeCounts) and not question.even:
        return question.boxes.weights
    return None
