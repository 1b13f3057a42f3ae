"""Ledger: how much has been spent on these people, over all releases and processes?

``entry`` is one expense and how units of privacy count in each other, ``ledger`` the sum and its
limit, ``file`` the only writer, ``words`` what is said about it.
"""

from covey.ledger.entry import Entry, EntryState, in_unit
from covey.ledger.file import (
    cancel,
    change_limit,
    clear_leftovers,
    commit,
    create_ledger,
    load_ledger,
    raise_limit,
    reserve,
    spend,
)
from covey.ledger.ledger import Ledger, LimitChange
from covey.ledger.words import explain_ledger

__all__ = [
    "Entry",
    "EntryState",
    "Ledger",
    "LimitChange",
    "cancel",
    "change_limit",
    "clear_leftovers",
    "commit",
    "create_ledger",
    "explain_ledger",
    "in_unit",
    "load_ledger",
    "raise_limit",
    "reserve",
    "spend",
]
