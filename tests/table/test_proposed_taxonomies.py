"""Codes that begin alike get a taxonomy beside the draft, marked as read off the data."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest

import covey
from covey.cli.confirm import confirm_schema
from covey.errors import ReleaseError
from covey.table.proposed_taxonomies import codes_kind, save_taxonomies

CODES = {
    "ICD": [f"{a}{b:02d}.{c}" for a in "CEI" for b in (10, 25, 60) for c in range(3)],
    "NACE": [f"{a}{b}.{c}" for a in "ACG" for b in (10, 13) for c in range(1, 5)],
    "NUTS": [f"DE{a}{b}" for a in "123" for b in range(1, 9)],
}
N = 600


def stays() -> pl.DataFrame:
    rng = np.random.default_rng(2)
    columns = {kind: rng.choice(codes, N) for kind, codes in CODES.items()}
    return pl.DataFrame({**columns, "sex": rng.choice(["f", "m"], N)})


@pytest.mark.parametrize("kind", CODES)
def test_codes_get_a_taxonomy_that_the_draft_names(kind, tmp_path) -> None:
    drafted = save_taxonomies(covey.Schema.draft(stays()), tmp_path / "stays.toml")
    drafted.save(tmp_path / "stays.toml")

    found = covey.Schema.load(tmp_path / "stays.toml")
    taxonomy = covey.Taxonomy.load(tmp_path / f"stays-{kind.lower()}.csv", name=kind)

    assert found[kind].taxonomy == f"stays-{kind.lower()}.csv"
    assert set(CODES[kind]) <= set(taxonomy.concepts)
    assert len(taxonomy.concepts) > len(CODES[kind]) + 2
    assert "taxonomy" in found.drafted(kind)
    assert f"stays-{kind.lower()}.csv" in found.reasons.get(kind, drafted.reasons[kind])[0]


def test_words_and_few_codes_need_none(tmp_path) -> None:
    schema = covey.Schema.draft(stays())

    assert codes_kind(schema["sex"]) is None
    assert codes_kind(schema.updated("NUTS", categories=("DE11", "DE12", "DE13"))["NUTS"]) is None
    assert save_taxonomies(schema, tmp_path / "s.toml")["sex"].taxonomy is None


def test_an_older_taxonomy_is_not_replaced_in_silence(tmp_path) -> None:
    (tmp_path / "stays-nuts.csv").write_text("child,parent\n", "utf-8")

    with pytest.raises(ReleaseError, match="exists already"):
        save_taxonomies(covey.Schema.draft(stays()), tmp_path / "stays.toml")

    assert [path.name for path in tmp_path.iterdir()] == ["stays-nuts.csv"]


def test_a_confirmed_draft_with_taxonomies_keeps_its_promise(tmp_path) -> None:
    path = tmp_path / "stays.toml"
    save_taxonomies(covey.Schema.draft(stays()), path).save(path)
    unconfirmed = covey.publish(stays(), "column-model", schema=covey.Schema.load(path), epsilon=1)

    confirmed = confirm_schema(path, path, by="A. Curator", yes=True)
    release = covey.publish(stays(), "column-model", schema=confirmed, epsilon=1)

    assert unconfirmed.guarantee.kind == "none"
    assert release.guarantee.kind == "pure-dp"
    assert set(release.data["ICD"].unique()) <= set(CODES["ICD"])
