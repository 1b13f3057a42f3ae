"""Where the records are: in memory, in files, on Spark.  Engines answer questions."""
