"""One Spark session for all tests of this folder, or the reason why there is none."""

from __future__ import annotations

import importlib.util
import os
import shutil
import subprocess

import pytest

from covey.engines.spark.session import LEAST_JAVA, java_version, session
from tests.engines.files import engines

INSTALL = ("apt-get", "install", "--yes", "--no-install-recommends", "default-jre-headless")


def require_java():
    """Find Java; install it if it is missing and this user may, skip otherwise."""
    if java_version() is None and os.geteuid() == 0 and shutil.which("apt-get"):
        subprocess.run(INSTALL, check=False, capture_output=True, timeout=600)
    found = java_version()
    if found is None or found < LEAST_JAVA:
        pytest.skip(f"Spark needs Java {LEAST_JAVA} or newer, which is not here")


@pytest.fixture(scope="session")
def spark(tmp_path_factory):
    if importlib.util.find_spec("pyspark") is None:
        pytest.skip("PySpark is not installed: pip install 'covey[spark]'")
    require_java()
    from pyspark import cloudpickle

    # Workers cannot import the tests, so the noise that these bring is sent whole.
    cloudpickle.register_pickle_by_value(engines)
    started = session(
        "local[2]",
        spark__local__dir=str(tmp_path_factory.mktemp("spark")),
        spark__driver__memory="1g",
        spark__sql__shuffle__partitions="3",
        # Compiling queries costs more than running them on a few records.
        spark__sql__codegen__wholeStage="false",
        spark__sql__codegen__factoryMode="NO_CODEGEN",
        spark__driver__extraJavaOptions="-XX:TieredStopAtLevel=1 -XX:+UseSerialGC",
        # Small partitions stay apart, so that clusters cross their borders.
        spark__sql__adaptive__coalescePartitions__enabled="false",
    )
    yield started
    started.stop()
