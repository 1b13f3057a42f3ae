"""The scripts that the documents show run as they are, and say what they are there to say."""

import runpy
from pathlib import Path

import pytest

FOLDER = Path(__file__).parents[1] / "docs" / "examples"

SAYS = {
    "choosing_epsilon": ("chosen: epsilon ", "Pure differential privacy", "refused: the ledger"),
    "graph": ("1,500 people", "Pure edge differential privacy", "Pure node differential privacy"),
    "table_with_taxonomies": ("Pure differential privacy with epsilon = 1", "guarantee.json"),
}


@pytest.mark.parametrize("name", SAYS)
def test_an_example_runs_and_says_what_is_promised(name, capsys, tmp_path, monkeypatch) -> None:
    monkeypatch.chdir(tmp_path)

    runpy.run_path(str(FOLDER / f"{name}.py"), run_name="__main__")

    shown = capsys.readouterr().out
    for words in SAYS[name]:
        assert words in shown
    assert list(tmp_path.iterdir()) == []


def test_every_example_is_run_and_shown() -> None:
    page = (FOLDER.parent / "examples.md").read_text(encoding="utf-8")
    names = sorted(path.stem for path in FOLDER.glob("*.py"))

    assert names == sorted(SAYS)
    for name in names:
        assert f'--8<-- "docs/examples/{name}.py"' in page
