"""The commands print their version and purpose, and refuse unknown arguments."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

from bot import __version__
from bot.startup.command_line import COMMANDS, run_command

CHANGELOG = Path(__file__).parents[2] / "CHANGELOG.md"


def run(monkeypatch: pytest.MonkeyPatch, *arguments: str) -> object:
    """Run a command to its end and return its exit status."""
    monkeypatch.setattr(sys, "argv", ["bot"])
    try:
        return run_command(arguments)
    except SystemExit as end:
        return end.code


@pytest.mark.parametrize("name", COMMANDS)
def test_version_is_that_of_the_changelog(
    name: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert not run(monkeypatch, name, "--version")
    assert capsys.readouterr().out == f"Pencilbox {__version__}\n"
    newest = re.search(r"^## (\d\S+) - \d{4}-\d\d-\d\d$", CHANGELOG.read_text(), re.MULTILINE)
    assert newest
    assert newest.group(1) == __version__
    assert run_command(["--version"]) == 0
    assert capsys.readouterr().out == f"Pencilbox {__version__}\n"


@pytest.mark.parametrize("name", COMMANDS)
def test_unknown_argument_is_refused(
    name: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    tmp_path: Path,
) -> None:
    """A command that ran instead of reading its arguments would use an empty folder."""
    monkeypatch.setenv("PENCILBOX_DATA_DIR", str(tmp_path))
    assert run(monkeypatch, name, "FILE", "--verison") == 2
    refusal = capsys.readouterr().err
    assert re.fullmatch(
        rf"python -m bot {name}: .+; python -m bot {name} --help says what it takes\.\n", refusal
    )
    assert not list(tmp_path.iterdir())


def test_help_lists_all_commands_without_the_bot() -> None:
    listing = "import runpy, sys; sys.argv[1:] = ['--help']; runpy.run_module('bot', run_name='__main__')"
    ended = "import atexit, sys; atexit.register(lambda: print('discord' in sys.modules)); "
    said = subprocess.run([sys.executable, "-c", ended + listing], capture_output=True, text=True, check=True)
    for name in COMMANDS:
        assert re.search(rf"^  {name} +\S", said.stdout, re.MULTILINE)
    assert said.stdout.endswith("False\n")


@pytest.mark.parametrize("name", COMMANDS)
def test_help_of_every_command(
    name: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert not run(monkeypatch, name, "--help")
    assert COMMANDS[name].purpose.partition(";")[0].rstrip(".") in " ".join(capsys.readouterr().out.split())


@pytest.mark.parametrize("arguments", [["--verison"], ["now"], ["--version", "now"], ["--help", "check"]])
def test_unknown_command_is_refused(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert run_command(arguments) == 2
    refusal = f"python -m bot has no command {' '.join(arguments)}; python -m bot --help lists them.\n"
    assert capsys.readouterr().err == refusal
