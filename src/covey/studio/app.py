"""How do Shiny, tabs, uploads and downloads become one application?"""

from __future__ import annotations

import asyncio
import base64
import hashlib
import re
import secrets
import shutil
import zipfile
from dataclasses import dataclass, field, replace
from importlib.resources import files
from pathlib import Path

import polars as pl
from shiny import App, Inputs, Outputs, Session, reactive
from starlette.applications import Starlette
from starlette.requests import ClientDisconnect, Request
from starlette.responses import FileResponse, PlainTextResponse, Response
from starlette.routing import Mount, Route

from covey.errors import CoveyError, PlanError
from covey.graph.markup import gml_text, graphml_text
from covey.studio.page import render_page
from covey.studio.results import TabRun
from covey.studio.script import python_script
from covey.studio.settings import make_plan, schema_text
from covey.studio.state import State, Step
from covey.studio.steps.data import LARGEST_UPLOAD
from covey.studio.tab import Tab

STATIC = Path(str(files("covey.studio"))) / "static"
REPORT_STYLE = Path(str(files("covey.report"))) / "templates" / "style.css"
ASSETS: dict[str, str | Path] = {
    "/studio.js": STATIC / "studio.js",
    "/studio.css": STATIC / "studio.css",
    "/report.css": REPORT_STYLE,
}
"""The page has the colours and letters of the reports."""

GRAPH_ENDINGS = (".edges", ".edgelist", ".gml", ".graphml")
"""Files that are opened as graphs unless told otherwise."""

POLL_EVERY = 0.15
"""Seconds between two looks at what the worker process says."""


@dataclass(slots=True, kw_only=True)
class Studio:
    """All tabs of one running studio.

    Parameters
    ----------
    folder : Path
        Private, and removed when the studio ends.
    ledgers : Path
        Where ledgers are kept.
    opening : Path, optional
        What the first tab opens.
    """

    folder: Path
    ledgers: Path
    opening: Path | None = None
    tabs: dict[str, Tab] = field(default_factory=dict)
    shown: set[str] = field(default_factory=set)

    def attach(self, wanted: str) -> str:
        """Return the name of a tab: the same after a reload, else a new one."""
        name = wanted
        if name not in self.tabs or name in self.shown:
            name = secrets.token_urlsafe(16)
            folder = self.folder / name
            folder.mkdir(mode=0o700)
            self.tabs[name] = Tab(folder=folder, ledgers=self.ledgers)
            if self.opening is not None:
                _open_in(self.tabs[name], self.opening)
                self.opening = None
        self.shown.add(name)
        return name

    def detach(self, name: str) -> None:
        """Keep a tab that was closed or is being reloaded, but not its idle process."""
        self.shown.discard(name)
        self.tabs[name].rest()

    def close(self) -> None:
        """End all work."""
        for tab in self.tabs.values():
            tab.close()


def _open_in(tab: Tab, file: Path) -> None:
    """Open a file of this machine, as if it had been uploaded."""
    place = tab.new_upload(file.name)
    shutil.copyfile(file, place)
    tab.state = replace(tab.state, kind="graph" if place.suffix in GRAPH_ENDINGS else "table")
    tab.open_file(place, tab.state.kind)


def make_application(studio: Studio) -> tuple[Starlette, tuple[str, ...]]:
    """Return the application behind the guard, and the hashes of its inline scripts."""

    async def upload(request: Request) -> Response:
        return await _upload(studio, request)

    def download(request: Request) -> Response:
        return _download(studio, request)

    def server(inputs: Inputs, outputs: Outputs, session: Session) -> None:
        del outputs  # the whole page is one picture of the state
        _show_tab(studio, inputs, session)

    shiny = App(STATIC / "index.html", server, static_assets=ASSETS)
    whole = Starlette(
        routes=[
            Route("/upload/{tab}/{what}", upload, methods=["POST"]),
            Route("/take/{tab}/{name}", download, methods=["GET"]),
            Mount("/", app=shiny),
        ]
    )
    return whole, inline_scripts(str(shiny.ui["html"]))  # type: ignore[index]


