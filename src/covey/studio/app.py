"""How do the guard, Shiny, uploads and downloads become one application?"""

from __future__ import annotations

import asyncio
import base64
import hashlib
import re
import secrets
import zipfile
from dataclasses import dataclass, field
from importlib.resources import files
from pathlib import Path

from shiny import App, Inputs, Outputs, Session, reactive
from starlette.applications import Starlette
from starlette.requests import ClientDisconnect, Request
from starlette.responses import FileResponse, PlainTextResponse, Response
from starlette.routing import Mount, Route

from covey.studio.desk import Desk
from covey.studio.found import Run
from covey.studio.page import views
from covey.studio.script import python_script
from covey.studio.state import State, Step
from covey.studio.steps.data import LARGEST

STATIC = Path(str(files("covey.studio"))) / "static"
STYLE = Path(str(files("covey.report"))) / "templates" / "style.css"
ASSETS: dict[str, str | Path] = {
    "/studio.js": STATIC / "studio.js",
    "/studio.css": STATIC / "studio.css",
    "/report.css": STYLE,
}
"""The page has the colours and letters of the reports."""

EVERY = 0.15
"""Seconds between two looks at what the other process says."""


@dataclass(slots=True, kw_only=True)
class Studio:
    """All tabs of one running studio.

    Parameters
    ----------
    folder : Path
        Private, and removed when the studio ends.
    ledgers : Path
        Where ledgers are kept.
    """

    folder: Path
    ledgers: Path
    desks: dict[str, Desk] = field(default_factory=dict)
    shown: set[str] = field(default_factory=set)

    def attach(self, wanted: str) -> str:
        """Return the name of a desk for a tab: its own after a reload, else a new one."""
        name = wanted
        if name not in self.desks or name in self.shown:
            name = secrets.token_urlsafe(16)
            folder = self.folder / name
            folder.mkdir(mode=0o700)
            self.desks[name] = Desk(folder=folder, ledgers=self.ledgers)
        self.shown.add(name)
        return name

    def leave(self, name: str) -> None:
        """Keep a desk whose tab was closed or is being reloaded, but not its idle process."""
        self.shown.discard(name)
        self.desks[name].rest()

    def close(self) -> None:
        """End all work."""
        for desk in self.desks.values():
            desk.close()


def application(studio: Studio) -> tuple[Starlette, tuple[str, ...]]:
    """Return the application behind the guard, and the hashes of its inline scripts."""

    async def upload(request: Request) -> Response:
        return await _upload(studio, request)

    def take(request: Request) -> Response:
        return _take(studio, request)

    def serve(inputs: Inputs, outputs: Outputs, session: Session) -> None:
        del outputs  # the whole page is one picture of the state
        _serve(studio, inputs, session)

    shiny = App(STATIC / "index.html", serve, static_assets=ASSETS)
    whole = Starlette(
        routes=[
            Route("/upload/{tab}/{what}", upload, methods=["POST"]),
            Route("/take/{tab}/{name}", take, methods=["GET"]),
            Mount("/", app=shiny),
        ]
    )
    return whole, inline_scripts(str(shiny.ui["html"]))  # type: ignore[index]


def inline_scripts(html: str) -> tuple[str, ...]:
    """Return the hashes of the scripts that Shiny writes into the page, and no others may run."""
    found = re.findall(r"<script>(.*?)</script>", html, flags=re.DOTALL)
    hashes = (hashlib.sha256(script.encode()).digest() for script in found)
    return tuple(f"sha256-{base64.b64encode(each).decode()}" for each in hashes)


def _serve(studio: Studio, inputs: Inputs, session: Session) -> None:
    """Show one tab's desk in one Shiny session."""
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
            studio.desks[name[0]].act(action)
            # The whole page: parts that came too early were not taken over.
            drawn.state, drawn.parts = None, {}
            await _draw(studio, name[0], session, drawn, action.get("number"))

    async def watch() -> None:
        while True:
            await asyncio.sleep(EVERY)
            if name:
                studio.desks[name[0]].tick()
                await _draw(studio, name[0], session, drawn)

    watching = asyncio.create_task(watch())

    @session.on_ended
    def _() -> None:
        watching.cancel()
        for each in name:
            studio.leave(each)


@dataclass(slots=True, kw_only=True)
class _Drawn:
    """What a tab shows already."""

    state: State | None = None
    parts: dict[str, str] = field(default_factory=dict)


async def _draw(
    studio: Studio,
    tab: str,
    session: Session,
    drawn: _Drawn,
    number: int | None = None,
) -> None:
    """Send the parts of the page that have changed, and the number of the last action."""
    desk = studio.desks[tab]
    if desk.state.step is Step.PUBLISH:
        desk.refresh_ledger()
    if desk.state is drawn.state:
        return
    parts = {
        part: html.replace('="take/', f'="take/{tab}/') for part, html in views(desk.state).items()
    }
    new = {part: html for part, html in parts.items() if drawn.parts.get(part) != html}
    drawn.state = desk.state
    if new:
        drawn.parts.update(new)
        content: dict[str, object] = {"parts": new, "at": str(desk.state.step), "number": number}
        await session.send_custom_message("draw", content)


async def _upload(studio: Studio, request: Request) -> Response:
    desk = studio.desks.get(request.path_params["tab"])
    if desk is None:
        return PlainTextResponse("no such tab", 404)
    path = desk.new_upload(request.query_params.get("name", "data"))
    try:
        complete = await _received(request, path)
    except ClientDisconnect:
        # She stopped it; nobody is there to be told.
        path.unlink()
        return Response()
    if not complete:
        path.unlink()
        desk.too_large(request.path_params["what"])
        return PlainTextResponse("too large", 413)
    if request.path_params["what"] == "taxonomy":
        desk.add_taxonomy(path)
    else:
        desk.open_file(path, request.query_params.get("kind", "table"))
    return PlainTextResponse("ok")


async def _received(request: Request, path: Path) -> bool:
    """Write what comes to a file, piece by piece; return whether it was not too much."""
    size = 0
    with path.open("wb") as file:
        async for chunk in request.stream():
            size += len(chunk)
            if size > LARGEST:
                return False
            file.write(chunk)
    return True


def _take(studio: Studio, request: Request) -> Response:
    desk = studio.desks.get(request.path_params["tab"])
    what, _, rest = request.path_params["name"].partition("-")
    number = rest.partition(".")[0]
    runs = {str(run.number): run for run in desk.state.runs} if desk else {}
    make = {
        "report": _report,
        "curator": _curator,
        "release": _zip,
        "plan": _plan,
        "script": _script,
        "data": _example,
    }
    if number not in runs or what not in make:
        return PlainTextResponse("there is no such file", 404)
    return make[what](runs[number])


def _report(run: Run) -> Response:
    return FileResponse(Path(run.folder) / "report.html")


def _curator(run: Run) -> Response:
    if run.curator is None:
        return PlainTextResponse("not compared", 404)
    return FileResponse(run.curator)


def _plan(run: Run) -> Response:
    return FileResponse(Path(run.folder) / "plan.toml", filename="plan.toml")


def _script(run: Run) -> Response:
    return PlainTextResponse(python_script(run), headers=_attached("publish.py"))


def _example(run: Run) -> Response:
    if not run.source.example:
        return PlainTextResponse("the data stay where they are", 404)
    return FileResponse(run.source.path, filename=run.source.name)


def _zip(run: Run) -> Response:
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


def _attached(name: str) -> dict[str, str]:
    return {"content-disposition": f'attachment; filename="{name}"'}


__all__ = ["Studio", "application"]
