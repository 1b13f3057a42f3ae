"""Which error does paper 000 expect of its systems?  Its Eq. (2), for the curator."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from covey.core import Budget
from covey.errors import PlanError, suggest
from covey.systems.base import PlainSystem
from covey.systems.columns import choose_columns, on_grids
from covey.systems.papers.p000 import mdav_dp, mdav_ir_dp, opt_dp
from covey.systems.papers.p000.centroid_noise import Clustering, expected_error
from covey.systems.papers.p000.worst_case import record_noise_sse
from covey.systems.sound.laplace import LAPLACE

if TYPE_CHECKING:
    from covey.table import Table

_SYSTEMS: dict[str, tuple[PlainSystem, Callable[[Any, Any], Clustering]]] = {
    "mdav-dp": (mdav_dp.MDAV_DP, mdav_dp.clustering),
    "mdav-ir-dp": (mdav_ir_dp.MDAV_IR_DP, mdav_ir_dp.clustering),
    "opt-dp": (opt_dp.OPT_DP, opt_dp.clustering),
}


_BASELINE = "laplace"


def expected_sse(table: Table, system: str, **parameters: Any) -> float:
    """Return the expected sum of squared errors of a system of paper 000, before clamping.

    For the curator: it is computed from the original records without noise.

    Parameters
    ----------
    table : Table
        The records.
    system : str
        ``mdav-dp``, ``mdav-ir-dp`` or ``opt-dp`` (Eq. 2); or ``laplace``, noise on single records,
        which is the point k = 1 of the paper's figures (Proposition 7).
    **parameters
        Those of the system.

    Examples
    --------
    >>> import covey, numpy as np
    >>> schema = covey.Schema((covey.Attribute("x", bounds=(0, 10)),))
    >>> table = covey.read_table(np.array([[1.0], [2.0], [8.0], [9.0]]), schema)
    >>> expected_sse(table, "mdav-ir-dp", k=2, epsilon=10.0)
    3.0
    >>> expected_sse(table, "laplace", epsilon=10.0)
    8.0
    """
    if system == _BASELINE:
        return _of_single_records(table, **parameters)
    if system not in _SYSTEMS:
        raise PlanError(
            f"the expected error of {system!r} is not known in advance. "
            f"{suggest(system, [*_SYSTEMS, _BASELINE])}"
        )
    described, clustering = _SYSTEMS[system]
    return expected_error(table, clustering(table, described.settings(parameters)))


def _of_single_records(table: Table, **parameters: Any) -> float:
    settings = LAPLACE.settings(parameters)
    attributes = choose_columns(table.schema, settings.columns)
    on_grids(attributes, _BASELINE)
    share = float(Budget.of(settings.epsilon).epsilon) / len(attributes)
    return sum(a.width**2 * record_noise_sse(table.n, share) for a in attributes)