def inline_scripts(html: str) -> tuple[str, ...]:
    """Return the hashes of the scripts that Shiny writes into the page, and no others may run."""
    scripts = re.findall(r"<script>(.*?)</script>", html, flags=re.DOTALL)
    hashes = (hashlib.sha256(script.encode()).digest() for script in scripts)
    return tuple(f"sha256-{base64.b64encode(each).decode()}" for each in hashes)


def _show_tab(studio: Studio, inputs: Inputs, session: Session) -> None:
    """Show one tab in one Shiny session."""
    drawn = _Drawn()
    name: list[str] = []

    @reactive.effect
    @reactive.event(inputs.tab)
    async def _() -> None:
        name[:] = [studio.attach(str(inputs.tab()))]
        await session.send_custom_message("tab", {"id": name[0]})
        await _draw(studio, name[0], session, drawn)

    @reactive.effect
    @reactive.event(inputs.act)
    async def _() -> None:
        if name:
            action = dict(inputs.act())
            studio.tabs[name[0]].act(action)
            # The whole page: parts that came too early were not taken over.
            drawn.state, drawn.parts = None, {}
            await _draw(studio, name[0], session, drawn, action.get("number"))

    async def watch() -> None:
        while True:
            await asyncio.sleep(POLL_EVERY)
            if name:
                studio.tabs[name[0]].tick()
                await _draw(studio, name[0], session, drawn)

    watching = asyncio.create_task(watch())

    @session.on_ended
    def _() -> None:
        watching.cancel()
        for each in name:
            studio.detach(each)


@dataclass(slots=True, kw_only=True)
class _Drawn:
    """What a tab shows already."""

    state: State | None = None
    parts: dict[str, str] = field(default_factory=dict)


async def _draw(
    studio: Studio,
    name: str,
    session: Session,
    drawn: _Drawn,
    number: int | None = None,
) -> None:
    """Send the parts of the page that have changed, and the number of the last action."""
    tab = studio.tabs[name]
    if tab.state.step is Step.PUBLISH:
        tab.refresh_ledger()
    if tab.state is drawn.state:
        return
    parts = {
        part: html.replace('="take/', f'="take/{name}/')
        for part, html in render_page(tab.state).items()
    }
    new = {part: html for part, html in parts.items() if drawn.parts.get(part) != html}
    drawn.state = tab.state
    if new:
        drawn.parts.update(new)
        content: dict[str, object] = {"parts": new, "at": str(tab.state.step), "number": number}
        await session.send_custom_message("draw", content)


async def _upload(studio: Studio, request: Request) -> Response:
    tab = studio.tabs.get(request.path_params["tab"])
    if tab is None:
        return PlainTextResponse("no such tab", 404)
    path = tab.new_upload(request.query_params.get("name", "data"))
    try:
        complete = await _receive(request, path)
    except ClientDisconnect:
        # She stopped it; nobody is there to be told.
        path.unlink()
        return Response()
    if not complete:
        path.unlink()
        tab.refuse_too_large(request.path_params["what"])
        return PlainTextResponse("too large", 413)
    if request.path_params["what"] == "taxonomy":
        tab.add_taxonomy(path)
    elif request.path_params["what"] == "nodes":
        tab.count_nodes(path)
    elif request.path_params["what"] == "public":
        tab.try_on(path)
    elif request.path_params["what"] == "book":
        tab.add_book(path)
    else:
        tab.open_file(path, request.query_params.get("kind", "table"))
    return PlainTextResponse("ok")


async def _receive(request: Request, path: Path) -> bool:
    """Write what comes to a file, piece by piece; return whether it was not too much."""
    size = 0
    with path.open("wb") as file:
        async for chunk in request.stream():
            size += len(chunk)
            if size > LARGEST_UPLOAD:
                return False
            file.write(chunk)
    return True


