"""What does a recipe do to records, made up or real?"""

from __future__ import annotations

from dataclasses import dataclass

from covey.advise.advice import Trial
from covey.advise.recipe import Recipe
from covey.advise.synthetic import SHAPES, complete, synthetic
from covey.advise.trials import tried
from covey.systems import Progress
from covey.table import Schema, Table

SIMULATED = 10_000
"""More records are not simulated.

The errors of systems with a curator depend on n times epsilon (and on the shape of the data), so
fewer records with a larger epsilon show the same ones.
"""

LARGEST_SIMULATED = 8.0
"""The private tree has no proof far beyond, so simulations stay below."""

LOOKED = "the data"


@dataclass(frozen=True, slots=True, kw_only=True)
class Bench:
    """Where recipes are tried: made-up records, or the data if they are looked at.

    Parameters
    ----------
    schema : Schema
        The columns that are published.
    n : int
        The number of records that was asked for.
    table : Table, optional
        The data, if they are looked at.
    progress : callable, optional
        Called with (what is being done, done, total).
    """

    schema: Schema
    n: int
    table: Table | None
    progress: Progress | None

    def tried(self, recipe: Recipe, epsilon: float) -> list[Trial]:
        """Try a recipe on every shape of records."""
        if self.table is not None:
            looked = self._one(
                recipe, self.table, epsilon=epsilon, scaled=epsilon, data=LOOKED, seed=0
            )
            return [looked]
        count = min(self.n, SIMULATED)
        most = max(epsilon, LARGEST_SIMULATED)
        scaled = float(f"{min(most, epsilon * self.n / count):.6g}")
        schema = complete(self.schema)
        return [
            self._one(
                recipe,
                synthetic(schema, count, shape, seed),
                epsilon=epsilon,
                scaled=scaled,
                data=shape,
                seed=seed,
            )
            for seed, shape in enumerate(SHAPES)
        ]

    def _one(
        self,
        recipe: Recipe,
        table: Table,
        *,
        epsilon: float,
        scaled: float,
        data: str,
        seed: int,
    ) -> Trial:
        if self.progress is not None:
            at = 0 if self.table is not None else SHAPES.index(data)
            total = 1 if self.table is not None else len(SHAPES)
            self.progress(f"trying {recipe.system} at epsilon {epsilon:g}", at, total)
        errors, refused = tried(
            table,
            recipe.system,
            {"epsilon": scaled, **recipe.parameters(self.schema, table.n, scaled)},
            seed=seed,
        )
        return Trial(
            system=recipe.system,
            parameters=recipe.parameters(self.schema, self.n, epsilon),
            epsilon=epsilon,
            data=data,
            errors=errors,
            refused=refused,
        )
