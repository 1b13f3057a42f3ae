"""The same releases from Spark DataFrames, on one machine or many.

A DataFrame is split into partitions, and each partition into tables.  What is asked of records is
asked of each table in Spark's workers, and answers are whole numbers, which add up:

* rank blocks need the counts of grid values;
* a public order needs ranks: Spark sorts into ranges, and the rank of a record is its place in
  its range after all records of the ranges before;
* a private tree needs the counts of boxes that public cuts could make;
* degrees and joint degrees are counted by grouping and joining.

Noise on statistics is drawn once, on the driver; noise and coins for every record by the workers,
with the operating system's generator.  Records, draws and rows are written to a private folder
before anything is asked of them, the ledger is charged, or anyone sees them: Spark computes again
whatever it has lost, and whoever saw noise that was drawn twice could average it away.
"""
