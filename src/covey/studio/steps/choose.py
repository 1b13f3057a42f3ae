"""Step 3, choose: which system, with which settings, and what error is to be expected?"""

from __future__ import annotations

import math

from htmltools import HTML, Tag, TagChild, TagList, tags

import covey
from covey.choose.expected_error import ERRORS
from covey.kinds import KINDS
from covey.report.plan_charts import forecast_chart
from covey.studio.prefetch import current_epsilon
from covey.studio.settings import setting_problems, typed_text
from covey.studio.state import State, Step
from covey.studio.widgets import (
    back_button,
    badge,
    button,
    button_row,
    checkbox,
    heading,
    message,
    publish_progress,
    select_field,
    text_field,
)
from covey.studio.words import UNPROVEN, epsilon_in_words, k_in_words
from covey.systems import Parameter, System

SLIDERS = {"epsilon": (-2.0, 1.0, 0.05), "k": (math.log10(2), 3.0, 0.02)}
"""Ends and step of the sliders, in powers of ten."""

FIRST_SETTINGS = ("epsilon", "k", "unit", "theta")
"""Settings that stand before the others."""


def choose_view(state: State) -> Tag:
    """Return the third step: cards, settings, and the error to expect."""
    return tags.div(
        heading(
            "How should it be published?",
            "Nothing here looks at your records: systems are tried on made-up ones with the same "
            "columns and of the same number, so that choosing costs no privacy.",
        ),
        _cards(state),
        _settings(state) if state.system else None,
        publish_progress(state),
        button_row(
            back_button(Step.DESCRIBE),
            button(
                "Go on to publish",
                "go",
                Step.PUBLISH,
                look="main",
                disabled="disabled" if not _can_go_on(state) else None,
            ),
        ),
    )


def _can_go_on(state: State) -> bool:
    refused = state.rehearsal is not None and bool(state.rehearsal.problem)
    return bool(state.system) and not setting_problems(state) and not refused


def _cards(state: State) -> TagList:
    kind = state.file.kind if state.file else "table"
    systems = [
        each for each in covey.SYSTEMS.values() if each.data == kind and each.releases == "rows"
    ]
    refusals = state.fit.refusals if state.fit else {}
    order = list(SOUND_ORDER)
    sound = [each for each in systems if not KINDS[each.kind].caution and each.name not in refusals]
    sound.sort(key=lambda each: order.index(each.name) if each.name in order else len(order))
    research = [each for each in systems if KINDS[each.kind].caution]
    unfit = [each for each in systems if not KINDS[each.kind].caution and each.name in refusals]
    chosen_research = any(each.name == state.system for each in research)
    return TagList(
        tags.div(
            {"class": "cards", "role": "group", "aria-label": "Systems"},
            *(_card(state, each) for each in sound),
        ),
        tags.details(
            tags.summary(f"Systems that do not fit these columns ({len(unfit)})"),
            tags.ul(
                *(tags.li(tags.strong(each.name), ": ", refusals[each.name]) for each in unfit)
            ),
        )
        if unfit
        else None,
        tags.details(
            tags.summary(f"Research systems ({len(research)})"),
            tags.p(
                "From the papers, as printed. Their privacy claims do not hold for the original "
                "records; use them to compare, not to publish."
            ),
            tags.div(
                {"class": "cards", "role": "group", "aria-label": "Research systems"},
                *(_card(state, each) for each in research),
            ),
            open="open" if chosen_research else None,
            id="research",
        )
        if research
        else None,
    )


SOUND_ORDER = ("column-model", "private-tree", "rank-blocks", "insensitive", "mdav", "laplace")
"""What is shown first, because it serves most people."""


def _card(state: State, system: System) -> Tag:
    on = state.system == system.name
    advised = state.forecast is not None and state.forecast.system == system.name
    caution = KINDS[system.kind].caution
    return tags.button(
        {
            "class": "card chosen" if on else "card",
            "data-do": "choose",
            "data-key": system.name,
            "aria-pressed": "true" if on else "false",
            "id": f"system-{system.name}",
        },
        tags.span({"class": "card-top"}, badge(system.kind), _advised_chip() if advised else None),
        tags.span(system.name, {"class": "card-name"}),
        tags.span(system.summary, {"class": "card-text"}),
        tags.span(caution, {"class": "card-why"}) if caution else None,
        type="button",
    )


def _advised_chip() -> Tag:
    return tags.span("advised", {"class": "chip good"})


def _settings(state: State) -> Tag:
    system = covey.SYSTEMS[state.system]
    problems = setting_problems(state)
    known = {each.name: each for each in system.parameters}
    first = [known[name] for name in FIRST_SETTINGS if name in known]
    rest = [p for p in system.parameters if p.name not in FIRST_SETTINGS and p.name != "columns"]
    return tags.section(
        {"class": "two settings"},
        tags.div(
            tags.h2(system.name),
            *(_setting(state, each, problems) for each in first),
            _columns(state) if "columns" in known else None,
            tags.details(
                tags.summary("More settings"),
                *(_setting(state, each, problems) for each in rest),
                open="open" if any(f"setting-{p.name}" in problems for p in rest) else None,
            )
            if rest
            else None,
            message(problems.get("plan", "")),
            _promise(state, problems),
        ),
        _forecast(state),
    )


