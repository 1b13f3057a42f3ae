"""The argument: guarantees, sensitivities, budgets and ledgers.  Sees no data."""

from covey.privacy.budget import Budget
from covey.privacy.guarantee import (
    EXACT,
    IDEALISED,
    NO_NOISE,
    Guarantee,
    GuaranteeKind,
    PrivacyUnit,
)
from covey.privacy.ledger import Entry, Ledger, create_ledger, load_ledger, spend
from covey.privacy.sensitivity import CLAIMS, Claim, Sensitivity, sensitivity

__all__ = [
    "CLAIMS",
    "EXACT",
    "IDEALISED",
    "NO_NOISE",
    "Budget",
    "Claim",
    "Entry",
    "Guarantee",
    "GuaranteeKind",
    "Ledger",
    "PrivacyUnit",
    "Sensitivity",
    "create_ledger",
    "load_ledger",
    "sensitivity",
    "spend",
]
