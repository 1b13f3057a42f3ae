"""What does microagg1d answer?  It is asked in a process where numba leaves it plain Python.

Compiled, its import costs a minute and more in every process of the tests that comes upon it
first; uncompiled it is the same code, and answers such small questions in milliseconds.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

if TYPE_CHECKING:
    from collections.abc import Sequence

ASKED = """
import json, sys
import numpy as np
from microagg1d import univariate_microaggregation
for line in sys.stdin:
    values, settings = json.loads(line)
    labels = univariate_microaggregation(np.array(values, dtype=float), **settings)
    print(json.dumps(np.asarray(labels).tolist()))
"""


def labels_of_microagg1d(
    questions: Sequence[tuple[np.ndarray, dict[str, Any]]],
) -> list[np.ndarray]:
    """Return its labels for each array of values with its settings, from one process for all."""
    if find_spec("microagg1d") is None:
        pytest.skip("microagg1d is in the dev extra of covey")
    # JSON writes a float so that the same float is read.
    lines = [json.dumps([values.tolist(), settings]) for values, settings in questions]
    answered = subprocess.run(
        [sys.executable, "-c", ASKED],
        input="\n".join(lines),
        env={**os.environ, "NUMBA_DISABLE_JIT": "1"},
        capture_output=True,
        text=True,
        check=True,
    )
    return [np.array(json.loads(line)) for line in answered.stdout.splitlines()]
