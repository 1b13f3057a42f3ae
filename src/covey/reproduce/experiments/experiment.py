"""What is an experiment?  Data, lines, a grid of parameters, panels and claims, read from TOML."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from importlib.resources import files
from pathlib import Path
from typing import Any

from covey.errors import PlanError, suggest
from covey.reproduce.experiments.measures import MEASURES
from covey.written import parse_toml, read_written, unknown_key

LINE_KINDS = ("system", "partition", "projection", "expected")
"""What a line can do: publish, replace records by the means of clusters, cut down a graph, or
compute the error that is expected of a system."""

VERDICTS = ("less", "falls", "lowest", "crossing")
"""What a claim can say, each with its own key."""

_TOP = (
    *("paper", "figure", "title", "note", "data", "columns", "taxonomies", "records", "runs"),
    *("measures", "grid", "line", "panel", "claim", "missing"),
)
_LINE = ("name", *LINE_KINDS, "axes", "without", "at", "per_column")
_PANEL = ("x", "y", "by", "lines", "where", "scale", "log2", "label", "range", "along")
_CLAIM = ("text", "where", "measure", "than", "x", "within", "prints", "data", *VERDICTS, "slack")
_LABELS = {
    "epsilon": "ε",
    "tau": "τ",
    "theta": "θ",
    "alpha": "α",  # noqa: RUF001
    "size": "k or τ",
    "bound": "θ or k",
}
QUICK_POINTS = 3
"""Values of an axis that a quick run takes."""

QUICK_RUNS = 2


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """One method of a figure.

    Parameters
    ----------
    name : str
        How the figure calls it.
    kind : str
        One of `LINE_KINDS`.
    does : str
        The name of the system, partitioner or projection.
    fixed : mapping
        Its parameters that do not vary.
    axes : mapping
        Parameters that follow an axis of another name: ``{size = "k"}``.
    without : tuple of str
        Axes that it does not follow although it could.
    at : mapping
        Where on an axis it is drawn, if it has no such parameter: a point of a line.
    per_column : bool
        Whether every column spends the whole epsilon, as some papers do.
    """

    name: str
    kind: str
    does: str
    fixed: Mapping[str, Any] = field(default_factory=dict)
    axes: Mapping[str, str] = field(default_factory=dict)
    without: tuple[str, ...] = ()
    at: Mapping[str, Any] = field(default_factory=dict)
    per_column: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Panel:
    """One picture, or one for each value of the axes in ``by``.

    Parameters
    ----------
    x, y : str
        An axis, and a measure.
    by : tuple of str
        Axes of which each value has a picture of its own; "data" is one of them.
    lines : tuple of str
        What is drawn; all lines unless given.
    where : mapping
        Which values of the other axes are drawn, as in claims.
    scale : "linear" or "log"
        Of the measure.
    log2 : bool
        Whether the logarithm is what is written at the axis.
    along : str
        If given, an axis: drawn is from where on it the first line stays below the second.
    label : str
        The letter of the paper.
    range : tuple of two floats
        The ends of the measure's axis, where the paper's are known.
    """

    x: str
    y: str
    by: tuple[str, ...] = ()
    lines: tuple[str, ...] = ()
    where: Mapping[str, Any] = field(default_factory=dict)
    scale: str = "linear"
    log2: bool = False
    along: str = ""
    label: str = ""
    range: tuple[float, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class PaperClaim:
    """A sentence of the paper, and what would have to be true.

    Parameters
    ----------
    text : str
        The sentence.
    kind : str
        One of `VERDICTS`.
    what : str or mapping
        The line that the claim is about, perhaps at a fixed place of an axis.
    than : str, number, mapping or list of them
        What it is compared with, if anything.
    measure : str
        What is compared; the first measure of the experiment unless given.
    where : mapping
        Axes and the values that the sentence speaks of: a value, a list, or a text like ">=20".
    x : str
        The axis along which it falls, is lowest, or crosses.
    within : float
        How far from what is printed ours may be, as a share.
    slack : float
        By how much, as a share, the one may exceed the other and still count as equal.
    prints : mapping
        What the paper prints, by data set.
    """

    text: str
    kind: str
    what: Any
    than: Any = None
    measure: str = ""
    where: Mapping[str, Any] = field(default_factory=dict)
    x: str = ""
    within: float = 0.1
    slack: float = 0.0
    prints: Mapping[str, float] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class Experiment:
    """An experiment as data.

    Parameters
    ----------
    name : str
        The name of its file.
    paper, figure, title, note : str
        Where it is printed, what it shows, and which conventions were taken.
    data : tuple of str
        Data sets of the paper, replaced by whoever brings her own.
    columns : tuple of str
        Columns; those that the paper used unless given.
    taxonomies : bool
        Whether columns of categories have the taxonomies of the data folder.
    records : tuple of int
        Sizes of random subsets, if the experiment varies them.
    runs : int
        How often a line with noise is repeated.
    measures : tuple of str
        Names in `covey.reproduce.experiments.measures.MEASURES`.
    grid : mapping
        Axes and their values.
    lines, panels, claims : tuples
        What is run, drawn and checked.
    missing : tuple of str
        What the paper's figure has and this one lacks, with the reason.
    """

    name: str
    paper: str
    figure: str
    title: str
    data: tuple[str, ...]
    measures: tuple[str, ...]
    grid: Mapping[str, tuple[Any, ...]]
    lines: tuple[Line, ...]
    panels: tuple[Panel, ...]
    claims: tuple[PaperClaim, ...] = ()
    note: str = ""
    columns: tuple[str, ...] = ()
    taxonomies: bool = False
    records: tuple[int, ...] = ()
    runs: int = 3
    missing: tuple[str, ...] = ()

    @property
    def numbers(self) -> tuple[str, ...]:
        """Return the numbers of the figures that it draws, such as 5.8 and 5.9."""
        return tuple(re.findall(r"\d+(?:\.\d+)?", self.figure)) or (self.figure.lower(),)

    @property
    def anchors(self) -> tuple[str, ...]:
        """Return the names of its place on a page, such as figure-4-5."""
        return tuple(f"figure-{number.replace('.', '-')}" for number in self.numbers)

    def line(self, name: str) -> Line:
        """Return a line by its name."""
        return next(line for line in self.lines if line.name == name)

    def quick(self) -> Experiment:
        """Return the same with few values on each axis and few runs, for a first look."""
        grid = {axis: few(values) for axis, values in self.grid.items()}
        ends = self.records[:1] + self.records[-1:]
        runs, records = min(self.runs, QUICK_RUNS), tuple(dict.fromkeys(ends))
        return replace(self, grid=grid, runs=runs, records=records)


def few(values: Sequence[Any]) -> tuple[Any, ...]:
    """Return the ends of an axis and what lies evenly between them."""
    if len(values) <= QUICK_POINTS:
        return tuple(values)
    places = [round(at * (len(values) - 1) / (QUICK_POINTS - 1)) for at in range(QUICK_POINTS)]
    return tuple(values[place] for place in places)


def axis_label(axis: str) -> str:
    """Return how an axis is written in figures."""
    return _LABELS.get(axis, axis)


def load_experiments(paper: str | None = None, figure: str | None = None) -> list[Experiment]:
    """Read the experiments of one paper, or of all, or those of one figure."""
    folder = files("covey.reproduce.experiments")
    found = [
        read_experiment(file.read_text("utf-8"), file.name.removesuffix(".toml"))
        for file in sorted(folder.iterdir(), key=lambda file: file.name)
        if file.name.endswith(".toml")
    ]
    found = [each for each in found if paper in (None, each.paper)]
    if figure is None:
        return found
    wanted = figure.lower().removeprefix("figure").strip()
    chosen = [each for each in found if wanted in each.numbers]
    if not chosen:
        known = [number for each in found for number in each.numbers]
        raise PlanError(
            f"there is no experiment for figure {wanted!r}, so nothing was run. "
            f"{suggest(wanted, dict.fromkeys(known))}"
        )
    return chosen


def open_experiment(path: Path) -> Experiment:
    """Read an experiment from a file of one's own."""
    try:
        text = read_written(path)
    except (OSError, UnicodeDecodeError) as error:
        raise PlanError(
            f"the experiment {str(path)!r} cannot be read as UTF-8 text. Check the path; "
            f"docs/experiments.md shows what stands in such a file."
        ) from error
    return read_experiment(text, path.stem)


