"""Step 3, choose: what is the release for, which plan follows, and what is to be expected of it?"""

from __future__ import annotations

import math

from htmltools import Tag, TagChild, TagList, tags

import covey
from covey.choose.pilot import Pilot
from covey.choose.purposes import PURPOSES
from covey.kinds import KINDS
from covey.report.pilot_words import USABLE_PAIR, column_light, expectation, pilot_sentence
from covey.studio.actions import purposes_of
from covey.studio.prefetch import expectation_of, plan_key
from covey.studio.settings import setting_problems, typed_text
from covey.studio.state import State, Step
from covey.studio.steps.verdict import small_table
from covey.studio.verdict import SomeRows
from covey.studio.widgets import (
    back_button,
    badge,
    button,
    button_row,
    checkbox,
    file_field,
    heading,
    message,
    not_yet,
    notice,
    publish_progress,
    select_field,
    text_field,
)
from covey.studio.words import (
    CHOICE_WORDS,
    SETTING_TITLES,
    UNPROVEN,
    epsilon_in_words,
    k_in_words,
)
from covey.systems import Parameter, System

FEW_COLUMNS = 12
"""More columns to tick are folded away."""

CHOSEN_NOW = (
    "A release of these data has been compared with the originals. A plan that is changed from "
    "here on is chosen on them: it is marked so, and its release carries no guarantee. A plan that "
    "was published before can be published again as it was."
)

LARGEST_PUBLIC = 100 * 2**20
"""Bytes of public data that a plan is tried on."""

TWIN_ROWS = 8

NOTHING_EXPECTED = "The plan cannot be run as it is; the message beside says why."

SLIDERS = {"epsilon": (-2.0, 1.0, 0.05), "k": (math.log10(2), 3.0, 0.02)}
"""Ends and step of the sliders, in powers of ten."""

FIRST_SETTINGS = ("epsilon", "k", "unit", "theta")
"""Settings that stand before the others."""


