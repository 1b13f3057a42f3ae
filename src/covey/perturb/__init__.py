"""Step 4, perturb: the only makers of noise, and the only importer of OpenDP."""

from covey.perturb.account import Account, Accounted, together
from covey.perturb.cube import CubeNoisy, add_cube
from covey.perturb.exponential import Selected, choose
from covey.perturb.grid import Grid
from covey.perturb.laplace import add_laplace
from covey.perturb.perturbed import Perturbed
from covey.perturb.source import NoiseSource, SecureNoise, SeededNoise
from covey.perturb.splits import SplitTest, split_test

__all__ = [
    "Account",
    "Accounted",
    "CubeNoisy",
    "Grid",
    "NoiseSource",
    "Perturbed",
    "SecureNoise",
    "SeededNoise",
    "Selected",
    "SplitTest",
    "add_cube",
    "add_laplace",
    "choose",
    "split_test",
    "together",
]
