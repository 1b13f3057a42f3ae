"""Which plans are recorded?  Each is published by `covey.publish` alone, whatever is behind it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

import polars as pl

import covey
from tests.recorded.people import friends, people, preferences, schema

NODES = 200
NEEDS_FILES = {"personalised-dk-node": "preferences", "2-stable": "neighbour"}
"""Plans that name a further file in the data's folder, and the parameter that names it."""


@dataclass(frozen=True, kw_only=True)
class Recorded:
    """One plan on generated data.

    Parameters
    ----------
    name : str
        Where the release stands in releases.json.
    system : str
        A name in `covey.SYSTEMS`.
    n : int
        How many people, or 0 for a graph.
    columns : tuple of str
        The columns that the table has; all unless given.
    parameters : mapping
        Those of the system.
    file : "", "csv" or "parquet"
        What the data are written as and read from; held in memory unless given.
    engine : str
        The engine of `covey.publish`.
    seed : int
        Of the data, and of the noise.
    """

    name: str
    system: str
    n: int = 0
    columns: tuple[str, ...] = ()
    parameters: Mapping[str, Any] = field(default_factory=dict)
    file: Literal["", "csv", "parquet"] = ""
    engine: str = "memory"
    seed: int = 11

    def publish(self, folder: Path, *, secure: bool = False) -> Any:
        """Return the release; files that it needs are written to the folder."""
        return covey.publish(
            self._data(folder),
            self.system,
            schema=schema(folder, *self.columns) if self.n else None,
            random_state=None if secure else self.seed,
            engine=self.engine,
            nodes=None if self.n else self._nodes(),
            **self.parameters,
            **self._files(folder),
        )

    def _frame(self) -> pl.DataFrame:
        if self.n:
            return people(self.n, self.seed).select(self.columns or pl.all())
        return pl.DataFrame(friends(NODES, self.seed), schema=["source", "target"])

    def _nodes(self) -> int:
        """Say how many people there are: all of them have friends."""
        return self._frame().unpivot()["value"].n_unique()

    def _data(self, folder: Path) -> Any:
        frame = self._frame()
        if self.file:
            return _written(frame, folder / f"data.{self.file}")
        return frame if self.n else frame.to_numpy()

    def _files(self, folder: Path) -> dict[str, str]:
        frame, wanted = self._frame(), NEEDS_FILES.get(self.name)
        if wanted == "preferences":
            file = preferences(frame.to_numpy(), self.seed)
        elif wanted == "neighbour":
            file = pl.concat([frame.tail(1), frame.slice(1)])
        else:
            return {}
        return {wanted: str(_written(file, folder / f"{wanted}.csv"))}


def _written(frame: pl.DataFrame, path: Path) -> Path:
    frame.write_parquet(path) if path.suffix == ".parquet" else frame.write_csv(path)
    return path


TWO = ("age", "income")
THREE = ("age", "income", "health")
FOUR = ("age", "income", "weight", "rent")
MIXED = ("age", "income", "health", "job", "town")

