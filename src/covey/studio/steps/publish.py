"""Step 4, publish: what will it promise, what does it cost, and is that wanted?"""

from __future__ import annotations

from htmltools import Tag, TagChild, tags

from covey.kinds import KINDS, GuaranteeKind, amount
from covey.ledger import Ledger, explain_ledger
from covey.studio.budget import affordable_epsilon, explain_refusal, told_cost
from covey.studio.prefetch import losses_key, plan_key
from covey.studio.results import Rehearsal
from covey.studio.settings import limit_problem, seed_problem, setting_problems
from covey.studio.state import State, Step
from covey.studio.widgets import (
    back_button,
    badge,
    button,
    button_row,
    fact_list,
    heading,
    message,
    not_yet,
    problem_at,
    publish_progress,
    text_field,
)

LONG = 500
"""Letters of a promise that is not set in large type: it names many columns."""


def publish_view(state: State) -> Tag:
    """Return the fourth step: the promise, the budget, and the button."""
    rehearsal = state.rehearsal
    ready = rehearsal is not None and rehearsal.key == plan_key(state)
    publishing = state.awaited is not None and state.awaited.name == "publish"
    wrong = next(iter(setting_problems(state).values()), "")
    return tags.div(
        heading(
            "Is this what you want to promise?",
            "This sentence will stand in the release. Nobody has to trust more than it says.",
        ),
        message(wrong),
        _promise(state, rehearsal if ready else None) if plan_key(state) else None,
        _losses(state),
        _budget(state, rehearsal) if ready and rehearsal is not None else None,
        problem_at(state, "publish"),
        publish_progress(state),
        _experiment(state) if not publishing else None,
        button_row(
            back_button(Step.CHOOSE),
            button(
                "Publish now",
                "publish",
                look="main",
                disabled=None if _can_publish(state, rehearsal, ready=ready) else "disabled",
            ),
        ),
    )


def _can_publish(state: State, rehearsal: Rehearsal | None, *, ready: bool) -> bool:
    if not ready or rehearsal is None or rehearsal.problem or setting_problems(state):
        return False
    refused = "limit" in state.problems or limit_problem(state) or explain_refusal(state, rehearsal)
    return state.awaited is None and not refused


def _losses(state: State) -> TagChild:
    """Say how many records would be left out or moved; computed on the data, for her alone."""
    found = state.losses
    if state.kind == "graph" or state.schema is None or not state.system:
        return None
    if found is None or found.key != losses_key(state):
        return tags.p("Counting what would be left out …", {"class": "hint"}, role="status")
    said = (
        f"{found.left_out:,} of {found.records:,} records will be left out, because they lack a "
        f"value of a column whose gaps are not published."
        if found.left_out
        else f"All {found.records:,} records count; none is left out."
    )
    published = len(state.published_columns)
    columns = f"{published} of {len(state.schema.attributes)} columns are published."
    moved = ", ".join(f"{name} {count:,}" for name, count in found.outside.items())
    return tags.section(
        {"id": "losses", "class": "losses"},
        tags.h2("What goes in"),
        tags.p(said, " ", columns),
        tags.p(f"Values outside the public bounds are moved to the nearer one: {moved}.")
        if moved
        else None,
        *(
            message(f"{name} cannot be published as it is described: {why}")
            for name, why in found.refused.items()
        ),
        tags.p("Only you see these counts: they are computed on the originals.", {"class": "hint"}),
    )


def _promise(state: State, rehearsal: Rehearsal | None) -> Tag:
    if rehearsal is None:
        words = "Rehearsing on made-up records …"
        return tags.div(
            {"class": "work"}, tags.p(words, role="status"), tags.progress(aria_label=words)
        )
    if rehearsal.problem:
        return tags.div(message(rehearsal.problem, "message-rehearsal"))
    colour = KINDS[GuaranteeKind(rehearsal.kind)].colour
    return tags.div(
        {"class": f"guarantee {colour}"},
        badge(rehearsal.kind),
        tags.blockquote(
            rehearsal.sentence,
            {"class": "long" if len(rehearsal.sentence) > LONG else None},
            id="promise",
        )
        if not_yet(state) is None
        else tags.div(
            not_yet(state),
            tags.details(tags.summary("The whole sentence"), tags.p(rehearsal.sentence)),
            id="promise",
        ),
        *(tags.p(each, {"class": "hint"}) for each in rehearsal.conditions),
    )


