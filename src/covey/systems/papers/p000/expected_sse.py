"""Which error does paper 000 expect of its systems?  Its Eq. (2), for the curator."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from covey.systems.base import PlainSystem
from covey.systems.papers.p000 import mdav_dp, mdav_ir_dp, opt_dp
from covey.systems.papers.p000.centroid_noise import Clustering, expected_error

if TYPE_CHECKING:
    from covey.table import Table

_SYSTEMS: dict[str, tuple[PlainSystem, Callable[[Any, Any], Clustering]]] = {
    "mdav-dp": (mdav_dp.MDAV_DP, mdav_dp.clustering),
    "mdav-ir-dp": (mdav_ir_dp.MDAV_IR_DP, mdav_ir_dp.clustering),
    "opt-dp": (opt_dp.OPT_DP, opt_dp.clustering),
}


def expected_sse(table: Table, system: str, **parameters: Any) -> float:
    """Return the expected sum of squared errors of a system, before clamping.

    Parameters
    ----------
    table : Table
        The records.
    system : str
        ``mdav-dp``, ``mdav-ir-dp`` or ``opt-dp``.
    **parameters
        Those of the system.
    """
    described, clustering = _SYSTEMS[system]
    return expected_error(table, clustering(table, described.settings(parameters)))
