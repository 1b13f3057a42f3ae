"""The list of wrong versions fits the sources: each mistake can still be made, and tests are there.

Whether they notice is what `make mutants` sees, which takes longer.
"""

from pathlib import Path

import pytest

from scripts.mutants import HERE, Mutant, read_mutants

MUTANTS = read_mutants()


@pytest.mark.parametrize("mutant", MUTANTS, ids=lambda each: f"{each.path}: {each.why}")
def test_a_mistake_can_be_made_and_still_loads(mutant: Mutant) -> None:
    right = (HERE / "src" / "covey" / mutant.path).read_text("utf-8")
    wrong = mutant.applied(right)
    assert wrong != right
    compile(wrong, mutant.path, "exec")
    assert all(Path(HERE, test).exists() for test in mutant.tests)


def test_there_are_sixty_or_more_of_core_systems_and_writer() -> None:
    rooms = {mutant.path.partition("/")[0] for mutant in MUTANTS}
    assert len(MUTANTS) >= 60
    assert {"core", "systems", "release", "ledger", "engines"} <= rooms


def test_a_mistake_that_no_longer_fits_is_named() -> None:
    gone = Mutant(path="core/exact.py", why="gone", old="no such line", new="", tests=())
    with pytest.raises(LookupError, match=r"core/exact\.py.*0 times"):
        gone.applied("another line")
