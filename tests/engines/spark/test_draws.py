"""Draws for single records are made once, by each partition for itself, and repeat with a seed."""

from __future__ import annotations

import importlib
import os
import signal
import sys
from dataclasses import dataclass

import numpy as np
import polars as pl
import pytest

from covey.table import Attribute, Role, Schema

pytest.importorskip("pyspark", reason="PySpark is not installed: pip install 'covey[spark]'")
import covey.spark

N = 1_200
SCHEMA = Schema(
    (Attribute("level", bounds=(0, 100)), Attribute("allowed", role=Role.NON_CONFIDENTIAL))
)


@pytest.fixture(scope="module")
def frame(spark, tmp_path_factory):
    """Return equal records in three partitions, so that all differences are drawn."""
    file = tmp_path_factory.mktemp("equal") / "equal.parquet"
    pl.DataFrame({"level": np.full(N, 50.0), "allowed": np.full(N, 0.5)}).write_parquet(file)
    return covey.spark.read(spark, file).repartition(3)


@dataclass(frozen=True)
class DyingNoise:
    """Adds a little noise, but kills the first worker that has drawn some."""

    marker: str
    secure: bool = True

    def laplace(self, values, *, scale, l1, epsilon):
        """Draw, or die."""
        del scale, l1, epsilon
        try:
            os.close(os.open(self.marker, os.O_CREAT | os.O_EXCL))
        except FileExistsError:
            pass
        else:
            os.kill(os.getpid(), signal.SIGKILL)
        return values + np.random.default_rng().integers(-1000, 1000, values.shape)

    def placement(self):
        """Return a generator."""
        return np.random.default_rng(0)


def test_a_worker_that_is_killed_while_it_draws_leaves_one_draw(
    frame, tmp_path, monkeypatch
) -> None:
    from pyspark import cloudpickle

    cloudpickle.register_pickle_by_value(sys.modules[__name__])
    publishing = importlib.import_module("covey.publish")
    source = DyingNoise(str(tmp_path / "killed"))
    monkeypatch.setattr(publishing, "noise_source", lambda _: source)

    release = covey.spark.publish(frame, "laplace", schema=SCHEMA, epsilon=1.0, columns=("level",))

    assert (tmp_path / "killed").exists()
    assert release.n == N
    # What is said about the rows, and what is seen of them twice, was drawn by the same try.
    (estimate,) = release.accuracy["estimate"]
    assert estimate == pytest.approx(release.frame["level"].mean(), rel=1e-12)
    seen = pl.DataFrame(pl.from_arrow(release.data.toArrow()))
    assert seen["level"].sort().equals(release.frame["level"].sort())


def test_a_seed_repeats_the_noise_and_no_partition_has_that_of_another(frame) -> None:
    asked = {"schema": SCHEMA, "epsilon": 1.0, "columns": ("level",)}

    first, again, other = (
        covey.spark.publish(frame, "laplace", random_state=seed, **asked).frame["level"]
        for seed in (3, 3, 4)
    )

    assert first.equals(again)
    assert not first.equals(other)
    # Far fewer values would be different if partitions drew the same.
    inside = first.filter((first > 0) & (first < 100))
    assert inside.n_unique() > 0.95 * inside.len()


def test_a_seed_repeats_the_coins(frame) -> None:
    asked = {"schema": SCHEMA, "preferences": "allowed", "threshold": 1.0, "columns": ("level",)}
    asked |= {"otherwise": "drop", "settings": {"output": "centroids"}}

    first, again, other = (
        covey.spark.publish(frame, "personalised", random_state=seed, **asked).extras["clusters"]
        for seed in (3, 3, 4)
    )

    assert first.equals(again)
    assert not first.equals(other)
