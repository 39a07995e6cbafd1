"""`python -m render` draws any record, and says in one sentence what is wrong with what it was given."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

RECORD = {"game": "alaric", "options": {"size": 5}, "players": 2, "moves": [[0, "1"], [1, "2"], [0, "3"]]}


def draw(folder: Path, record: object, *arguments: str) -> subprocess.CompletedProcess[str]:
    (folder / "record.json").write_text(record if isinstance(record, str) else json.dumps(record))
    command = [sys.executable, "-m", "render", str(folder / "record.json"), *arguments]
    return subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)


@pytest.mark.parametrize(
    ("name", "options", "magic"),
    [
        ("board.png", [], b"\x89PNG"),
        ("board.png", ["--ply", "1", "--seat", "0", "--theme", "slate"], b"\x89PNG"),
        ("game.gif", [], b"GIF89a"),
    ],
)
def test_a_record_is_drawn(tmp_path: Path, name: str, options: list[str], magic: bytes) -> None:
    done = draw(tmp_path, RECORD, str(tmp_path / name), *options)
    assert (done.returncode, done.stderr) == (0, "")
    assert (tmp_path / name).read_bytes().startswith(magic)


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
def test_what_cannot_be_drawn_is_named(
    tmp_path: Path, record: object, arguments: list[str], sentence: str
) -> None:
    done = draw(tmp_path, record, str(tmp_path / "board.png"), *arguments)
    assert done.returncode == 2
    assert sentence in done.stderr
    assert len(done.stderr.splitlines()) == 1
    assert not (tmp_path / "board.png").exists()


def test_other_kinds_of_picture_are_refused(tmp_path: Path) -> None:
    done = draw(tmp_path, RECORD, str(tmp_path / "board.jpg"))
    assert "must end in .png or .gif" in done.stderr
