"""Which system, which parameters, which epsilon?  Answered without the data, or with a warning."""

from covey.advise.advice import Advice, Trial
from covey.advise.recommend import TASKS, advise

__all__ = ["TASKS", "Advice", "Trial", "advise"]
