"""What the terminal shows about a guarantee."""

from __future__ import annotations

import pytest
from rich.style import Style

from covey.cli.show import colour_of
from covey.kinds import KINDS


@pytest.mark.parametrize("kind", KINDS)
def test_a_kind_has_the_colour_of_its_badge_as_far_as_a_terminal_knows_it(kind) -> None:
    shown = Style.parse(colour_of(kind))

    assert shown.color.name == KINDS[kind].colour.replace("amber", "yellow")