def read_experiment(text: str, name: str) -> Experiment:
    """Read an experiment, or say what is wrong with it."""
    try:
        content = parse_toml(text)
    except tomllib.TOMLDecodeError as error:
        raise PlanError(
            f"the experiment {name!r} is not valid TOML ({error}). Correct that line."
        ) from error
    _check(content, _TOP, "it", name)
    for key in ("title", "measures", "line", "panel"):
        if not content.get(key):
            raise PlanError(
                f"the experiment {name!r} has no {key!r}, so it says too little. Add it."
            )
    lines = tuple(_line(item, name) for item in content["line"])
    experiment = Experiment(
        name=name,
        paper=content.get("paper", ""),
        figure=content.get("figure", name),
        title=content["title"],
        note=" ".join(content.get("note", "").split()),
        data=tuple(content.get("data", ())),
        columns=tuple(content.get("columns", ())),
        taxonomies=content.get("taxonomies", False),
        records=tuple(content.get("records", ())),
        runs=content.get("runs", 3),
        measures=tuple(content["measures"]),
        grid={axis: _values(values, name) for axis, values in content.get("grid", {}).items()},
        lines=lines,
        panels=tuple(_panel(item, name) for item in content["panel"]),
        claims=tuple(_claim(item, name) for item in content.get("claim", ())),
        missing=tuple(content.get("missing", ())),
    )
    _check_names(experiment)
    return experiment


