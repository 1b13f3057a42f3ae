"""Which records are close in all attributes at once?  MD, MDAV and V-MDAV of paper 001."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

import numpy as np

from covey.errors import PartitionError
from covey.partition.base import REQUIRED, Partitioner, PartitionProgress, check_k, within_range

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from covey.kernels.mdav.mixed_records import Mixed

    Records = NDArray[np.float64] | Mixed

_GAMMA = 0.2
"""Paper 001 reproduces with this gain factor on squared distances (all but one cell)."""

# Unlike [001, section IV]: pairs of clusters are formed while 3k records are left, not 2k, so
# that the last cluster takes what remains.  The information loss of the literature and paper 004
# reproduce only so; paper 001's own EIA value for k = 5 needs the loop as printed.
LOOPS = ("3k", "2k")


def _md(X: Records, *, k: int, progress: PartitionProgress | None = None) -> NDArray[np.int64]:
    if not isinstance(X, np.ndarray):
        from covey.kernels.mdav.semantic import semantic_md

        return semantic_md(X, check_k(k, len(X.X)), progress=progress)
    from covey.kernels.mdav.md import md

    return md(within_range(X), check_k(k, X.shape[0]), progress=progress)


def _mdav(
    X: Records, *, k: int, loop: str = "3k", progress: PartitionProgress | None = None
) -> NDArray[np.int64]:
    if loop not in LOOPS:
        raise PartitionError(
            f'loop = {loop!r} is no way to end MDAV. Give "3k" (the literature\'s) or "2k" '
            f"(as printed in paper 001)."
        )
    ending: Literal["2k", "3k"] = "2k" if loop == "2k" else "3k"
    if not isinstance(X, np.ndarray):
        from covey.kernels.mdav.semantic import semantic_mdav

        return semantic_mdav(X, check_k(k, len(X.X)), loop=ending, progress=progress)
    from covey.kernels.mdav.mdav import mdav

    return mdav(within_range(X), check_k(k, X.shape[0]), loop=ending, progress=progress)


def _vmdav(
    X: Records,
    *,
    k: int,
    gamma: float = _GAMMA,
    progress: PartitionProgress | None = None,
) -> NDArray[np.int64]:
    if not 0 <= gamma < float("inf"):
        raise PartitionError(
            f"gamma = {gamma} is not a finite number of at least 0, so no cluster can be extended "
            f"by it. 0 never extends; 0.2 suits scattered data, about 1 clustered data."
        )
    if not isinstance(X, np.ndarray):
        from covey.kernels.mdav.semantic import semantic_vmdav

        return semantic_vmdav(X, check_k(k, len(X.X)), float(gamma), progress=progress)
    from covey.kernels.mdav.v_mdav import vmdav

    return vmdav(within_range(X), check_k(k, X.shape[0]), float(gamma), progress=progress)


MD = Partitioner(
    name="md",
    summary="The two most distant records, each with its k − 1 nearest, again and again.",
    paper="001, section III",
    run=_md,
    parameters={"k": REQUIRED},
    semantic=True,
)
MDAV = Partitioner(
    name="mdav",
    summary="The record farthest from the mean and the one farthest from it, each with its "
    "k − 1 nearest, again and again.",
    paper="001, section IV",
    run=_mdav,
    parameters={"k": REQUIRED, "loop": "3k"},
    semantic=True,
)
V_MDAV = Partitioner(
    name="v-mdav",
    summary="As MDAV, but a cluster grows up to 2k − 1 while the next record is clearly nearer "
    "to it than to the others.",
    paper="001, section V",
    run=_vmdav,
    parameters={"k": REQUIRED, "gamma": _GAMMA},
    semantic=True,
)
