"""The folder's docstring gives an order in which `core` can be read from top to bottom."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import covey.core

FOLDER = Path(covey.core.__file__).parent
TOLD = re.sub(r"\s+", " ", covey.core.__doc__ or "")
ORDER = [
    name.strip() for names in re.findall(r"\. ([a-z_, ]+):", TOLD) for name in names.split(",")
]


def test_every_file_is_in_the_order_and_no_other() -> None:
    assert sorted(ORDER) == sorted(path.stem for path in FOLDER.glob("[a-z]*.py"))


def test_nobody_has_to_look_ahead() -> None:
    """What a file uses when it runs was read before; annotations may look ahead."""
    for place, name in enumerate(ORDER):
        tree = ast.parse((FOLDER / f"{name}.py").read_text(encoding="utf-8"))
        used = {
            node.module.rsplit(".", 1)[-1]
            for node in tree.body
            if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("covey.core.")
        }
        assert used <= set(ORDER[:place]), name
