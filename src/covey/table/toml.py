"""How do plans and schemas look as TOML that people read?"""

from __future__ import annotations

import re
from typing import Any

import tomli_w

_NUMBERS = re.compile(r"\[\n((?:    -?[0-9][^,\n\"]*,\n)+)\]")


def to_toml(content: dict[str, Any]) -> str:
    """Return TOML text with short lists of numbers, such as bounds, on one line."""
    return _NUMBERS.sub(_on_one_line, tomli_w.dumps(content))


def _on_one_line(match: re.Match[str]) -> str:
    return "[" + ", ".join(part.strip() for part in match[1].split(",") if part.strip()) + "]"
