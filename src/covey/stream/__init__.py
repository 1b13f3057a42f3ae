"""The same releases from files that do not fit into memory.

A stream is a sequence of tables.  What a system does to one record at a time (grids, codes,
missing values) is done to each piece by the system's own code; what it does to all records
together is a statistic that adds up over pieces, and only these are written anew here:

* rank blocks need the counts of grid values: one pass;
* noise on every record needs nothing else: one pass;
* individual ranking and a single public order need sorted records: they are sorted on disk;
* a private tree needs the counts of boxes that public cuts could make: a few passes;
* degrees need the ends of edges, counted; joint degrees a second look at the edges.

From the statistics on, noise, guarantee, post-processing and ledger are those of the system.
The registry `STREAMED` names what can be streamed; an engine for many machines would stand
beside this folder and replace the same statistics.
"""

from covey.stream.evaluate import evaluate_stream
from covey.stream.memory import Memory
from covey.stream.publish import STREAMED, publish_stream
from covey.stream.scan import Stream, open_stream

__all__ = ["STREAMED", "Memory", "Stream", "evaluate_stream", "open_stream", "publish_stream"]
