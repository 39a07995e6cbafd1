"""The programs of the bot say their version and what they are for, and refuse arguments that they do not have."""

import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from bot import __version__, health, prove, rerate
from bot.startup.command_line import COMMANDS, run_command

CHANGELOG = Path(__file__).parents[2] / "CHANGELOG.md"
PROGRAMS: dict[str, Callable[[], int]] = {
    "bot.health": health.main,
    "bot.prove": prove.main,
    "bot.rerate": rerate.main,
}


@pytest.fixture(params=PROGRAMS)
def program(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> str:
    """The name of a program. If it runs instead of reading its arguments, it finds an empty folder."""
    monkeypatch.setenv("PENCILBOX_DATA_DIR", str(tmp_path))
    name: str = request.param
    return name


def run(program: str, monkeypatch: pytest.MonkeyPatch, *arguments: str) -> object:
    """Run a program to its end and return its exit status."""
    monkeypatch.setattr(sys, "argv", [program, *arguments])
    try:
        return PROGRAMS[program]()
    except SystemExit as end:
        return end.code


def test_the_version_is_that_of_the_changelog(
    program: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert not run(program, monkeypatch, "--version")
    assert capsys.readouterr().out == f"Pencilbox {__version__}\n"
    newest = re.search(r"^## (\d\S+) - \d{4}-\d\d-\d\d$", CHANGELOG.read_text(), re.MULTILINE)
    assert newest
    assert newest.group(1) == __version__


def test_help_takes_two_lines(
    program: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert not run(program, monkeypatch, "--help")
    said = capsys.readouterr().out
    assert said.startswith(f"python -m {program}: ")
    assert said.count("\n") == 2


@pytest.mark.parametrize("arguments", [["--verison"], ["now"], ["--version", "now"]])
def test_an_unknown_argument_is_refused_in_one_sentence(
    program: str,
    arguments: list[str],
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    tmp_path: Path,
) -> None:
    assert run(program, monkeypatch, *arguments) == 2
    refusal = f"python -m {program} takes --version, --help or nothing, not {' '.join(arguments)}.\n"
    assert capsys.readouterr().err == refusal
    assert not list(tmp_path.iterdir())


def test_the_bot_lists_its_commands_without_importing_itself() -> None:
    listing = "import runpy, sys; sys.argv[1:] = ['--help']; runpy.run_module('bot', run_name='__main__')"
    ended = "import atexit, sys; atexit.register(lambda: print('discord' in sys.modules)); "
    said = subprocess.run([sys.executable, "-c", ended + listing], capture_output=True, text=True, check=True)
    for name in COMMANDS:
        assert re.search(rf"^  {name} +\S", said.stdout, re.MULTILINE)
    assert said.stdout.endswith("False\n")


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_says_what_it_is_for(
    name: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "argv", ["bot"])
    with pytest.raises(SystemExit) as ended:
        run_command([name, "--help"])
    assert not ended.value.code
    assert COMMANDS[name].purpose.partition(";")[0].rstrip(".") in " ".join(capsys.readouterr().out.split())


def test_the_bot_says_its_version(capsys: pytest.CaptureFixture[str]) -> None:
    assert run_command(["--version"]) == 0
    assert capsys.readouterr().out == f"Pencilbox {__version__}\n"


@pytest.mark.parametrize("arguments", [["--verison"], ["now"], ["--version", "now"], ["--help", "check"]])
def test_an_unknown_command_is_refused_in_one_sentence(
    arguments: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert run_command(arguments) == 2
    refusal = f"python -m bot has no command {' '.join(arguments)}; python -m bot --help lists them.\n"
    assert capsys.readouterr().err == refusal
