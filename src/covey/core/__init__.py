"""What protects people: read top to bottom in this order, it is all that a promise rests on.

unit, bounds, loss, budget, persons, claims_tables, claims_graphs: what is protected, how much may
be lost, on the safe side, and how far a statistic can move.  digits, gauss, exact, source: noise
without floats, from the operating system.  questions, claims_weights: what may be asked about
records, and nothing else.  meter: takes the price, asks an engine, adds the noise.  guarantee: the
promise that follows from what the meter was asked.
"""

from covey.core.budget import Budget
from covey.core.claims_graphs import GRAPH_CLAIMS
from covey.core.claims_tables import CLAIMS, Claim
from covey.core.claims_weights import WEIGHT_CLAIMS, WeightedCounts
from covey.core.guarantee import (
    EXACT,
    IDEALISED,
    NO_NOISE,
    REPEATABLE,
    Guarantee,
    Promise,
    amounts_of,
    told_persons,
)
from covey.core.meter import Bill, Boxed, Meter, Noisy, Paid, Vectors
from covey.core.persons import Persons
from covey.core.source import NoiseSource, SecureNoise
from covey.core.unit import PrivacyUnit
from covey.kinds import GuaranteeKind

__all__ = [
    "CLAIMS",
    "EXACT",
    "GRAPH_CLAIMS",
    "IDEALISED",
    "NO_NOISE",
    "REPEATABLE",
    "WEIGHT_CLAIMS",
    "Bill",
    "Boxed",
    "Budget",
    "Claim",
    "Guarantee",
    "GuaranteeKind",
    "Meter",
    "NoiseSource",
    "Noisy",
    "Paid",
    "Persons",
    "PrivacyUnit",
    "Promise",
    "SecureNoise",
    "Vectors",
    "WeightedCounts",
    "amounts_of",
    "told_persons",
]