def _download(studio: Studio, request: Request) -> Response:
    tab = studio.tabs.get(request.path_params["tab"])
    if tab is not None and request.path_params["name"] in ("schema.toml", "plan.toml"):
        return _decided(tab, request.path_params["name"])
    what, _, rest = request.path_params["name"].partition("-")
    number, _, ending = rest.partition(".")
    runs = {str(run.number): run for run in tab.state.runs} if tab else {}
    make = {
        "report": _report,
        "curator": _curator,
        "release": _zip,
        "plan": _plan,
        "schema": _schema,
        "released": _released,
        "script": _script,
        "data": _example,
    }
    if number not in runs or what not in (*make, "graph"):
        return PlainTextResponse("there is no such file", 404)
    return _graph(runs[number], ending) if what == "graph" else make[what](runs[number])


def _decided(tab: Tab, name: str) -> Response:
    """Give what has been decided so far, published or not."""
    try:
        text = _schema_of(tab) if name == "schema.toml" else make_plan(tab.state).to_toml()
    except CoveyError:
        return PlainTextResponse("there is no such file yet", 404)
    return PlainTextResponse(text, headers=_attachment(name))


def _schema_of(tab: Tab) -> str:
    if tab.state.schema is None:
        raise PlanError("a graph has no columns to describe.")
    return schema_text(tab.state.schema)


def _report(run: TabRun) -> Response:
    return FileResponse(Path(run.folder) / "report.html")


def _curator(run: TabRun) -> Response:
    if run.curator is None:
        return PlainTextResponse("not compared", 404)
    return FileResponse(run.curator)


def _plan(run: TabRun) -> Response:
    return FileResponse(Path(run.folder) / "plan.toml", filename="plan.toml")


def _schema(run: TabRun) -> Response:
    if run.plan.schema is None:
        return PlainTextResponse("a graph has no columns", 404)
    text = schema_text(run.plan.schema)
    return PlainTextResponse(text, headers=_attachment("schema.toml"))


def _released(run: TabRun) -> Response:
    """Give the released data alone."""
    found = sorted(Path(run.folder).glob("data.*"))
    if not found:
        return PlainTextResponse("the rows stand in several files: take the folder", 404)
    return FileResponse(found[0], filename=found[0].name)


def _graph(run: TabRun, ending: str = "graphml") -> Response:
    """Give the regenerated graph as other programs read it."""
    edges = Path(run.folder) / "edges.csv"
    if not edges.exists():
        return PlainTextResponse("there is no new graph", 404)
    rows = pl.read_csv(edges, infer_schema=False).iter_rows()
    text = gml_text(rows) if ending == "gml" else graphml_text(rows)
    return PlainTextResponse(text, headers=_attachment(f"graph.{ending}"))


def _script(run: TabRun) -> Response:
    return PlainTextResponse(python_script(run), headers=_attachment("publish.py"))


def _example(run: TabRun) -> Response:
    if not run.file.example:
        return PlainTextResponse("the data stay where they are", 404)
    return FileResponse(run.file.path, filename=run.file.name)


def _zip(run: TabRun) -> Response:
    folder = Path(run.folder)
    packed = folder.with_suffix(".zip")
    if not packed.exists():
        # Complete or not there: she may click twice.
        making = packed.with_suffix(f".{secrets.token_hex(4)}")
        with zipfile.ZipFile(making, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as archive:
            for path in sorted(folder.rglob("*")):
                archive.write(path, Path("release") / path.relative_to(folder))
        making.replace(packed)
    return FileResponse(packed, filename=f"covey-{run.plan.system}-{run.number}.zip")


def _attachment(name: str) -> dict[str, str]:
    return {"content-disposition": f'attachment; filename="{name}"'}


__all__ = ["Studio", "make_application"]
