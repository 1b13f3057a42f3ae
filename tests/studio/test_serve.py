"""The studio starts only where it may, and says what it needs."""

from __future__ import annotations

import signal
import socket
import subprocess
import sys

import pytest

from covey.engines.shared.scratch import clear_abandoned
from covey.errors import PlanError
from covey.studio.app import inline_scripts
from covey.studio.serve import ledger_folder, serve
from tests.browser.running_studio import start_studio


def test_importing_covey_does_not_import_shiny() -> None:
    code = "import covey, covey.cli.app, sys; print('shiny' in sys.modules)"

    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)

    assert ran.stdout == "False\n"


def test_without_the_extra_the_command_says_what_to_install(terminal, monkeypatch) -> None:
    monkeypatch.setitem(sys.modules, "uvicorn", None)
    monkeypatch.delitem(sys.modules, "covey.studio.serve", raising=False)

    message = terminal.refused("studio", "--no-browser")

    assert "make studio" in message


def test_a_port_that_is_taken_is_refused(tmp_path) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()

        with pytest.raises(PlanError, match="is taken"):
            serve(port=taken.getsockname()[1], ledgers=tmp_path, ready=print)


@pytest.mark.skipif(not hasattr(signal, "SIGHUP"), reason="this system has no such signals")
def test_what_a_killed_studio_left_is_removed_at_the_next_start(tmp_path) -> None:
    killed = start_studio(tmp_path)
    (left,) = killed.temporary.iterdir()
    (left / "upload.csv").write_text("confidential")
    killed.stop(signal.SIGKILL)
    assert left.exists()

    following = start_studio(tmp_path)
    (own,) = following.temporary.iterdir()

    assert own != left
    assert own.stat().st_mode & 0o777 == 0o700
    clear_abandoned(following.temporary)
    assert own.exists(), "a studio that runs keeps its folder"
    # As when the terminal is closed.
    assert following.stop(signal.SIGHUP) == ""
    assert list(following.temporary.iterdir()) == []


def test_ledgers_are_kept_in_the_folder_of_the_user(monkeypatch, tmp_path) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))

    assert ledger_folder() == tmp_path / "covey" / "ledgers"


def test_only_scripts_without_a_source_or_type_are_inline() -> None:
    html = (
        '<script src="a.js"></script><script type="application/json">1</script><script>x</script>'
    )

    assert inline_scripts(html) == ("sha256-LXEWQrcmsEQBYnyp+6wy9chTD7GQPMTbAiWHF5IaSIE=",)
