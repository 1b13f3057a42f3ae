"""Step 4: what will it promise, what does it cost, and is that wanted?"""

from __future__ import annotations

from htmltools import Tag, TagChild, tags

from covey.studio.ahead import plan_key
from covey.studio.found import Rehearsal
from covey.studio.parts import (
    back,
    badge,
    button,
    facts,
    heading,
    message,
    onward,
    problem,
    still,
    text_field,
)
from covey.studio.settings import seed_problem, setting_problems
from covey.studio.state import State, Step


def publish(state: State) -> Tag:
    """Return the fourth step: the promise, the budget, and the button."""
    rehearsal = state.rehearsal
    ready = rehearsal is not None and rehearsal.key == plan_key(state)
    working = state.working is not None and state.working.name == "publish"
    wrong = next(iter(setting_problems(state).values()), "")
    return tags.div(
        heading(
            "Is this what you want to promise?",
            "This sentence will stand in the release. Nobody has to trust more than it says.",
        ),
        message(wrong),
        _promise(rehearsal if ready else None) if plan_key(state) else None,
        _budget(state, rehearsal) if ready and rehearsal is not None else None,
        problem(state, "publish"),
        still(state),
        _experiment(state) if not working else None,
        onward(
            back(Step.CHOOSE),
            button(
                "Publish now",
                "publish",
                look="main",
                disabled=None if _can(state, rehearsal, ready=ready) else "disabled",
            ),
        ),
    )


def _can(state: State, rehearsal: Rehearsal | None, *, ready: bool) -> bool:
    if not ready or rehearsal is None or rehearsal.problem or setting_problems(state):
        return False
    return state.working is None and _enough(state, rehearsal)


def _enough(state: State, rehearsal: Rehearsal) -> bool:
    left = None if state.ledger is None else state.ledger.left
    return left is None or rehearsal.epsilon is None or rehearsal.epsilon <= left


def _promise(rehearsal: Rehearsal | None) -> Tag:
    if rehearsal is None:
        words = "Rehearsing on made-up records …"
        return tags.div(
            {"class": "work"}, tags.p(words, role="status"), tags.progress(aria_label=words)
        )
    if rehearsal.problem:
        return tags.div(message(rehearsal.problem, "message-rehearsal"))
    from covey.privacy import GuaranteeKind
    from covey.report.words import BADGES

    colour = BADGES[GuaranteeKind(rehearsal.kind)].colour
    return tags.div(
        {"class": f"guarantee {colour}"},
        badge(rehearsal.kind),
        tags.blockquote(rehearsal.sentence, id="promise"),
        *(tags.p(each, {"class": "hint"}) for each in rehearsal.conditions),
    )


def _budget(state: State, rehearsal: Rehearsal) -> TagChild:
    if rehearsal.problem:
        return None
    if rehearsal.epsilon is None:
        return tags.p("It spends no privacy budget.", {"class": "hint"})
    cost = float(rehearsal.epsilon)
    ledger = state.ledger
    limit = state.problems.get("limit")
    if ledger is None:
        return tags.section(
            tags.h2("Budget"),
            text_field(
                "How much epsilon may be spent on these data in all, ever?",
                "limit",
                "limit",
                "",
                value=state.limit,
                problem=limit.message if limit else "",
                hint="Covey keeps a ledger for these data on this machine. The limit is set once, "
                "with the first release; the person responsible for the data decides it.",
                inputmode="decimal",
            ),
            facts((("This release", f"epsilon {cost:g}"),)),
        )
    left = None if ledger.left is None else float(ledger.left)
    return tags.section(
        tags.h2("Budget"),
        facts(
            (
                ("This release", f"epsilon {cost:g}"),
                ("Spent on these data", f"epsilon {float(ledger.spent):g}"),
                ("Left", "no limit" if left is None else f"epsilon {left:g}"),
            )
        ),
        None
        if _enough(state, rehearsal)
        else message(
            f"the ledger of these data has epsilon {left:g} left and this release needs {cost:g}. "
            f"Go back and choose a smaller epsilon, or let the person responsible for the data "
            f"raise the limit.",
            "message-ledger",
        ),
        message(limit.message if limit else ""),
        id="budget",
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
