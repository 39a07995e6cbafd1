"""`python -m render` draws any record, and reports an error in one sentence."""

import json
import subprocess
import sys
from pathlib import Path

import pytest
from PIL import Image

from render.__main__ import main

pytestmark = pytest.mark.slow

RECORD = {"game": "alaric", "options": {"size": 5}, "players": 2, "moves": [[0, "1"], [1, "2"], [0, "3"]]}


class Draw:
    """Runs the program in this process."""

    def __init__(self, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        self._folder, self._monkeypatch = folder, monkeypatch

    def __call__(self, record: object, *arguments: str) -> int:
        path = write(self._folder, record)
        self._monkeypatch.setattr(sys, "argv", ["render", str(path), *arguments])
        return main()


@pytest.fixture
def draw(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Draw:
    return Draw(tmp_path, monkeypatch)


def write(folder: Path, record: object) -> Path:
    path = folder / "record.json"
    path.write_text(record if isinstance(record, str) else json.dumps(record))
    return path


def test_the_program_ends_with_an_error(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "render", str(write(tmp_path, [])), str(tmp_path / "board.png")]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == 2
    assert "holds no record" in done.stderr
    assert len(done.stderr.splitlines()) == 1


@pytest.mark.parametrize(
    ("name", "options", "magic"),
    [
        ("board.png", [], b"\x89PNG"),
        ("board.png", ["--ply", "1", "--seat", "0", "--theme", "slate"], b"\x89PNG"),
        ("board.svg", [], b"<svg"),
        ("game.gif", [], b"GIF89a"),
    ],
)
def test_a_record_is_drawn(
    draw: Draw,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    name: str,
    options: list[str],
    magic: bytes,
) -> None:
    assert draw(RECORD, str(tmp_path / name), *options) == 0
    assert capsys.readouterr() == ("", "")
    assert (tmp_path / name).read_bytes().startswith(magic)


@pytest.mark.soak
def test_sheet_holds_both_themes_and_widths(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    out = tmp_path / "sheet.png"
    monkeypatch.setattr(sys, "argv", ["render", "--sheet", "alaric", str(out)])
    assert main() == 0
    with Image.open(out) as sheet:
        assert sheet.width > 2 * (900 + 400)
        assert sheet.height > 5 * 900


@pytest.mark.parametrize(
    ("record", "arguments", "sentence"),
    [
        ("no json", [], "is no readable JSON file"),
        ([], [], "holds no record"),
        ({"game": "chess"}, [], "`chess` is no game here"),
        ({**RECORD, "moves": [[0, "9"]]}, [], "There is no cell 9"),
        (RECORD, ["--ply", "4"], "--ply must be from 0 to 3"),
        (RECORD, ["--seat", "2"], "--seat must be from 0 to 1"),
        ({**RECORD, "options": {"size": 99}}, [], "size must be from 1 to 40"),
    ],
)
def test_the_reason_is_given_when_nothing_can_be_drawn(
    draw: Draw,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    record: object,
    arguments: list[str],
    sentence: str,
) -> None:
    assert draw(record, str(tmp_path / "board.png"), *arguments) == 2
    error = capsys.readouterr().err
    assert sentence in error
    assert len(error.splitlines()) == 1
    assert not (tmp_path / "board.png").exists()


def test_other_kinds_of_picture_are_rejected(
    draw: Draw, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert draw(RECORD, str(tmp_path / "board.jpg")) == 2
    assert "must end in .png, .svg or .gif" in capsys.readouterr().err
