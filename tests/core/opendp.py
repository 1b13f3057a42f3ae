"""What does OpenDP say?  Its samplers and its accounting, as references for ours."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any

import numpy as np
from opendp.combinators import make_pureDP_to_zCDP, make_zCDP_to_approxDP
from opendp.domains import atom_domain, vector_domain
from opendp.measurements import make_gaussian, make_laplace
from opendp.metrics import l1_distance, l2_distance
from opendp.mod import enable_features

enable_features("contrib")


def opendp_laplace(scale: Fraction) -> Any:
    """Return OpenDP's measurement for integers; its ``map`` is the price of a sensitivity."""
    space = vector_domain(atom_domain(T="i64")), l1_distance(T="i64")
    return make_laplace(*space, scale=float_not_below(scale))


def opendp_gaussian(sigma: float) -> Any:
    """Return OpenDP's measurement for integers; its ``map`` gives rho."""
    space = vector_domain(atom_domain(T="i64")), l2_distance(T="f64")
    return make_gaussian(*space, scale=sigma)


def opendp_profile(rho: Fraction) -> Any:
    """Return the pairs of epsilon and delta that OpenDP says a rho implies."""
    return make_zCDP_to_approxDP(opendp_gaussian(math.sqrt(1 / (2 * rho)))).map(1.0)


def opendp_rho(epsilon: Fraction) -> float:
    """Return the rho that OpenDP gives a pure epsilon."""
    return float(make_pureDP_to_zCDP(opendp_laplace(1 / epsilon)).map(1))


def float_not_below(value: Fraction) -> float:
    """Round up to a float."""
    rounded = float(value)
    return rounded if Fraction(rounded) >= value else float(np.nextafter(rounded, np.inf))