def choose_view(state: State) -> Tag:
    """Return the third step: the purpose, the plan that follows, and what to expect of it."""
    return tags.div(
        heading(
            "What is the release for?",
            "Nothing here looks at your records: plans are tried on made-up ones with the same "
            "columns and of the same number, so that choosing costs no privacy.",
        ),
        notice(CHOSEN_NOW) if state.is_compared else None,
        _purposes(state),
        _settings(state) if state.system else None,
        tags.details(
            tags.summary("Choose a system yourself"),
            _cards(state),
            open="open" if state.system and not state.decisions.purpose else None,
            id="systems",
        ),
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


def _purposes(state: State) -> Tag:
    return tags.div(
        {"class": "cards purposes", "role": "group", "aria-label": "Purposes"},
        *(
            tags.button(
                {
                    "class": "card chosen" if name == state.decisions.purpose else "card",
                    "data-do": "purpose",
                    "data-key": name,
                    "aria-pressed": "true" if name == state.decisions.purpose else "false",
                    "id": f"purpose-{name}",
                },
                tags.span(each.title, {"class": "card-name"}),
                tags.span(each.words, {"class": "card-text"}),
                type="button",
            )
            for name, each in purposes_of(state).items()
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
    caution = KINDS[system.kind].caution
    return tags.button(
        {
            "class": "card chosen" if on else "card",
            "data-do": "choose",
            "data-key": system.name,
            "aria-pressed": "true" if on else "false",
            "id": f"system-{system.name}",
        },
        tags.span({"class": "card-top"}, badge(system.kind)),
        tags.span(system.name, {"class": "card-name"}),
        tags.span(system.summary, {"class": "card-text"}),
        tags.span(caution, {"class": "card-why"}) if caution else None,
        type="button",
    )


def _settings(state: State) -> Tag:
    system = covey.SYSTEMS[state.system]
    problems = setting_problems(state)
    known = {each.name: each for each in system.parameters}
    first = [known[name] for name in FIRST_SETTINGS if name in known]
    rest = [p for p in system.parameters if p.name not in FIRST_SETTINGS and p.name != "columns"]
    purpose = PURPOSES.get(state.decisions.purpose)
    return tags.section(
        {"class": "two settings"},
        tags.div(
            tags.h2(system.name if purpose is None else "The plan for it"),
            tags.p(system.summary if purpose is None else purpose.why, {"class": "hint"}),
            _promise(state, problems),
            *(_setting(state, each, problems) for each in first),
            _columns(state) if _takes_columns(state) else None,
            tags.details(
                tags.summary("More settings"),
                tags.p(f"The plan uses {system.name}. {system.summary}", {"class": "hint"}),
                *(_setting(state, each, problems) for each in rest),
                open="open" if any(f"setting-{p.name}" in problems for p in rest) else None,
            )
            if rest
            else None,
            message(problems.get("plan", "")),
        ),
        _expected(state),
    )


def _takes_columns(state: State) -> bool:
    """Return whether columns can be left out: a list of tables names its own."""
    named = {each.name for each in covey.SYSTEMS[state.system].parameters}
    typed = state.decisions.settings.get("tables", "").strip()
    return "columns" in named or (state.system == "tables" and not typed)


def _setting(state: State, parameter: Parameter, problems: dict[str, str]) -> Tag:
    name = parameter.name
    text = typed_text(state, parameter)
    words = parameter.meaning[:1].upper() + parameter.meaning[1:] + "."
    if parameter.choices or parameter.kind is bool:
        choices = [str(c) for c in parameter.choices] or ["true", "false"]
        default = "" if parameter.default is None else str(parameter.default)
        shown = text or (default.lower() if parameter.kind is bool else default)
        options = [(each, CHOICE_WORDS.get(each, each)) for each in choices]
        if shown not in choices:
            options.insert(0, ("", "automatic"))
        title = SETTING_TITLES.get(name, name)
        field = select_field(title, f"set-{name}", "setting", name, value=shown, options=options)
        return tags.div(field, tags.p(words, {"class": "hint"}))
    plain = isinstance(parameter.default, (int, float, str))
    hint = _meaning(state, name, text) or words
    field = text_field(
        SETTING_TITLES.get(name, name),
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
            if system.data == "table" and unit != "add-remove":
                return epsilon_in_words(float(text))
            graph = "a node and its edges" if unit == "node" else "an edge"
            subject = "a person’s record" if system.data == "table" else graph
            return epsilon_in_words(float(text), f"With or without {subject}")
        if name == "k" and system.data == "table" and int(text) > 0:
            return k_in_words(int(text))
    except ValueError:
        pass
    return ""


def _columns(state: State) -> Tag:
    offered, published = state.offered_columns, state.published_columns
    everything = [] if state.schema is None else [each.name for each in state.schema]
    never = [name for name in everything if name not in offered]
    ticks = tags.fieldset(
        {"class": "columns-list"},
        tags.legend("Columns to publish", {"class": "label"}),
        *(
            checkbox(name, f"column-{i}", "column", str(i), on=name in published)
            for i, name in enumerate(offered)
        ),
    )
    words = f"{len(published)} of {len(everything)} columns are published"
    return tags.div(
        ticks
        if len(offered) <= FEW_COLUMNS
        else tags.details(tags.summary(words), ticks, id="columns"),
        tags.p(_not_published(state, never), {"class": "hint"}) if never else None,
    )


def _not_published(state: State, names: list[str]) -> str:
    """Say which columns this system never publishes, why, and what would change it."""
    schema = state.schema
    assert schema is not None  # noqa: S101 — the names are those of its columns
    identifiers = [name for name in names if schema[name].is_hidden]
    others = [name for name in names if name not in identifiers]
    said = []
    if identifiers:
        said.append(f"Never published, as identifiers: {', '.join(identifiers)}.")
    if others:
        said.append(
            f"{state.system} does not take columns such as these: {', '.join(others)}. They would "
            f"be lost; choose a purpose above, or a system that takes them."
        )
    return " ".join(said)


def _promise(state: State, problems: dict[str, str]) -> TagChild:
    rehearsal = state.rehearsal
    if problems or rehearsal is None:
        return None
    if rehearsal.key != plan_key(state):
        words = tags.p("Finding out what it would promise …", role="status")
        return tags.div({"class": "promise stale"}, words)
    if rehearsal.problem:
        return message(rehearsal.problem, "message-rehearsal")
    return tags.div(
        {"class": "promise", "role": "status"},
        badge(rehearsal.kind),
        tags.p(rehearsal.sentence)
        if not_yet(state) is None
        else tags.div(not_yet(state), _all_words(rehearsal.sentence)),
    )


def _all_words(sentence: str) -> Tag:
    return tags.details(tags.summary("The whole sentence"), tags.p(sentence))


def _expected(state: State) -> Tag:
    """Return the error to expect of each column, in its own unit."""
    known = expectation_of(state)
    title = tags.h2("What to expect")
    if state.rehearsal is not None and state.rehearsal.problem:
        return tags.div({"class": "panel"}, title, tags.p(NOTHING_EXPECTED, {"class": "hint"}))
    if known is None:
        trying = tags.p("Trying the plan on made-up records …", {"class": "hint"}, role="status")
        return tags.div({"class": "panel"}, title, trying, tags.progress(aria_label="Trying"))
    if known.pilot is None:
        return tags.div({"class": "panel"}, title, tags.p(known.problem, {"class": "hint"}))
    pilot = known.pilot
    graph = covey.SYSTEMS[pilot.plan.system].data == "graph"
    tried = f"{pilot.made_up:,} {'nodes' if graph else 'records'} made up from public facts"
    usable = (
        f"A pair of columns is usable if at most {100 * USABLE_PAIR:g} % of the records are in a "
        f"wrong cell of its two-way table. "
    )
    return tags.div(
        {"class": "panel"},
        title,
        tags.p(pilot_sentence(pilot), {"class": "answer", "id": "expected"}, aria_live="polite"),
        _expected_columns(pilot) if pilot.columns else None,
        _twin(pilot) if not graph else None,
        tags.p(
            f"{usable if pilot.pairs else ''}Tried on {tried}; yours may be easier or harder.",
            {"class": "hint"},
        ),
        _on_public_data(state),
    )


def _twin(pilot: Pilot, title: str = "What it will look like") -> TagChild:
    """Show some made-up records and what the plan makes of them."""
    if not pilot.before.width:
        return None
    kind = "Public data" if pilot.public else "Made up"
    parts = ((kind, pilot.before), ("Released from them", pilot.after))
    return tags.details(
        tags.summary(title),
        *(small_table(name, SomeRows.of(frame.head(TWIN_ROWS))) for name, frame in parts),
        id="twin" if not pilot.public else "public-twin",
    )


def _on_public_data(state: State) -> Tag:
    """Try the plan on data that are public anyway, and say what came of it."""
    known = expectation_of(state, state.public_file) if state.public_file else None
    found: TagChild = None
    if state.public_file and known is None:
        found = tags.p("Trying the plan on the public data …", {"class": "hint"}, role="status")
    elif known is not None and known.pilot is None:
        found = message(known.problem, "message-public")
    elif known is not None and known.pilot is not None:
        found = tags.div(
            tags.p(pilot_sentence(known.pilot), {"class": "answer", "id": "expected-public"}),
            _expected_columns(known.pilot) if known.pilot.columns else None,
            _twin(known.pilot, "Public data, and what is made of them"),
        )
    return tags.details(
        tags.summary("Try it on public data"),
        tags.p(
            "A file that is public anyway, with the same columns, such as an earlier release or a "
            "teaching file. Trying costs nothing.",
            {"class": "hint"},
        ),
        file_field(
            "Choose public data",
            "public-file",
            "public",
            accept=".csv,.parquet,.txt",
            most=LARGEST_PUBLIC,
        ),
        found,
        open="open" if state.public_file else None,
        id="public",
    )


def _expected_columns(pilot: Pilot) -> Tag:
    rows = []
    for each in pilot.columns:
        light = column_light(each)
        rows.append(
            tags.tr(
                tags.th(each.name, scope="row"),
                tags.td(expectation(each)),
                tags.td(tags.span(light.word, {"class": f"light {light.colour}"})),
            )
        )
    head = ("Column", "Error", "Distribution")
    return tags.div(
        {"class": "scroll tall", "tabindex": "0", "role": "region", "aria-label": "Each column"},
        tags.table(
            tags.thead(tags.tr(*(tags.th(each, scope="col") for each in head))), tags.tbody(*rows)
        ),
    )
