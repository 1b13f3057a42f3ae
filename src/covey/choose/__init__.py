"""Which system, which parameters, which epsilon?  Plans are tried, scored and set side by side."""

from covey.choose.advice import Advice
from covey.choose.advise import TASKS, advise
from covey.choose.compare import compare
from covey.choose.comparison import Comparison, Row
from covey.choose.trial import Trial

__all__ = ["TASKS", "Advice", "Comparison", "Row", "Trial", "advise", "compare"]
