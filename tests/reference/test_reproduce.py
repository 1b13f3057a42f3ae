"""Every published number that can be computed again must come out as it did before."""

import json
from collections import Counter

import pytest

from covey.errors import DataError
from covey.reproduce import PaperEntry, load_entries, reproduce
from covey.reproduce.data import VARIABLE, available, data_folder, load_graph
from covey.reproduce.judged import MATCHES
from covey.reproduce.recipes_graphs import most_kept_edges

ENTRIES = [entry for entry in load_entries() if entry.recipe != "none"]


def named(entry: PaperEntry) -> str:
    return f"{entry.paper}-{entry.table}-{entry.data}-{entry.method}-{entry.label}"


def long_ones_marked(entry: PaperEntry):
    """Search a smallest k, which takes long, in the thorough run alone."""
    return pytest.param(entry, marks=pytest.mark.thorough if entry.recipe == "k-min" else ())


@pytest.mark.parametrize(
    "entry",
    [long_ones_marked(e) for e in ENTRIES if e.expected is not None],
    ids=named,
)
def test_our_value_equals_the_independent_reproduction(entry: PaperEntry) -> None:
    if not available(entry.data):
        pytest.skip(f"{entry.data} is not in {data_folder()}; name its folder in {VARIABLE}")

    (result,) = reproduce([entry])

    assert result.ours == pytest.approx(entry.expected, rel=entry.tolerance)


MATCHED = {
    ("002", "Table 5.1"): 66,
    ("002", "Table 5.2"): 63,
    ("002", "Table 5.3"): 54,
    ("002", "Table 5.4"): 64,
    ("002", "Table 5.5"): 55,
    ("002", "Table 5.6"): 53,
    ("002", "Table 6.1"): 47,
    ("002", "Table 6.2"): 45,
    ("002", "Table 7.1"): 12,
    ("001", "Table I"): 48,
    ("003", "Table 1"): 28,
}
"""How many numbers of a table come out again, fitted ones among them."""


LONG = ("Table 5.1", "Table 5.2", "Table 5.3", "Table 5.4")
"""Census and EIA over twenty neighbours; Tarragona stands for them in the short run."""


@pytest.mark.parametrize(
    ("paper", "table"),
    [pytest.param(*key, marks=pytest.mark.thorough if key[1] in LONG else ()) for key in MATCHED],
)
def test_as_many_numbers_of_a_table_come_out_again_as_before(paper: str, table: str) -> None:
    entries = load_entries(paper, table)
    missing = sorted({entry.data for entry in entries if not available(entry.data)})
    if missing:
        pytest.skip(f"{missing} are not in {data_folder()}; name their folder in {VARIABLE}")

    results = list(reproduce(entries))

    assert sum(result.word in MATCHES for result in results) == MATCHED[paper, table]


def test_what_cannot_be_reproduced_says_why() -> None:
    for result in reproduce([entry for entry in load_entries() if entry.recipe == "none"]):
        assert result.ours is None
        assert len(result.status) > len("not reproducible: ")


@pytest.mark.parametrize("entry", [e for e in ENTRIES if e.most is not None], ids=named)
def test_a_printed_value_called_impossible_is_above_what_any_bounded_graph_keeps(
    entry: PaperEntry,
) -> None:
    if not available(entry.data):
        pytest.skip(f"{entry.data} is not in {data_folder()}; name its folder in {VARIABLE}")

    (result,) = reproduce([entry])

    most = most_kept_edges(entry)
    assert entry.most == pytest.approx(most, abs=5e-5)
    assert result.ours <= most < entry.printed
    assert result.status == f"impossible: at most {entry.most:g} can be reached"


def test_a_graph_that_is_not_there_is_named(tmp_path, monkeypatch) -> None:
    monkeypatch.setenv(VARIABLE, str(tmp_path))

    with pytest.raises(DataError, match=r"graphs/nobody\.txt\.gz"):
        load_graph("nobody")


def test_every_reference_value_is_compared_with_ours() -> None:
    source = data_folder().parent / "reference" / "reference.json"
    if not source.is_file():
        pytest.skip(f"the list of published numbers is not beside {data_folder()}")
    published = json.loads(source.read_text())["entries"]
    independent = Counter((entry["paper"], entry["reproduced_value"]) for entry in published)
    printed = {(entry["paper"], entry["paper_value"]) for entry in published}

    ours = load_entries()

    # A value that is not there is one that an independent implementation did not find either.
    assert not {
        key: count
        for key, count in (independent - Counter((e.paper, e.expected) for e in ours)).items()
        if key[1] is not None
    }
    # What was worked out from printed factors is not printed.
    derived = {("004", value) for _, value in printed if isinstance(value, float) and value > 1e10}
    assert {key for key in printed if key[1] is not None} - derived <= {
        (e.paper, e.printed) for e in ours
    }