SOUND = (
    Recorded(
        name="private-tree-two",
        system="private-tree",
        n=1200,
        columns=TWO,
        parameters={"epsilon": 1.0},
    ),
    Recorded(
        name="private-tree-categories",
        system="private-tree",
        n=1200,
        columns=("person", "income", "health", "job"),
        parameters={"epsilon": 2.0},
    ),
    Recorded(
        name="private-tree-special",
        system="private-tree",
        n=1200,
        columns=("age", "rent"),
        parameters={"epsilon": 2.0},
    ),
    Recorded(
        name="private-tree-mixed",
        system="private-tree",
        n=1500,
        parameters={"epsilon": 4.0},
    ),
    Recorded(
        name="private-tree-centroids",
        system="private-tree",
        n=1200,
        columns=TWO,
        parameters={"epsilon": 1.5, "output": "centroids"},
        seed=12,
    ),
    Recorded(
        name="private-tree-mixed-centroids",
        system="private-tree",
        n=1200,
        parameters={"epsilon": 4.0, "output": "centroids"},
        seed=13,
    ),
    Recorded(
        name="private-tree-add-remove",
        system="private-tree",
        n=1000,
        columns=TWO,
        parameters={"epsilon": 1.0, "unit": "add-remove"},
        seed=14,
    ),
    Recorded(
        name="private-tree-mixed-add-remove",
        system="private-tree",
        n=1000,
        parameters={"epsilon": 4.0, "unit": "add-remove"},
        seed=15,
    ),
    Recorded(
        name="rank-blocks-one",
        system="rank-blocks",
        n=600,
        columns=("income",),
        parameters={"epsilon": 1.0},
    ),
    Recorded(
        name="rank-blocks-three",
        system="rank-blocks",
        n=600,
        columns=THREE,
        parameters={"epsilon": 2.0, "k": 40},
    ),
    Recorded(
        name="insensitive-corners",
        system="insensitive",
        n=600,
        columns=MIXED,
        parameters={"epsilon": 4.0},
    ),
    Recorded(
        name="insensitive-single",
        system="insensitive",
        n=500,
        columns=THREE,
        parameters={"epsilon": 3.0, "order": "single", "k": 60},
    ),
    Recorded(
        name="insensitive-hilbert",
        system="insensitive",
        n=500,
        columns=THREE,
        parameters={"epsilon": 3.0, "order": "hilbert"},
    ),
    Recorded(
        name="insensitive-one",
        system="insensitive",
        n=500,
        columns=("age",),
        parameters={"epsilon": 1.0},
    ),
    Recorded(
        name="laplace",
        system="laplace",
        n=400,
        columns=THREE,
        parameters={"epsilon": 2.0},
    ),
    Recorded(
        name="exponential",
        system="exponential",
        n=400,
        columns=("job", "town"),
        parameters={"epsilon": 2.0},
    ),
    Recorded(
        name="personalised-default",
        system="personalised",
        n=1200,
        columns=("age", "income", "allowed"),
        parameters={"preferences": "allowed", "threshold": 1.5},
    ),
    Recorded(
        name="personalised-drop",
        system="personalised",
        n=1200,
        columns=("age", "income", "job", "allowed"),
        parameters={"preferences": "allowed", "threshold": 1.5, "otherwise": "drop"},
    ),
    Recorded(
        name="personalised-rank-blocks",
        system="personalised",
        n=600,
        columns=("age", "income", "allowed"),
        parameters={
            "preferences": "allowed",
            "inner": "rank-blocks",
            "settings": {"k": 50},
        },
    ),
    Recorded(
        name="degree-histogram-edge",
        system="degree-histogram",
        parameters={"epsilon": 1.0, "form": "blocks"},
    ),
    Recorded(
        name="degree-histogram-edge-histogram",
        system="degree-histogram",
        parameters={"epsilon": 1.0, "form": "histogram", "top": 30, "regenerate": False},
    ),
    Recorded(
        name="degree-histogram-node",
        system="degree-histogram",
        parameters={"epsilon": 2.0, "unit": "node"},
    ),
    Recorded(
        name="joint-degree-boxes-edge",
        system="joint-degree-boxes",
        parameters={"epsilon": 2.0, "boxes": "fitted", "regenerate": True},
    ),
    Recorded(
        name="joint-degree-boxes-geometric",
        system="joint-degree-boxes",
        parameters={"epsilon": 2.0, "boxes": "geometric", "regenerate": False},
    ),
    Recorded(
        name="joint-degree-boxes-node",
        system="joint-degree-boxes",
        parameters={"epsilon": 8.0, "unit": "node"},
    ),
    Recorded(
        name="personalised-dk-edge",
        system="personalised-dk",
        parameters={"preferences": "paper", "order": 2, "otherwise": "sample"},
    ),
    Recorded(
        name="personalised-dk-node",
        system="personalised-dk",
        parameters={"unit": "node", "order": 1, "threshold": 1.5, "theta": 8},
    ),
)