def _line(item: Mapping[str, Any], name: str) -> Line:
    kinds = [kind for kind in LINE_KINDS if kind in item]
    if len(kinds) != 1 or "name" not in item:
        raise PlanError(
            f"a line of the experiment {name!r} needs a name and one of "
            f"{', '.join(LINE_KINDS)}, so it is not known what to run. Correct it."
        )
    return Line(
        name=item["name"],
        kind=kinds[0],
        does=item[kinds[0]],
        fixed={key: value for key, value in item.items() if key not in _LINE},
        axes=item.get("axes", {}),
        without=tuple(item.get("without", ())),
        at=item.get("at", {}),
        per_column=item.get("per_column", False),
    )


def _panel(item: dict[str, Any], name: str) -> Panel:
    _check(item, _PANEL, "a panel", name)
    if not {"x", "y"} <= item.keys():
        raise PlanError(f"a panel of the experiment {name!r} needs an x and a y. Add them.")
    lists: dict[str, Any] = {
        key: tuple(item[key]) for key in ("by", "lines", "range") if key in item
    }
    given = {key: lists.get(key, value) for key, value in item.items()}
    return Panel(**given)


def _claim(item: dict[str, Any], name: str) -> PaperClaim:
    _check(item, _CLAIM, "a claim", name)
    kinds = [kind for kind in VERDICTS if kind in item]
    if len(kinds) != 1 or "text" not in item:
        raise PlanError(
            f"a claim of the experiment {name!r} needs its text and one of "
            f"{', '.join(VERDICTS)}, so it cannot be checked. Correct it."
        )
    rest = {key: value for key, value in item.items() if key not in VERDICTS}
    return PaperClaim(kind=kinds[0], what=item[kinds[0]], **rest)


def _values(values: Any, name: str) -> tuple[Any, ...]:
    if isinstance(values, Mapping):
        if set(values) != {"from", "to", "step"}:
            raise PlanError(
                f"an axis of the experiment {name!r} is neither a list nor from, to and step, so "
                f"it has no values. Correct it."
            )
        return tuple(range(values["from"], values["to"] + 1, values["step"]))
    return tuple(values)


def _check(content: Mapping[str, Any], known: Sequence[str], what: str, name: str) -> None:
    wrong = unknown_key(content, known)
    if wrong is not None:
        raise PlanError(f"the experiment {name!r} cannot be run: {what} {wrong}")


def _check_names(experiment: Experiment) -> None:
    """Refuse names of lines, axes and measures that are not there."""
    lines = [line.name for line in experiment.lines]
    axes = [*experiment.grid, "data", "n", *(axis for line in experiment.lines for axis in line.at)]
    used_lines = [line for panel in experiment.panels for line in panel.lines]
    used_axes = [
        *(axis for panel in experiment.panels for axis in (panel.x, *panel.by, *panel.where)),
        *(panel.along for panel in experiment.panels if panel.along),
        *(axis for claim in experiment.claims for axis in (*claim.where, claim.x) if axis),
    ]
    for claim in experiment.claims:
        sides = [claim.what, *(claim.than if isinstance(claim.than, list) else [claim.than])]
        for side in sides:
            if isinstance(side, str):
                used_lines.append(side)
            elif isinstance(side, Mapping):
                used_lines.append(side["line"])
    measures = [
        *experiment.measures,
        *(panel.y for panel in experiment.panels),
        *(claim.measure for claim in experiment.claims if claim.measure),
    ]
    for kind, used, known in (
        ("line", used_lines, lines),
        ("axis", used_axes, axes),
        ("measure", measures, list(MEASURES)),
    ):
        for each in used:
            if each not in known:
                raise PlanError(
                    f"the experiment {experiment.name!r} speaks of a {kind} {each!r} that is not "
                    f"there, so it was not run. {suggest(each, known)}"
                )
