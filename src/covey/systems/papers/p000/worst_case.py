"""Which k does paper 000 advise where nothing but the bounds is known?  Propositions 7 to 10.

Errors are sums of squares over the n records of one column, in units of its public width squared.
They hold for clusters of k neighbours in the order of one column, `rank-blocks` included, and they
are functions of public numbers, so looking at them costs nothing.
"""

from __future__ import annotations

import math


def record_noise_sse(n: int, epsilon: float) -> float:
    """Return the expected error of Laplace noise on each record, k = 1 (Proposition 7).

    Examples
    --------
    >>> record_noise_sse(1000, 1.0)
    2000.0
    """
    return 2.0 * n / epsilon / epsilon


def worst_case_sse(n: int, k: int, epsilon: float) -> float:
    """Bound the expected error of noise on means of k records (Proposition 8).

    The first term is a cluster that has half of its records at either bound; in the order of one
    column only one cluster can be so unlucky.

    Examples
    --------
    >>> worst_case_sse(1000, 10, 1.0)
    22.5
    """
    return k / 4.0 + record_noise_sse(n, epsilon) / k**2


def worst_case_k(n: int, epsilon: float) -> int:
    """Return the k with the smallest worst case, at least 1 and at most n.

    The derivative of Proposition 8 vanishes at (16 n/ε²)^⅓.

    Examples
    --------
    >>> worst_case_k(1080, 1.0)
    26
    """
    root = math.cbrt(16.0 * n / epsilon**2)
    around = {min(n, max(1, k)) for k in (math.floor(root), math.ceil(root))}
    return min(around, key=lambda k: (worst_case_sse(n, k, epsilon), k))


def largest_useful_k(n: int, epsilon: float) -> int:
    """Return the largest k whose worst case is below the error of noise on each record.

    Paper 000 rounds this to k < 8n/ε², its Eq. (3).  1 if no clusters are worth it.

    Examples
    --------
    >>> largest_useful_k(1000, 10.0)
    79
    >>> largest_useful_k(1000, 1.0)
    1000
    """
    # Unlike [000, Eq. 3]: k³/(k²−1) is a little above k, so 8n/ε² itself can be one too many.
    k = min(n, math.floor(8.0 * n / epsilon**2))
    while k > 1 and worst_case_sse(n, k, epsilon) >= record_noise_sse(n, epsilon):
        k -= 1
    return max(1, k)
