"""The argument: guarantees, sensitivities, budgets and ledgers.  Sees no data."""

from covey.privacy.budget import Budget
from covey.privacy.claim import Claim, Sensitivity
from covey.privacy.guarantee import (
    EXACT,
    IDEALISED,
    NO_NOISE,
    REPEATABLE,
    Guarantee,
    GuaranteeKind,
    PrivacyUnit,
)
from covey.privacy.ledger import Entry, Ledger, create_ledger, load_ledger, spend
from covey.privacy.sensitivity import CLAIMS, as_printed, sensitivity

__all__ = [
    "CLAIMS",
    "EXACT",
    "IDEALISED",
    "NO_NOISE",
    "REPEATABLE",
    "Budget",
    "Claim",
    "Entry",
    "Guarantee",
    "GuaranteeKind",
    "Ledger",
    "PrivacyUnit",
    "Sensitivity",
    "as_printed",
    "create_ledger",
    "load_ledger",
    "sensitivity",
    "spend",
]
