"""The same releases from Spark DataFrames, on one machine or many.

A DataFrame is split into partitions, and each partition into tables.  As in `covey.stream`, what
a system does to one record at a time is done to each table by the system's own code, in Spark's
workers; only the statistics of all records together are found anew:

* rank blocks need the counts of grid values, which add up;
* individual ranking and a single public order need ranks: Spark sorts into ranges, and the rank
  of a record is its place in its range after all records of the ranges before;
* a private tree needs the counts of boxes that public cuts could make, which add up;
* degrees and joint degrees are counted by grouping and joining.

Noise on statistics is drawn once, on the driver; noise on every record by the workers, with the
operating system's generator.  Rows are written to a private folder before the ledger is charged
and before anyone sees them: Spark computes again whatever it has lost, and whoever saw noise that
was drawn twice could average it away.
"""

from covey.spark.evaluate import evaluate, evaluate_files
from covey.spark.publish import DISTRIBUTED, publish, publish_files
from covey.spark.read import read
from covey.spark.release import SparkRelease
from covey.spark.session import session

__all__ = [
    "DISTRIBUTED",
    "SparkRelease",
    "evaluate",
    "evaluate_files",
    "publish",
    "publish_files",
    "read",
    "session",
]
