"""covey reproduce --figure and --experiment on the command line."""

from __future__ import annotations

import json

EXPERIMENT = """
title = "SSE over k"
runs = 8
measures = ["sse"]
[grid]
k = [3, 5]
[[line]]
name = "clusters"
partition = "mdav"
[[line]]
name = "noise"
system = "laplace"
epsilon = 0.1
[[panel]]
x = "k"
y = "sse"
[[claim]]
text = "Clusters lose less."
less = "clusters"
than = "noise"
"""
NUMBERS = "age,income\n" + "".join(f"{20 + i},{1000 * (i % 9)}\n" for i in range(40))


def written(terminal) -> tuple[str, ...]:
    (terminal.folder / "mine.toml").write_text(EXPERIMENT)
    (terminal.folder / "numbers.csv").write_text(NUMBERS)
    return ("reproduce", "--experiment", "mine.toml", "--data", "numbers.csv", "--workers", "1")


def test_an_experiment_of_ones_own_is_run_drawn_and_its_claims_are_told(terminal) -> None:
    ran = terminal.run(*written(terminal), "-o", "mine.html")

    assert (ran.code, ran.err) == (0, "")
    assert "holds    Clusters lose less." in ran.out
    assert "Claims: 1 holds." in ran.out
    assert max(map(len, ran.out.splitlines())) <= 80
    page = (terminal.folder / "mine.html").read_text()
    assert page.count("<figure>") == 1
    assert "Clusters lose less." in page


def test_machines_get_every_value_and_verdict(terminal) -> None:
    ran = terminal.run(*written(terminal), "--json")

    (content,) = json.loads(ran.out)
    assert content["claims"][0]["verdict"] == "holds"
    runs = {point["line"]: len(point["values"]["sse"]) for point in content["points"]}
    assert runs == {"clusters": 1, "noise": 8}


def test_what_does_not_go_together_is_refused(terminal) -> None:
    both = terminal.run(*written(terminal), "--figure", "4.5")
    table = terminal.run("reproduce", "001", "--figure", "all", "--table", "Table I")

    alone = terminal.run("reproduce", "002", "--data", "numbers.csv")

    assert (both.code, table.code, alone.code) == (2, 2, 2)
    assert "--figure" in alone.err
    assert "stands alone" in both.err
    assert "at once" in table.err
