"""What would a registry of releases want to know about this one?  The privacy card.

The fields are those that registries of differentially private releases ask for.  The schema is
published with the package (`card.schema.json`).  A card written by an old version keeps its
meaning forever: new fields may be added, none may change.
"""

from __future__ import annotations

import json
from importlib.metadata import version
from importlib.resources import files
from typing import TYPE_CHECKING, Any

from covey.kinds import KINDS
from covey.release.paid import charged_entry
from covey.report.dictionary import column_dictionary
from covey.report.papers import PAPERS
from covey.systems import SYSTEMS

if TYPE_CHECKING:
    from covey.core import Guarantee
    from covey.release.folder import Published

_VERSION = 1
COMPOSITION = "sequential: the epsilons of all releases of the same data are added up"


def card(release: Published, *, curator: str | None = None) -> dict[str, Any]:
    """Describe a release for machines, from its guarantee, plan and ledger alone.

    No number in it comes from the original records, nor from the released ones.

    Parameters
    ----------
    release : Release
        Of any engine.
    curator : str, optional
        Who is responsible for the data.

    Returns
    -------
    dict
        Plain JSON values, valid under `card_schema`.
    """
    guarantee, plan = release.guarantee, release.plan
    entry = charged_entry(release)
    return {
        "card": _VERSION,
        "product": {
            "data": "table" if plan.schema is not None else "graph",
            "columns": release.scan().collect_schema().names(),
            "covered": list(guarantee.columns),
            "joint": guarantee.joint,
            "untouched": list(guarantee.untouched),
            "dropped": list(guarantee.dropped),
            "incomplete": list(guarantee.incomplete),
            "about": {} if plan.schema is None else plan.schema.about.stated(),
            "dictionary": column_dictionary(release),
        },
        "curator": curator,
        "guarantee": {
            "kind": str(guarantee.kind),
            "sentence": str(guarantee),
            "differential_privacy": guarantee.kind.is_differential_privacy,
            "reasons": list(guarantee.reasons),
        },
        "unit_of_privacy": str(guarantee.unit),
        "neighbour_relation": guarantee.unit.words,
        **_persons(guarantee),
        "trust_model": _trust_model(guarantee),
        "parameters": {
            "epsilon": None if guarantee.epsilon is None else float(guarantee.epsilon),
            "delta": _delta(guarantee),
            "rho": None if guarantee.rho is None else float(guarantee.rho),
            "k": guarantee.k,
        },
        "mechanism": _mechanism(release),
        "accounting": _accounting(release),
        "assumptions": list(guarantee.assumes),
        "publishing_conditions": list(guarantee.conditions),
        "version": {
            "covey": version("covey"),
            "plan": plan.fingerprint if entry is None else entry.plan,
            "published": None if entry is None else entry.when,
        },
    }


def card_text(release: Published) -> str:
    """Return the card as the text of a JSON file."""
    return json.dumps(card(release), indent=2, ensure_ascii=False, allow_nan=False) + "\n"


def card_schema() -> dict[str, Any]:
    """Return the JSON Schema (draft 2020-12) of a card."""
    text = files("covey.report").joinpath("card.schema.json").read_text(encoding="utf-8")
    return dict(json.loads(text))


def _delta(guarantee: Guarantee) -> float | None:
    if not guarantee.kind.is_differential_privacy:
        return None
    return 0.0 if guarantee.delta is None else float(guarantee.delta)


def _persons(guarantee: Guarantee) -> dict[str, Any]:
    if guarantee.contributions is None:
        return {}
    persons = {"named_by": guarantee.person, "contributions": guarantee.contributions}
    return {"persons": persons}


def _trust_model(guarantee: Guarantee) -> str:
    kind = KINDS[guarantee.kind]
    return "local" if kind.local else "central" if kind.differential else "none"


def _mechanism(release: Published) -> dict[str, Any]:
    plan, guarantee = release.plan, release.guarantee
    system = SYSTEMS.get(plan.system)
    cited = "" if system is None else system.paper
    return {
        "system": plan.system,
        "summary": "" if system is None else system.summary,
        "source": cited,
        "literature": [title for paper, title in PAPERS.items() if paper in cited],
        "parameters": plan.to_dict()["parameters"],
        "arithmetic": guarantee.arithmetic,
        "claim": guarantee.claim,
    }


def _accounting(release: Published) -> dict[str, Any]:
    ledger, epsilon = release.ledger, release.guarantee.epsilon
    return {
        "composition": COMPOSITION,
        "this_release": None if epsilon is None else str(epsilon),
        "spent": str(ledger.spent),
        "limit": None if ledger.limit is None else str(ledger.limit),
        "left": None if ledger.left is None else str(ledger.left),
        "counted_in": list(ledger.units),
        "releases": sum(entry.counts for entry in ledger.entries),
        "without_bound": len(ledger.unbounded),
        "questions": list(release.guarantee.questions),
    }
