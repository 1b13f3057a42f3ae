"""Step 6, evaluate: what was lost, what is at risk?  For the curator's eyes only."""

from covey.evaluate.evaluation import METRICS, Evaluation
from covey.evaluate.memory import evaluate
from covey.evaluate.metric import Metric

__all__ = ["METRICS", "Evaluation", "Metric", "evaluate"]
