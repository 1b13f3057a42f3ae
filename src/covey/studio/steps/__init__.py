"""The steps of the page, one module each: a function from the state to what is shown."""

from collections.abc import Callable

from htmltools import Tag

from covey.studio.state import State, Step
from covey.studio.steps.choose import choose_view
from covey.studio.steps.data import data_view
from covey.studio.steps.describe import describe_view
from covey.studio.steps.inspect import inspect_view
from covey.studio.steps.publish import publish_view
from covey.studio.steps.take_away import take_away_view

VIEWS: dict[Step, Callable[[State], Tag]] = {
    Step.DATA: data_view,
    Step.DESCRIBE: describe_view,
    Step.CHOOSE: choose_view,
    Step.PUBLISH: publish_view,
    Step.INSPECT: inspect_view,
    Step.TAKE_AWAY: take_away_view,
}

__all__ = ["VIEWS"]