OTHERS = (
    Recorded(name="md", system="md", n=300, columns=FOUR, parameters={"k": 6}),
    Recorded(name="mdav", system="mdav", n=300, columns=MIXED, parameters={"k": 5}),
    Recorded(name="v-mdav", system="v-mdav", n=300, columns=FOUR, parameters={"k": 4}),
    Recorded(
        name="individual-ranking",
        system="individual-ranking",
        n=300,
        columns=FOUR,
        parameters={"k": 7},
    ),
    Recorded(
        name="optimal-univariate",
        system="optimal-univariate",
        n=300,
        columns=("income",),
        parameters={"k": 7},
    ),
    Recorded(
        name="mdav-dp",
        system="mdav-dp",
        n=300,
        columns=THREE,
        parameters={"epsilon": 1.0, "k": 20},
    ),
    Recorded(
        name="mdav-ir-dp",
        system="mdav-ir-dp",
        n=300,
        columns=THREE,
        parameters={"epsilon": 1.0, "k": 20, "split": "range"},
    ),
    Recorded(
        name="opt-dp",
        system="opt-dp",
        n=300,
        columns=TWO,
        parameters={"epsilon": 1.0},
    ),
    Recorded(
        name="cross-moment",
        system="cross-moment",
        n=300,
        columns=("age", "income", "weight"),
        parameters={"epsilon": 5.0, "k": 60, "output": "moments"},
    ),
    Recorded(
        name="2-stable",
        system="2-stable",
        n=300,
        columns=TWO,
        parameters={"epsilon": 1.0, "k": 30},
    ),
    Recorded(name="mdav-dk", system="mdav-dk", parameters={"epsilon": 1.0, "k": 3}),
    Recorded(name="mpdc-dk", system="mpdc-dk", parameters={"epsilon": 1.0, "tau": 2}),
    Recorded(name="ser-dk", system="ser-dk", parameters={"epsilon": 1.0, "theta": 6}),
    Recorded(name="ead-dk", system="ead-dk", parameters={"epsilon": 1.0, "theta": 6}),
    Recorded(name="ag-dk", system="ag-dk", parameters={"preferences": "paper", "k": 3}),
    Recorded(
        name="tp-dk", system="tp-dk", parameters={"preferences": "paper", "order": 1, "theta": 20}
    ),
)

STREAMED = (
    Recorded(
        name="stream-private-tree-two",
        system="private-tree",
        n=1200,
        columns=TWO,
        parameters={"epsilon": 1.0},
        file="csv",
        engine="stream",
    ),
    Recorded(
        name="stream-private-tree-mixed",
        system="private-tree",
        n=1200,
        parameters={"epsilon": 4.0},
        file="parquet",
        engine="stream",
    ),
    Recorded(
        name="stream-rank-blocks",
        system="rank-blocks",
        n=600,
        columns=THREE,
        parameters={"epsilon": 2.0},
        file="csv",
        engine="stream",
    ),
    Recorded(
        name="stream-insensitive-single",
        system="insensitive",
        n=500,
        columns=THREE,
        parameters={"epsilon": 3.0, "order": "single", "k": 60},
        file="parquet",
        engine="stream",
    ),
    Recorded(
        name="stream-individual-ranking",
        system="individual-ranking",
        n=300,
        columns=FOUR,
        parameters={"k": 7},
        file="csv",
        engine="stream",
    ),
    Recorded(
        name="stream-laplace",
        system="laplace",
        n=400,
        columns=THREE,
        parameters={"epsilon": 2.0},
        file="csv",
        engine="stream",
    ),
    Recorded(
        name="stream-degree-histogram",
        system="degree-histogram",
        parameters={"epsilon": 1.0, "regenerate": False},
        file="csv",
        engine="stream",
    ),
    Recorded(
        name="stream-joint-degree-boxes",
        system="joint-degree-boxes",
        parameters={"epsilon": 2.0, "regenerate": False},
        file="parquet",
        engine="stream",
    ),
)

PLANS = {plan.name: plan for plan in (*SOUND, *OTHERS, *STREAMED)}
