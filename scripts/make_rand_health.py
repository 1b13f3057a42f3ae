"""Make the embedded data set from the copy that statsmodels carries (pip install statsmodels)."""

import gzip
from pathlib import Path

import numpy as np
import polars as pl
from statsmodels.datasets import randhie

TARGET = Path(__file__).parent.parent / "src" / "covey" / "datasets" / "rand_health.csv.gz"
HEALTH = np.array(["excellent", "good", "fair", "poor"])

source = randhie.load_pandas().data
rating = source[["hlthg", "hlthf", "hlthp"]].to_numpy() @ np.array([1, 2, 3])
frame = pl.DataFrame(
    {
        "visits": source["mdvis"].to_numpy().astype(np.int64),
        "diseases": source["disea"].to_numpy().round(2),
        "limitation": source["physlm"].to_numpy().round(3),
        "coinsurance": np.rint(np.expm1(source["lncoins"].to_numpy())).astype(np.int64),
        "plan": np.where(source["idp"].to_numpy() == 1, "individual deductible", "other"),
        "health": HEALTH[rating.astype(int)],
    }
)
with TARGET.open("wb") as raw, gzip.GzipFile(fileobj=raw, mode="wb", mtime=0, filename="") as file:
    file.write(frame.write_csv().encode())
print(frame, TARGET.stat().st_size, "bytes")
