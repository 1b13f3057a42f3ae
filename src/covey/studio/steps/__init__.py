"""The steps of the page, one module each: a function from the state to what is shown."""

from collections.abc import Callable

from htmltools import Tag

from covey.studio.state import State, Step
from covey.studio.steps.choose import choose
from covey.studio.steps.data import data
from covey.studio.steps.describe import describe
from covey.studio.steps.inspect import inspect
from covey.studio.steps.publish import publish
from covey.studio.steps.take_away import take_away

VIEWS: dict[Step, Callable[[State], Tag]] = {
    Step.DATA: data,
    Step.DESCRIBE: describe,
    Step.CHOOSE: choose,
    Step.PUBLISH: publish,
    Step.INSPECT: inspect,
    Step.TAKE_AWAY: take_away,
}

__all__ = ["VIEWS"]
