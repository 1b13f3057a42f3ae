"""Step 4, perturb: the only makers of noise, and the only importer of OpenDP."""

from covey.perturb.account import Account, Accounted, together
from covey.perturb.counts import NoisyCounts, add_count_noise, add_printed_noise
from covey.perturb.cube import CubeNoisy, add_cube
from covey.perturb.exponential import Selected, choose
from covey.perturb.grid import Grid
from covey.perturb.keep import Kept, keep_records
from covey.perturb.laplace import add_laplace
from covey.perturb.perturbed import Perturbed
from covey.perturb.source import NoiseSource, SecureNoise, SeededNoise
from covey.perturb.splits import SplitTest, split_test

__all__ = [
    "Account",
    "Accounted",
    "CubeNoisy",
    "Grid",
    "Kept",
    "NoiseSource",
    "NoisyCounts",
    "Perturbed",
    "SecureNoise",
    "SeededNoise",
    "Selected",
    "SplitTest",
    "add_count_noise",
    "add_cube",
    "add_laplace",
    "add_printed_noise",
    "choose",
    "keep_records",
    "split_test",
    "together",
]
