"""The studio starts only where it may, and says what it needs."""

from __future__ import annotations

import socket
import subprocess
import sys

import pytest

from covey.errors import PlanError
from covey.studio.app import inline_scripts
from covey.studio.run import ledger_folder, run


def test_importing_covey_does_not_import_shiny() -> None:
    code = "import covey, covey.cli.app, sys; print('shiny' in sys.modules)"

    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)

    assert ran.stdout == "False\n"


def test_without_the_extra_the_command_says_what_to_install(desk, monkeypatch) -> None:
    monkeypatch.setitem(sys.modules, "uvicorn", None)
    monkeypatch.delitem(sys.modules, "covey.studio.run", raising=False)

    message = desk.refused("studio", "--no-browser")

    assert "pip install 'covey[studio]'" in message


def test_a_port_that_is_taken_is_refused(tmp_path) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()

        with pytest.raises(PlanError, match="is taken"):
            run(port=taken.getsockname()[1], ledgers=tmp_path, ready=print)


def test_ledgers_are_kept_in_the_folder_of_the_user(monkeypatch, tmp_path) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))

    assert ledger_folder() == tmp_path / "covey" / "ledgers"


def test_only_scripts_without_a_source_or_type_are_inline() -> None:
    html = (
        '<script src="a.js"></script><script type="application/json">1</script><script>x</script>'
    )

    assert inline_scripts(html) == ("sha256-LXEWQrcmsEQBYnyp+6wy9chTD7GQPMTbAiWHF5IaSIE=",)
