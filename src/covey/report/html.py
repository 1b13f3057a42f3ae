"""How does a report become one self-contained HTML file?"""

from __future__ import annotations

import math
from functools import cache
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Mapping

    from jinja2 import Environment


def render(template: str, content: Mapping[str, Any]) -> str:
    """Fill a template of this package; every value is escaped unless the template calls it safe."""
    return _environment().get_template(template).render(content)


def number(value: float | None) -> str:
    """Return a number for people: four figures, no exponent for what people count in.

    Examples
    --------
    >>> number(1234567.8), number(0.012345), number(12.0), number(None)
    ('1,234,568', '0.01235', '12', '–')
    """
    if value is None or math.isnan(value):
        return "–"
    if math.isinf(value):
        return "∞" if value > 0 else "−∞"
    if value == 0 or 1000 <= abs(value) < 1e12:  # noqa: PLR2004
        return f"{value:,.0f}"
    return f"{value:.4g}"


@cache
def _environment() -> Environment:
    from jinja2 import Environment, PackageLoader, StrictUndefined

    environment = Environment(
        loader=PackageLoader("covey.report"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters["number"] = number
    return environment