def _budget(state: State, rehearsal: Rehearsal) -> TagChild:
    if rehearsal.problem:
        return None
    ledger, said = state.ledger, state.problems.get("limit")
    problem = said.message if said else limit_problem(state)
    if ledger is None or not ledger.entries:
        return tags.section(
            tags.h2("Budget"),
            _whose(state),
            text_field(
                "How much epsilon may be spent on these people in all, ever?",
                "limit",
                "limit",
                "",
                value=state.limit,
                problem=problem,
                hint="Covey keeps a ledger for them on this machine. The limit is set with the "
                "first release; the person responsible for the data decides it.",
                inputmode="decimal",
            ),
            fact_list((("This release", told_cost(rehearsal)),)),
            _afford(state, rehearsal),
            id="budget",
        )
    return tags.section(
        tags.h2("Budget"),
        _whose(state),
        fact_list(
            (
                ("This release", told_cost(rehearsal)),
                ("Spent on these people", f"epsilon {amount(ledger.spent)}"),
                ("Left", "no limit" if ledger.left is None else f"epsilon {amount(ledger.left)}"),
            )
        ),
        tags.p(" ".join(explain_ledger(ledger)[1:]), {"class": "hint"}),
        _afford(state, rehearsal),
        message(problem),
        *(tags.p(each, {"class": "hint"}) for each in _changes(ledger)),
        _raise(state, refused=bool(explain_refusal(state, rehearsal))),
        id="budget",
    )


def _changes(ledger: Ledger) -> list[str]:
    """Say how the limit was changed, by whom and why."""
    return [
        f"The limit was changed on {each.when[:10]} from {each.old or 'none'} to {each.new}"
        + (f" by {each.by}: {each.reason}" if each.by else "")
        + "."
        for each in ledger.changes
    ]


def _whose(state: State) -> TagChild:
    chosen = state.chosen_ledger
    if chosen is None or (state.file is not None and state.file.example):
        return None
    return text_field(
        "Whose data are these?",
        "data-name",
        "data-name",
        "",
        value=chosen.name,
        hint=f"All releases about the same people must be charged to one ledger. {chosen.why}",
    )


def _afford(state: State, rehearsal: Rehearsal) -> TagChild:
    """Say why the ledger would refuse, and offer what would do: a smaller epsilon, a new limit."""
    refusal = explain_refusal(state, rehearsal)
    if not refusal:
        return None
    left = affordable_epsilon(state, rehearsal)
    return tags.div(
        message(refusal, "message-ledger"),
        tags.p(
            button(f"Use the {left} that is left", "use-left", look="second", id="use-left"),
            {"class": "hint"},
        )
        if left
        else None,
    )


RAISING = (
    ("limit", "New limit on epsilon", "decimal"),
    ("by", "Who raises it", None),
    ("reason", "Why", None),
)


def _raise(state: State, *, refused: bool) -> Tag:
    """Let the person responsible raise a limit that was charged already; it stays on record."""
    problem = problem_at(state, "raise")
    return tags.details(
        tags.summary("Raise the limit"),
        tags.p(
            "The person responsible for the data decides it. Day, name, reason and the old limit "
            "stay in the ledger; they go into no release.",
            {"class": "hint"},
        ),
        tags.div(
            {"class": "three"},
            *(
                text_field(
                    label,
                    f"raise-{name}",
                    "raising",
                    name,
                    value=state.raising.get(name, ""),
                    inputmode=mode,
                )
                for name, label, mode in RAISING
            ),
        ),
        problem,
        button("Raise it", "raise", look="second", id="raise"),
        open="open" if refused or problem is not None or state.raising else None,
        id="raising",
    )


def _experiment(state: State) -> Tag:
    return tags.details(
        tags.summary("Repeatable experiment"),
        text_field(
            "Seed",
            "seed",
            "seed",
            "",
            value=state.decisions.seed,
            problem=seed_problem(state),
            hint="With a seed, the same plan gives the same numbers again. Such a release carries "
            "no guarantee and is not for publication. Leave it empty for a real one.",
            inputmode="numeric",
        ),
        open="open" if state.decisions.seed else None,
    )
