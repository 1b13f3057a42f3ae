"""Step 4, perturb: the only makers of noise, and the only importer of OpenDP."""

from covey.perturb.exponential import Selected, choose
from covey.perturb.grid import Grid
from covey.perturb.laplace import add_laplace
from covey.perturb.perturbed import Perturbed
from covey.perturb.source import NoiseSource, SecureNoise, SeededNoise

__all__ = [
    "Grid",
    "NoiseSource",
    "Perturbed",
    "SecureNoise",
    "SeededNoise",
    "Selected",
    "add_laplace",
    "choose",
]
