"""Which HTML does the page show for a state?"""

from __future__ import annotations

from htmltools import Tag, TagChild, tags

import covey
from covey.choose.purposes import PURPOSES
from covey.studio.help import help_on
from covey.studio.settings import can_reach, typed_text
from covey.studio.state import STEP_ORDER, STEP_TITLES, State, Step
from covey.studio.steps import VIEWS
from covey.studio.widgets import button


def render_page(state: State) -> dict[str, str]:
    """Return the parts of the page for a state, as HTML."""
    return {
        "rail": str(_rail(state)),
        "sofar": str(_so_far(state)),
        "view": f"{VIEWS[state.step](state)}{help_on(state.step)}",
    }


def _rail(state: State) -> Tag:
    now = STEP_ORDER.index(state.step)
    items = []
    for place, step in enumerate(STEP_ORDER):
        look = "now" if place == now else "past" if place < now else "next"
        items.append(
            tags.li(
                tags.button(
                    {
                        "data-do": "go",
                        "data-key": step,
                        "class": look,
                        "aria-current": "step" if place == now else None,
                        "disabled": None if can_reach(state, step) else "disabled",
                        "id": f"rail-{step}",
                    },
                    tags.span(str(place + 1), {"class": "step-number"}),
                    tags.span(STEP_TITLES[step], {"class": "step-title"}),
                    type="button",
                )
            )
        )
    return tags.div(
        {"class": "rail-row"},
        tags.ol(*items),
        button("Undo", "undo", id="undo", disabled=None if state.past else "disabled"),
    )


def _so_far(state: State) -> Tag:
    """Return in one line what earlier steps decided."""
    parts: list[TagChild] = []
    if state.file is not None and state.step is not Step.DATA:
        what = "records" if state.file.kind == "table" else "nodes"
        parts.append(f"{state.file.name}, {state.file.rows:,} {what}")
    if state.schema is not None and state.step in STEP_ORDER[2:]:
        open_ = sum(
            bool(state.schema.drafted(each.name)) and not each.is_hidden for each in state.schema
        )
        published = sum(not each.is_hidden for each in state.schema)
        flag = f", {open_} not confirmed" if open_ else ""
        parts.append(f"{published} columns described{flag}")
    if state.system and state.step in STEP_ORDER[3:]:
        purpose = PURPOSES.get(state.decisions.purpose)
        named = state.system if purpose is None else purpose.title
        parts.append(", ".join([named, *_main_settings(state)]))
    if state.ledger is not None and state.ledger.left is not None and state.step in STEP_ORDER[2:]:
        parts.append(f"epsilon {float(state.ledger.left):g} left")
    return tags.ul({"class": "so-far"}, *(tags.li(part) for part in parts))


def _main_settings(state: State) -> list[str]:
    shown = [p for p in covey.SYSTEMS[state.system].parameters if p.name in ("epsilon", "k")]
    return [f"{each.name} {typed_text(state, each)}" for each in shown if typed_text(state, each)]
