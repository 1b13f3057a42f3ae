"""Does any random valid plan go wrong?  ``python -m benchmarks.soak [--minutes 10]``.

Each plan follows from its seed, so ``--seed N --count 1`` repeats it.  Plans run in a process of
their own, which ends after 120 s of processor time; more than 60 s is a fault as well.
"""

from __future__ import annotations

import argparse
import secrets
import sys
import time
from collections import Counter

from benchmarks.soak.worker import Worker

SLOW = 60.0
DIGITS = 9


def main() -> None:
    """Run plans until the time is over, print what went wrong, and exit with 1 if anything did."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--minutes", type=float, default=10)
    parser.add_argument("--seed", type=int, help="of the first plan; a random one unless given")
    parser.add_argument("--count", type=int, help="how many plans, whatever the time")
    parser.add_argument("--systems", nargs="+", help="only these")
    parser.add_argument("--trace", action="store_true", help="where each fault was raised")
    parser.add_argument("--refusals", action="store_true", help="why plans were refused")
    options = parser.parse_args()
    start = secrets.randbelow(10**DIGITS) if options.seed is None else options.seed
    print(f"first seed {start}", flush=True)
    ends = time.monotonic() + 60 * options.minutes
    tally: Counter[str] = Counter()
    refused: Counter[str] = Counter()
    worker = Worker(options.systems)
    seed = start
    while seed - start < options.count if options.count else time.monotonic() < ends:
        name, outcome, seconds, where = worker.run(seed)
        if outcome.startswith("released") and seconds > SLOW:
            outcome = f"fault: {seconds:.0f} s of processor time"
        tally[outcome.split(":")[0]] += 1
        if outcome.startswith(("refused", "not evaluated")):
            refused[f"{name.split()[0]} {outcome}"] += 1
        elif outcome != "released":
            print(f"seed {seed}: {name}\n    {outcome}", flush=True)
            if options.trace:
                print(where, flush=True)
        seed += 1
    worker.close()
    print(f"seeds {start} to {seed - 1}: " + ", ".join(f"{n} {what}" for what, n in tally.items()))
    if options.refusals:
        for reason, times in refused.most_common():
            print(f"{times:5} {reason}")
    sys.exit(int(bool(tally.keys() - {"released", "refused", "not evaluated"})))


if __name__ == "__main__":
    main()
