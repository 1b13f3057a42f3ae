"""What becomes of a release whose process was killed?

One rule for whoever comes next to the same place or the same ledger.  A release that was sealed
is complete: it takes its place and is paid for.  Any other was seen by nobody: what is left of
it is removed and its reservation given up.  What cannot be judged (another machine's, another
user's, a private folder that is gone) stays as it is, and its reservation goes on to count.
"""

from __future__ import annotations

import warnings
from collections.abc import Iterable, Iterator
from contextlib import suppress
from pathlib import Path

from covey.errors import CoveyError, RecoveryWarning
from covey.ledger import Entry, cancel, clear_leftovers, commit, load_ledger
from covey.release.folder import refuse_existing
from covey.release.paid import is_paid_by
from covey.release.staged import STAGED_PREFIX, StagedFolder, StagedState, adopt_staged


def recover_folder(folder: str | Path) -> None:
    """Finish or undo the releases that were interrupted on their way to a place beside this one."""
    with suppress(OSError):
        for place in sorted(Path(folder).resolve().parent.glob(f"{STAGED_PREFIX}*")):
            _warn(_recovered(place))


def recover_ledger(path: str | Path | None) -> None:
    """Finish or undo the releases that a ledger has kept something back for."""
    if path is None or not Path(path).is_file():
        return
    with suppress(CoveyError):
        clear_leftovers(path)
        for entry in load_ledger(path).open:
            place = Path(entry.staged)
            if entry.staged and place.name.startswith(STAGED_PREFIX) and place.exists():
                _warn(_recovered(place))
            elif entry.folder and is_paid_by(Path(entry.folder), entry.id):
                commit(path, entry.id)
                _warn([f"{_begin(entry.folder)} is complete, and the ledger has now been told."])


def _recovered(place: Path) -> Iterator[str]:
    """Apply the rule to one private folder; say what was done, if anything."""
    try:
        staged = adopt_staged(place)
    except FileNotFoundError:
        # Killed before it was marked; a process that has just made it makes another one.
        with suppress(OSError):
            place.rmdir()
        return
    except OSError:
        return
    with staged:
        try:
            yield from _settled(staged)
        except (CoveyError, OSError) as error:
            staged.keep = True
            yield f"{_begin(staged.folder)} was interrupted and cannot be settled now: {error}"


def _settled(staged: StagedFolder) -> Iterator[str]:
    begin, before = _begin(staged.folder), staged.state
    if staged.folder == staged.place:
        return
    if before is StagedState.SEALED:
        try:
            refuse_existing(staged.folder, force=staged.force)
        except CoveyError:
            staged.unseal()
        else:
            staged.take_place()
    entry = _reservation(staged)
    if staged.state is StagedState.APPEARED:
        if entry is not None and staged.ledger is not None:
            commit(staged.ledger, entry.id)
        done = "was interrupted when it was complete, so it has been finished"
        if before is StagedState.SEALED:
            yield f"{begin} {done}.{_charged(staged)}"
        elif entry is not None:
            yield f"{begin} was interrupted after it had appeared.{_charged(staged)}"
        return
    if entry is not None and staged.ledger is not None:
        cancel(staged.ledger, entry.id)
    why = " because something else has taken its place" if before is StagedState.SEALED else ""
    paid = " and the ledger is not charged" if staged.ledger else ""
    yield f"{begin} was interrupted before anyone could see it, so it has been undone{why}{paid}."


def _reservation(staged: StagedFolder) -> Entry | None:
    """Return the open entry of a staged release; LedgerError if the ledger cannot be read."""
    if staged.ledger is None:
        return None
    place = str(staged.place.resolve())
    return next((each for each in load_ledger(staged.ledger).open if each.staged == place), None)


def _begin(folder: str | Path) -> str:
    return f"a release into {str(folder)!r}"


def _charged(staged: StagedFolder) -> str:
    return "" if staged.ledger is None else f" The ledger {str(staged.ledger)!r} is charged for it."


def _warn(sentences: Iterable[str]) -> None:
    # All of it first: a warning may be turned into an error.
    for sentence in tuple(sentences):
        warnings.warn(sentence, RecoveryWarning, stacklevel=4)
