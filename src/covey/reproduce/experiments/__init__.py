"""The papers' experiments as data: run again, drawn as figures, and their claims checked."""

from covey.reproduce.experiments.claims import CheckedClaim, check_claims
from covey.reproduce.experiments.code import code_digest
from covey.reproduce.experiments.experiment import (
    Experiment,
    load_experiments,
    open_experiment,
    read_experiment,
)
from covey.reproduce.experiments.points import Findings, run_experiments
from covey.reproduce.experiments.sections import figure_section
from covey.reproduce.experiments.sets import data_sets, own_data

__all__ = [
    "CheckedClaim",
    "Experiment",
    "Findings",
    "check_claims",
    "code_digest",
    "data_sets",
    "figure_section",
    "load_experiments",
    "open_experiment",
    "own_data",
    "read_experiment",
    "run_experiments",
]
