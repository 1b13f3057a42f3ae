"""Run MST or AIM of dpmm, in an environment of its own: this file imports nothing of Covey.

    python peers_dpmm.py mst codes.csv domain.json out.csv report.json --epsilon 1 --delta 1e-9

``codes.csv`` holds whole numbers from 0, ``domain.json`` how many each column can have.
Both merge rare cells before they look at pairs, as the first MST did; OpenDP's do not.
"""

from __future__ import annotations

import argparse
import json
import resource
import time
from pathlib import Path

import numpy as np
import pandas as pd
from dpmm.models.aim import AIMGM
from dpmm.models.mst import MSTGM

ALGORITHMS = {"mst": MSTGM, "aim": AIMGM}


def main() -> None:
    """Synthesise rows, and say what it took."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("algorithm", choices=list(ALGORITHMS))
    for name in ("codes", "domain", "out", "report"):
        parser.add_argument(name, type=Path)
    parser.add_argument("--epsilon", type=float, required=True)
    parser.add_argument("--delta", type=float, required=True)
    options = parser.parse_args()
    codes = pd.read_csv(options.codes)
    sizes = json.loads(options.domain.read_text(encoding="utf-8"))
    start = time.process_time()
    model = ALGORITHMS[options.algorithm](
        epsilon=options.epsilon,
        delta=options.delta,
        domain=sizes,
        random_state=np.random.RandomState(),
        n_jobs=1,
    )
    model.fit(codes)
    released = model.generate()
    released[list(codes.columns)].astype(int).to_csv(options.out, index=False)
    seconds = time.process_time() - start
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    options.report.write_text(json.dumps({"seconds": seconds, "kilobytes": peak}))


if __name__ == "__main__":
    main()