def _setting(state: State, parameter: Parameter, problems: dict[str, str]) -> Tag:
    name = parameter.name
    text = typed_text(state, parameter)
    words = parameter.meaning[:1].upper() + parameter.meaning[1:] + "."
    if parameter.choices or parameter.kind is bool:
        choices = [str(c) for c in parameter.choices] or ["true", "false"]
        default = "" if parameter.default is None else str(parameter.default)
        shown = text or (default.lower() if parameter.kind is bool else default)
        options = [(each, each) for each in choices]
        if shown not in choices:
            options.insert(0, ("", "automatic"))
        field = select_field(name, f"set-{name}", "setting", name, value=shown, options=options)
        return tags.div(field, tags.p(words, {"class": "hint"}))
    plain = isinstance(parameter.default, (int, float, str))
    hint = _meaning(state, name, text) or words
    field = text_field(
        name,
        f"set-{name}",
        "setting",
        name,
        value=text,
        problem=problems.get(f"setting-{name}", ""),
        hint=hint,
        inputmode="decimal" if parameter.kind in (int, float) else None,
        placeholder=str(parameter.default) if plain else "automatic",
    )
    return tags.div({"class": "setting"}, _slider(name, text), field)


def _slider(name: str, text: str) -> TagChild:
    if name not in SLIDERS:
        return None
    low, high, step = SLIDERS[name]
    try:
        place = min(high, max(low, math.log10(float(text))))
    except ValueError:
        place = 0.0 if name == "epsilon" else math.log10(5)
    return tags.input(
        {"data-slide": f"set-{name}", "data-whole": "1" if name == "k" else None},
        type="range",
        id=f"slide-{name}",
        min=f"{low:.4f}",
        max=f"{high:g}",
        step=f"{step:g}",
        value=f"{place:.4f}",
        aria_label=f"{name}, slider",
        aria_valuetext=f"{name} {text}",
    )


def _meaning(state: State, name: str, text: str) -> str:
    """Return what a setting means in words, or nothing if it is not a number."""
    system = covey.SYSTEMS[state.system]
    try:
        if name == "epsilon" and KINDS[system.kind].caution:
            return UNPROVEN
        if name == "epsilon" and float(text) > 0:
            unit = state.decisions.settings.get("unit", "")
            graph = "a node and its edges" if unit == "node" else "an edge"
            subject = "a person’s record" if system.data == "table" else graph
            return epsilon_in_words(float(text), subject)
        if name == "k" and system.data == "table" and int(text) > 0:
            return k_in_words(int(text))
    except ValueError:
        pass
    return ""


def _columns(state: State) -> Tag:
    return tags.fieldset(
        {"class": "columns-list"},
        tags.legend("Columns to publish", {"class": "label"}),
        *(
            checkbox(name, f"column-{i}", "column", str(i), on=name not in state.decisions.left_out)
            for i, name in enumerate(state.offered_columns)
        ),
    )


def _promise(state: State, problems: dict[str, str]) -> TagChild:
    rehearsal = state.rehearsal
    if problems or rehearsal is None:
        return None
    if rehearsal.problem:
        return message(rehearsal.problem, "message-rehearsal")
    return tags.div(
        {"class": "promise", "role": "status"},
        badge(rehearsal.kind),
        tags.p(rehearsal.sentence),
    )


def _forecast(state: State) -> Tag:
    forecast = state.forecast
    title = tags.h2("The error to expect")
    if state.file is not None and state.file.kind == "graph":
        words = (
            "Covey has no made-up graphs that are like yours, so it forecasts nothing. Publish "
            "with a small epsilon first, and compare."
        )
        return tags.div({"class": "panel"}, title, tags.p(words))
    if forecast is None:
        words = (
            state.prefetching[:1].upper() + state.prefetching[1:]
            or "Trying systems on made-up records"
        )
        trying = tags.p(f"{words} …", {"class": "hint"})
        return tags.div({"class": "panel"}, title, trying, tags.progress(aria_label="Trying"))
    if forecast.problem:
        return tags.div({"class": "panel"}, title, tags.p(forecast.problem, {"class": "hint"}))
    epsilon = current_epsilon(state)
    error = forecast.expected_error(epsilon)
    sentence = (
        f"About {100 * error:.2g} % at epsilon {epsilon:g}, with {forecast.system}."
        if error is not None
        else f"Epsilon {epsilon:g} lies outside what was tried; the curve shows the rest."
    )
    others = [f"{label}: {100 * error:.2g} %" for label, _, error in forecast.others]
    differs = state.system != forecast.system
    return tags.div(
        {"class": "panel"},
        title,
        tags.p(sentence, {"class": "answer", "id": "expected"}, aria_live="polite"),
        tags.figure(
            {"class": "figure-wide forecast"},
            HTML(forecast_chart(forecast.curve, round(epsilon, 4), error)),
        ),
        tags.p(f"Error: {ERRORS[forecast.criterion]}.", {"class": "hint"}),
        tags.details(
            tags.summary("Others that were tried"), tags.ul(*(tags.li(each) for each in others))
        )
        if others
        else None,
        *(tags.p(note, {"class": "hint"}) for note in forecast.notes),
        button(f"Take {forecast.system}", "advised", look="second") if differs else None,
    )
