"""Which widgets do all steps share?  Every control has a label, an id, and one action."""

from __future__ import annotations

from collections.abc import Iterable

from htmltools import Tag, TagChild, TagList, tags

from covey.kinds import KINDS, GuaranteeKind
from covey.studio.state import AwaitedJob, State, Step


def button(text: TagChild, do: str, key: str = "", *, look: str = "quiet", **more: object) -> Tag:
    """Return a button that does one thing."""
    return tags.button(
        text,
        {"data-do": do, "data-key": key, "class": f"button {look}"},
        type="button",
        **more,  # type: ignore[arg-type]
    )


def text_field(
    label: str,
    identity: str,
    do: str,
    key: str,
    *,
    value: str,
    problem: str = "",
    hint: str = "",
    elsewhere: str = "",
    **more: object,
) -> Tag:
    """Return a labelled text field with its meaning and its message below, or elsewhere by id."""
    name = tags.label(label, {"for": identity, "class": "label"})
    described_by = {f"{identity}-hint": hint, f"{identity}-message": problem, elsewhere: elsewhere}
    field = tags.input(
        {"data-do": do, "data-key": key},
        {"aria-invalid": "true" if problem or elsewhere else None},
        id=identity,
        type="text",
        value=value,
        autocomplete="off",
        spellcheck="false",
        aria_describedby=" ".join(place for place, text in described_by.items() if text) or None,
        **more,  # type: ignore[arg-type]
    )
    below = tags.p(hint, {"class": "hint", "id": f"{identity}-hint"}) if hint else None
    return tags.div({"class": "field"}, name, field, message(problem, f"{identity}-message"), below)


def select_field(
    label: str,
    identity: str,
    do: str,
    key: str,
    *,
    value: str,
    options: Iterable[tuple[str, str]],
) -> Tag:
    """Return a labelled list to choose from."""
    listed = [
        tags.option(text, value=option, selected="selected" if option == value else None)
        for option, text in options
    ]
    return tags.div(
        {"class": "field"},
        tags.label(label, {"for": identity, "class": "label"}),
        tags.select({"data-do": do, "data-key": key}, *listed, id=identity),
    )


def file_field(
    label: str, identity: str, what: str, *, accept: str, most: int, hint: str = ""
) -> TagList:
    """Return a place to choose a file; the browser's own widget is there, but not to be seen."""
    return TagList(
        tags.input(
            {"data-upload": what, "data-most": str(most), "class": "hidden"},
            type="file",
            id=identity,
            accept=accept,
            aria_describedby=f"{identity}-hint" if hint else None,
        ),
        tags.label(
            {"class": "pick", "for": identity}, tags.span(label, {"class": "button second"})
        ),
        tags.p(hint, {"class": "hint", "id": f"{identity}-hint"}) if hint else None,
    )


def checkbox(
    label: TagChild, identity: str, do: str, key: str, *, on: bool, disabled: bool = False
) -> Tag:
    """Return a box to tick, with its label beside it."""
    return tags.label(
        {"class": "tick", "for": identity},
        tags.input(
            {"data-do": do, "data-key": key},
            id=identity,
            type="checkbox",
            checked="checked" if on else None,
            disabled="disabled" if disabled else None,
        ),
        tags.span(label),
    )


def message(text: str, identity: str | None = None) -> TagChild:
    """Return a message that is read aloud when it appears, or nothing."""
    if not text:
        return None
    return tags.p(text[:1].upper() + text[1:], {"class": "message"}, role="alert", id=identity)


def not_yet(state: State) -> TagChild:
    """Say in one line that facts wait for somebody to confirm them, and where; or nothing."""
    waiting, all_ = len(state.unconfirmed), len(state.published_columns)
    if not waiting:
        return None
    which = "the one column" if all_ == 1 else f"{waiting} of {all_} columns"
    return tags.p(
        f"No guarantee yet: what is possible in {which} was read off the data, and nobody has "
        f"said that it is public knowledge.",
        " ",
        button("Confirm it", "go", Step.DESCRIBE, look="quiet"),
        {"class": "not-yet"},
    )


def notice(text: str) -> Tag:
    """Return something that the steward should know, and that stops nothing."""
    return tags.p(text[:1].upper() + text[1:], {"class": "notice"})


def problem_at(state: State, place: str) -> TagChild:
    """Return the message that belongs to a place, if there is one."""
    problem = state.problems.get(place)
    return message(problem.message, f"message-{place}") if problem else None


def badge(kind: str) -> Tag:
    """Return the class of a guarantee as a coloured word."""
    known = KINDS[GuaranteeKind(kind)]
    return tags.span(known.badge, {"class": f"badge {known.colour}"})


def heading(title: str, sentence: TagChild) -> TagList:
    """Return the title of a step and what it is for."""
    return TagList(tags.h1(title, id="title", tabindex="-1"), tags.p(sentence, {"class": "lead"}))


def button_row(*buttons: TagChild) -> Tag:
    """Return the row of buttons at the end of a step."""
    return tags.div({"class": "onward"}, *buttons)


def back_button(step: Step) -> Tag:
    """Return a button to the step before."""
    return button("Back", "go", step)


def progress_bar(awaited: AwaitedJob) -> Tag:
    """Return a progress bar, moving by itself where the end is unknown."""
    known = awaited.total > 0
    share = awaited.done / awaited.total if known else 0.0
    words = awaited.what[:1].upper() + awaited.what[1:]
    return tags.div(
        {"class": "work"},
        tags.p(f"{words} …", {"class": "work-words"}, role="status"),
        tags.progress(max="1", value=f"{share:.3f}" if known else None, aria_label=words),
    )


def publish_progress(state: State) -> TagChild:
    """Return what the worker process does about a release, and how to stop it, or nothing."""
    if state.awaited is None or state.awaited.name != "publish":
        return None
    return tags.div(
        {"class": "still"}, progress_bar(state.awaited), button("Stop", "cancel", look="second")
    )


def fact_list(pairs: Iterable[tuple[str, str]]) -> Tag:
    """Return short facts beside each other."""
    return tags.dl(
        {"class": "facts"}, *(tags.div(tags.dt(title), tags.dd(text)) for title, text in pairs)
    )
