"""The programs of the bot say their version and what they are for, and refuse arguments that they do not have."""

import re
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from bot import __main__, __version__, health, prove, rerate

CHANGELOG = Path(__file__).parents[1] / "CHANGELOG.md"
PROGRAMS: dict[str, Callable[[], int]] = {
    "bot": __main__.main,
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
