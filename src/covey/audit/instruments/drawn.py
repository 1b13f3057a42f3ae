"""What was drawn, and how likely was it?  A call of a noise source, and the law of each mechanism.

All exact laws that an audit relies on are here: discrete Laplace and Gaussian, cube noise, the
test of a private tree, the exponential mechanism, and coins.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import numpy as np

from covey.core.exact import COIN_PARTS, GAMMA

if TYPE_CHECKING:
    from numpy.typing import NDArray


@dataclass(frozen=True, slots=True, eq=False)
class Drawn:
    """One call of a noise source.

    Parameters
    ----------
    mechanism : str
        The method that was called, a key of `LAWS`.
    exact : array
        What was to be hidden.
    public : mapping
        Scale, depth, rate, … as they were given.
    result : array
        What came out.
    """

    mechanism: str
    exact: NDArray[Any]
    public: Mapping[str, Any]
    result: NDArray[Any]

    @property
    def request(self) -> tuple[object, ...]:
        """Return what must not depend on the records."""
        return (self.mechanism, self.exact.shape, *sorted(self.public.items()))

    @property
    def log_likelihood(self) -> float:
        """Return the logarithm of the probability of the result, up to a public constant."""
        return float(LAWS[self.mechanism](self.exact, self.result, **self.public).sum())

    def __eq__(self, other: object) -> bool:
        """Compare requests, what was to be hidden, and what came out."""
        if not isinstance(other, Drawn):
            return NotImplemented
        return (
            self.request == other.request
            and np.array_equal(self.exact, other.exact)
            and np.array_equal(self.result, other.result)
        )

    __hash__ = None  # type: ignore[assignment]


def _laplace(
    exact: NDArray[Any], result: NDArray[Any], *, scale: Fraction, **_: object
) -> NDArray[np.float64]:
    # With its constant, because scales that differ between inputs are compared as well.
    constant = math.log(math.tanh(1.0 / (2.0 * float(scale))))
    return np.asarray(constant - np.abs(result - exact) / float(scale))


def _gaussian(
    exact: NDArray[Any], result: NDArray[Any], *, variance: Fraction, **_: object
) -> NDArray[np.float64]:
    twice = 2.0 * float(variance)
    # The sum over whole numbers and the integral agree to all digits above this variance.
    z = np.arange(-20, 21)
    whole = math.sqrt(math.pi * twice) if twice > 8 else float(np.exp(-(z**2) / twice).sum())  # noqa: PLR2004
    return np.asarray(-((result - exact) ** 2.0) / twice - math.log(whole))


def _cube(exact: NDArray[Any], result: NDArray[Any], *, scale: int) -> NDArray[np.float64]:
    return np.asarray(-np.abs(result - exact).max(axis=1) / scale)


def _cut(
    counts: NDArray[Any], result: NDArray[Any], *, depth: int, scale: Fraction
) -> NDArray[np.float64]:
    gamma = float(GAMMA)
    s = np.maximum(counts / float(scale) - depth * gamma, -gamma)
    tail = -np.abs(s) - np.log(2.0)
    return np.asarray(np.where(result == (s > 0), np.log1p(-np.exp(tail)), tail))


def _choices(losses: NDArray[Any], result: NDArray[Any], *, rate: Fraction) -> NDArray[np.float64]:
    logs = -float(rate) * (losses - losses.min(axis=1, keepdims=True))
    chosen = np.take_along_axis(logs, result[:, None], axis=1)[:, 0]
    return np.asarray(chosen - np.log(np.exp(logs).sum(axis=1)))


def _coins(parts: NDArray[Any], result: NDArray[Any]) -> NDArray[np.float64]:
    kept = parts / COIN_PARTS
    with np.errstate(divide="ignore"):
        return np.asarray(np.log(np.where(result, kept, 1.0 - kept)))


LAWS: dict[str, Callable[..., NDArray[np.float64]]] = {
    "laplace": _laplace,
    "gaussian": _gaussian,
    "cube": _cube,
    "cut": _cut,
    "choices": _choices,
    "coins": _coins,
}
"""From exact values, results and public numbers to the log probability of each entry or row, up to
a constant that depends on the public numbers alone."""
