"""Records that a meter may be given without an engine, and noise that adds nothing."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np


@dataclass
class Held:
    """Records that answer every question with the same numbers."""

    exact: Any = None
    seen: dict[str, Any] = field(default_factory=dict)

    def answer(self, question):
        """Answer whatever was asked."""
        del question
        return self.exact

    def cut(self, question, decide):
        """Remember the test instead of cutting."""
        del question
        self.seen["decide"] = decide
        return np.zeros((1, 1)), np.ones((1, 1)), 1

    def perturbed(self, draws):
        """Draw every column anew."""
        return [draw(self.exact) for draw in draws]

    def sampled(self, question, toss):
        """Keep all records, and remember the coins."""
        del question
        self.seen["toss"] = toss
        return replace(self)


@dataclass
class Silent:
    """Noise that adds nothing and remembers how it was called."""

    asked: list[dict[str, Any]] = field(default_factory=list)
    secure: bool = True

    def laplace(self, values, *, scale, l1, epsilon):
        """Return the values as they are."""
        asked = {"values": values.tolist(), "scale": scale, "l1": l1, "epsilon": epsilon}
        self.asked.append(asked)
        return values

    def gaussian(self, values, *, variance, squares, rho):
        """Return the values as they are."""
        asked = {"values": values.tolist(), "variance": variance, "squares": squares, "rho": rho}
        self.asked.append(asked)
        return values

    def cube(self, rows, *, scale):
        """Return the rows as they are."""
        self.asked.append({"values": rows.tolist(), "scale": scale})
        return rows

    def cut(self, counts, *, depth, scale):
        """Cut what is not empty."""
        self.asked.append({"values": counts.tolist(), "depth": depth, "scale": scale})
        return counts > 0

    def choices(self, losses, *, rate):
        """Choose the best."""
        self.asked.append({"values": losses.tolist(), "rate": rate})
        return np.argmin(losses, axis=1)

    def coins(self, parts):
        """Keep everybody who may be kept."""
        return parts > 0

    def placement(self):
        """Return a generator for post-processing."""
        return np.random.default_rng(0)
