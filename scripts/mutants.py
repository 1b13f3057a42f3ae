"""Make wrong versions of the code that privacy rests on, and see whether the tests notice.

Each mistake in mutants.toml is made in a copy of the sources, one at a time, and the tests named
there are run on the copy: they must fail.  Exit code 1 if a mistake survives.

    python scripts/mutants.py [WORDS]     only those whose file or reason holds the words
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
import tomllib
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from queue import SimpleQueue

HERE = Path(__file__).parent.parent
PASSED, FAILED = 0, 1  # pytest's; all other codes say that no test came to a verdict
ENDLESS = 99
LONGEST = 3600  # seconds, so that a mistake that never ends is told from a slow machine
WORKERS = os.cpu_count() or 1


@dataclass(frozen=True)
class Mutant:
    """One mistake: the text that it replaces in a file, and the tests that must notice."""

    path: str
    why: str
    old: str
    new: str
    tests: tuple[str, ...]

    def applied(self, text: str) -> str:
        """Return the sources of the file with the mistake."""
        if (found := text.count(self.old)) != 1:
            raise LookupError(f"{self.path}: {self.old!r} stands there {found} times, not once")
        return text.replace(self.old, self.new)


def read_mutants() -> list[Mutant]:
    """Return all mistakes, in the order of the list."""
    listed = tomllib.loads(Path(__file__).with_suffix(".toml").read_text("utf-8"))
    return [
        Mutant(
            path=file["path"],
            why=mutant["why"],
            old=mutant["old"],
            new=mutant["new"],
            tests=tuple(mutant.get("tests", file["tests"])),
        )
        for file in listed["file"]
        for mutant in file["mutant"]
    ]


def run_tests(sources: Path, tests: tuple[str, ...]) -> int:
    """Run tests on a copy of the sources; return pytest's exit code."""
    command = [sys.executable, "-m", "pytest", "-x", "-q", "-p", "no:cacheprovider", *tests]
    environment = {**os.environ, "PYTHONPATH": str(sources)}
    try:
        ran = subprocess.run(
            command, cwd=HERE, env=environment, capture_output=True, check=False, timeout=LONGEST
        )
    except subprocess.TimeoutExpired:
        return ENDLESS
    return ran.returncode


def judge(mutant: Mutant, sources: Path) -> str:
    """Make a mistake in a copy of the sources, and say what the tests made of it."""
    file = sources / "covey" / mutant.path
    right = file.read_text("utf-8")
    file.write_text(mutant.applied(right), "utf-8")
    try:
        code = run_tests(sources, mutant.tests)
    finally:
        file.write_text(right, "utf-8")
    return {PASSED: "SURVIVED", FAILED: "caught"}.get(code, f"NO VERDICT (exit code {code})")


def judged(mutants: list[Mutant], copies: SimpleQueue[Path]) -> Iterator[tuple[Mutant, str]]:
    """Judge mistakes on all cores, each on a copy of its own; yield them in their order."""

    def one(mutant: Mutant) -> str:
        sources = copies.get()
        try:
            return judge(mutant, sources)
        finally:
            copies.put(sources)

    with ThreadPoolExecutor(WORKERS) as pool:
        yield from zip(mutants, pool.map(one, mutants), strict=True)


def main(words: str = "") -> int:
    """Judge the mistakes, print the verdicts, and return the exit code."""
    mutants = [each for each in read_mutants() if words in f"{each.path} {each.why}"]
    with tempfile.TemporaryDirectory() as folder:
        copies: SimpleQueue[Path] = SimpleQueue()
        for number in range(WORKERS):
            copies.put(Path(shutil.copytree(HERE / "src", Path(folder) / str(number))))
        # Tests that fail without a mistake would catch anything.
        right = copies.get()
        whole = tuple(dict.fromkeys(test for each in mutants for test in each.tests))
        print(f"{len(mutants)} mutants; first the tests without any ...", flush=True)
        if run_tests(right, whole) != PASSED:
            print("The tests fail without a mutant, so they prove nothing. Mend them first.")
            return 1
        copies.put(right)
        missed = 0
        for mutant, verdict in judged(mutants, copies):
            missed += verdict != "caught"
            print(f"{verdict:9} {mutant.path}: {mutant.why}", flush=True)
    print(f"{len(mutants) - missed} of {len(mutants)} mutants caught.")
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main(" ".join(sys.argv[1:])))
