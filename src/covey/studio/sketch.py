"""How is the spread of a column drawn, small in a list and larger beside its facts?"""

from __future__ import annotations

from collections.abc import Sequence

from htmltools import HTML

SKETCH_WIDTH, SKETCH_HEIGHT = 72, 18


def sketch(bars: Sequence[int], *, gaps: int = 0, title: str = "") -> HTML:
    """Return the bars as a drawing; records without a value are the last bar, in another colour.

    Examples
    --------
    >>> "<title>age</title>" in sketch((1, 2), title="age")
    True
    """
    counts = [*bars, *([gaps] if gaps else [])]
    most = max(counts, default=0)
    if not most:
        return HTML("")
    step = SKETCH_WIDTH / max(len(counts), 8)
    drawn = []
    for place, count in enumerate(counts):
        # A value that occurs at all is seen.
        height = max(1.0, SKETCH_HEIGHT * count / most) if count else 0.0
        look = ' class="gap"' if gaps and place == len(counts) - 1 else ""
        drawn.append(
            f'<rect{look} x="{place * step:.2f}" y="{SKETCH_HEIGHT - height:.2f}" '
            f'width="{step * 0.86:.2f}" height="{height:.2f}"/>'
        )
    named = f'role="img"><title>{_escaped(title)}</title>' if title else 'aria-hidden="true">'
    box = f'viewBox="0 0 {SKETCH_WIDTH} {SKETCH_HEIGHT}" preserveAspectRatio="none"'
    return HTML(f'<svg class="sketch" {box} {named}{"".join(drawn)}</svg>')


def _escaped(text: str) -> str:
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
