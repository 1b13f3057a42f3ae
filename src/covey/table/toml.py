"""How do plans and schemas look as TOML that people read?"""

from __future__ import annotations

import re
from typing import Any

import tomli_w

_SHORT = re.compile(
    r"\[\n((?:    -?[0-9][^,\n\"]*,\n)+)\]"
    r"|(?:(?<=^drafted = )|(?<=^confirmed = )|(?<=^imported = ))\[\n((?:    \"[a-z_]+\",\n)+)\]",
    re.MULTILINE,
)


def to_toml(content: dict[str, Any]) -> str:
    """Return TOML text with short lists, such as bounds and marked facts, on one line."""
    return _SHORT.sub(_on_one_line, tomli_w.dumps(content))


def _on_one_line(match: re.Match[str]) -> str:
    parts = (match[1] or match[2]).split(",")
    return "[" + ", ".join(part.strip() for part in parts if part.strip()) + "]"
