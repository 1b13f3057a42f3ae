"""covey compare on the command line."""

from __future__ import annotations

import json

WANTED = ("--systems", "mdav,private-tree", "--epsilon", "1", "-k", "3,5", "--workers", "1")


def test_plans_are_compared_and_one_is_recommended(terminal) -> None:
    ran = terminal.run(
        "compare", "people.csv", "-s", "people.toml", *WANTED, "--columns", "age", "-o", "c.html"
    )

    assert (ran.code, ran.err) == (0, "")
    assert "Do not publish: computed on the originals." in ran.out
    assert "For the whole file, take private-tree" in " ".join(ran.out.split())
    assert "<h1>Which plan, for the whole file?</h1>" in (terminal.folder / "c.html").read_text()
    assert list((terminal.folder / "c.cache").iterdir())


def test_machines_get_json(terminal) -> None:
    ran = terminal.run(
        "compare", "people.csv", "-s", "people.toml", *WANTED, "--columns", "age", "--json"
    )

    content = json.loads(ran.out)
    assert content["do_not_publish"] == "computed on the originals"
    assert {plan["plan"] for plan in content["plans"]} == {
        "mdav, k = 3",
        "mdav, k = 5",
        "private-tree, epsilon = 1",
    }


def test_an_older_page_is_not_replaced(terminal) -> None:
    (terminal.folder / "c.html").write_text("mine")

    ran = terminal.run("compare", "people.csv", "-s", "people.toml", *WANTED, "-o", "c.html")

    assert ran.code == 2
    assert "exists already" in ran.err
    assert (terminal.folder / "c.html").read_text() == "mine"


def test_values_that_are_no_numbers_are_explained(terminal) -> None:
    ran = terminal.run(
        "compare", "people.csv", "-s", "people.toml", "--systems", "mdav", "--epsilon", "one"
    )

    assert ran.code == 2
    assert "is not a list of numbers" in " ".join(ran.err.split())


def test_any_parameter_can_be_varied_and_ranges_are_written_with_dots(terminal) -> None:
    ran = terminal.run(
        *("compare", "people.csv", "-s", "people.toml", "--systems", "cross-moment,v-mdav"),
        *("--epsilon", "1", "-k", "4", "--grid", "method=1..3", "--grid", "gamma=0.2,1"),
        *("--columns", "age,income", "--workers", "1", "--json"),
    )

    content = json.loads(ran.out)
    assert content["failed"] == {}
    assert {plan["plan"] for plan in content["plans"]} == {
        *(f"cross-moment, epsilon = 1, k = 4, method = {method}" for method in (1, 2, 3)),
        *(f"v-mdav, k = 4, gamma = {gamma}" for gamma in ("0.2", "1")),
    }


def test_a_grid_without_values_is_explained(terminal) -> None:
    ran = terminal.run(
        "compare", "people.csv", "-s", "people.toml", "--systems", "mdav", "--grid", "tau="
    )

    assert ran.code == 2
    assert "tau=1,3,5" in " ".join(ran.err.split())
