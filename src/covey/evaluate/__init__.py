"""Step 6, evaluate: what was lost, what is at risk?  For the curator's eyes only."""

from covey.evaluate.memory import evaluate
from covey.evaluate.metric import Metric
from covey.evaluate.result import METRICS, Evaluation

__all__ = ["METRICS", "Evaluation", "Metric", "evaluate"]
