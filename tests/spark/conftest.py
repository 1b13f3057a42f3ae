"""One Spark session for all tests of this folder, or the reason why there is none."""

from __future__ import annotations

import importlib.util

import pytest


@pytest.fixture(scope="session")
def spark(tmp_path_factory):
    if importlib.util.find_spec("pyspark") is None:
        pytest.skip("PySpark is not installed: pip install 'covey[spark]'")
    from covey.spark.session import LEAST_JAVA, java_version, session

    found = java_version()
    if found is None or found < LEAST_JAVA:
        pytest.skip(f"Spark needs Java {LEAST_JAVA} or newer, which this machine has not")
    started = session(
        "local[2]",
        spark__local__dir=str(tmp_path_factory.mktemp("spark")),
        spark__driver__memory="1g",
        spark__sql__shuffle__partitions="3",
        # Small partitions stay apart, so that clusters cross their borders.
        spark__sql__adaptive__coalescePartitions__enabled="false",
    )
    yield started
    started.stop()
