"""What may everyone read about a release?  The public edition.

It is a function of the released values, the guarantee, the plan and the ledger, all of which
are published anyway: it tells nothing more about the original records.
"""

from __future__ import annotations

from dataclasses import asdict
from importlib.metadata import version
from typing import TYPE_CHECKING, Any

from covey.kinds import KINDS, amount, loss_words
from covey.ledger import explain_ledger
from covey.release.paid import charged_entry
from covey.report.card import card
from covey.report.charts import column_charts
from covey.report.degree_charts import degree_charts
from covey.report.degrees import published_degrees
from covey.report.dictionary import dictionary_rows
from covey.report.html import render
from covey.report.table_pages import shown_numbers, shown_tables
from covey.report.words import not_covered
from covey.table import About

if TYPE_CHECKING:
    from covey.release.folder import Published
    from covey.systems import Parameter

INTERVALS = 24
"""So many intervals are shown; all are in accuracy.csv."""


def public_report(release: Published) -> str:
    """Return the public edition as one HTML file that needs no network.

    Parameters
    ----------
    release : Release
        Of any engine.  Its ``aligned`` records are not looked at.
    """
    return render("public.html.j2", about(release) | {"charts": released_charts(release)})


def about(release: Published) -> dict[str, Any]:
    """Return what both editions say about a release: words and public numbers."""
    described = card(release)
    ledger, epsilon = release.ledger, release.guarantee.epsilon
    intervals = [] if release.accuracy is None else release.accuracy.to_dicts()
    return {
        "card": described,
        "kind": KINDS[release.guarantee.kind],
        "not_covered": not_covered(release.guarantee),
        "rows": release.n,
        "files": _files(release),
        # As text, because numbers for people are rounded, and a bound must not be.
        "epsilon": None if epsilon is None else amount(epsilon),
        "spent": amount(ledger.spent),
        "left": None if ledger.left is None else amount(ledger.left),
        "limit": ledger.limit,
        "account": explain_ledger(ledger),
        "settings": _settings(release),
        "intervals": intervals[:INTERVALS],
        "more_intervals": max(0, len(intervals) - INTERVALS),
        "citation": citation(release),
        "about": asdict(_publisher_says(release)),
        "imprint": _imprint(_publisher_says(release)),
        "dictionary": dictionary_rows(release),
        "plan": release.plan.to_toml(),
        "cells": _releases_cells(release),
        "tables": shown_tables(release),
        "numbers": shown_numbers(release),
    }


def citation(release: Published) -> str:
    """Return the words by which a release can be cited."""
    entry, plan = charged_entry(release), release.plan
    made = "" if entry is None else f", {entry.when[:10]}"
    fingerprint = plan.fingerprint if entry is None else entry.plan
    epsilon = release.guarantee.epsilon
    bound = "" if epsilon is None else f", {loss_words(release.guarantee)}"
    said = _publisher_says(release)
    named = "".join(f"{name.rstrip('.')}. " for name in (said.publisher, said.title) if name)
    return named + (
        f"Released with Covey {version('covey')}, system {plan.system}{bound}, "
        f"guarantee {release.guarantee.kind}, plan {fingerprint}{made}."
    )


def released_charts(release: Published) -> list[tuple[str, str]]:
    """Draw the released values: a histogram for each column, or the degrees of a graph."""
    if release.plan.schema is None:
        return degree_charts({"released": published_degrees(release)})
    if _releases_cells(release):
        return []
    rows = release.scan()
    attributes = [release.plan.schema[name] for name in rows.collect_schema().names()]
    return column_charts(attributes, {"released": rows})


def _publisher_says(release: Published) -> About:
    schema = release.plan.schema
    return About() if schema is None else schema.about


def _imprint(said: About) -> str:
    parts = {
        "Published by": said.publisher,
        "Contact:": said.contact,
        "Licence:": said.licence,
    }
    return " · ".join(f"{label} {text}" for label, text in parts.items() if text)


def _releases_cells(release: Published) -> bool:
    from covey.systems import SYSTEMS

    system = SYSTEMS.get(release.plan.system)
    return system is not None and system.releases == "cells"


def _files(release: Published) -> list[tuple[str, str]]:
    listed = [(f"data.{release.format}", "the released values")]
    known = {
        "accuracy": "how far each published number may be from the truth",
        "clusters": "the groups, as published",
        "edges": "a graph made from the published counts",
        "tables": "counts of cells with intervals, one row to a cell",
        "quantiles": "quantiles and cumulated shares of numbers, with intervals",
        "means": "means of numbers in groups, with intervals",
        "measured": "the counts as measured: noisy, and not in agreement with each other",
        "sdmx": "the tables as SDMX-CSV 2.0",
        "codes": "what the codes of sdmx.csv stand for",
    }
    listed += [
        (f"{name}.csv", known.get(name, "made from the same noisy values"))
        for name in release.extras
    ]
    return [
        *listed,
        ("guarantee.json", "the guarantee"),
        ("card.json", "this page for machines"),
        ("plan.toml", "what was run"),
        ("ledger.json", "what it cost"),
    ]


def _settings(release: Published) -> list[dict[str, str]]:
    from covey.systems import SYSTEMS

    system = SYSTEMS.get(release.plan.system)
    known: dict[str, Parameter] = {each.name: each for each in system.parameters} if system else {}
    return [
        {
            "name": name,
            "value": ", ".join(map(str, value)) if isinstance(value, list) else str(value),
            "meaning": known[name].meaning if name in known else "",
        }
        for name, value in release.plan.to_dict()["parameters"].items()
    ]
