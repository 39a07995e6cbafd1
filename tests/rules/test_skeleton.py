"""`python -m rules new KEY` writes a game that passes its tests at once."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from rules.skeleton import FILES, NotWritten, write
from tests.rules.pipe import ROOT

LEFT_OUT = shutil.ignore_patterns("__pycache__", "*.png", "node_modules")
COPIED = ("rules", "render", "db", "bot", "tests", "pyproject.toml")
LAWS = (
    "tests/rules/games",
    "tests/rules/laws",
    "tests/rules/test_playthroughs.py",
    "tests/rules/test_lessons.py",
    "tests/rules/test_lesson_steps.py",
    "tests/render/games",
    "tests/render/board/test_every_picture.py",
    "tests/render/test_complete.py",
    "tests/app/achievements/test_earned.py",
)


@pytest.fixture
def clone(tmp_path: Path) -> Path:
    """A copy of the code and the tests, to which a game can be added."""
    for name in COPIED:
        if (ROOT / name).is_dir():
            shutil.copytree(ROOT / name, tmp_path / name, ignore=LEFT_OUT)
        else:
            shutil.copy(ROOT / name, tmp_path / name)
    return tmp_path


def run(clone: Path, *arguments: str) -> str:
    """Run Python in the clone and return its output; it must end with status 0."""
    environment = {name: value for name, value in os.environ.items() if not name.startswith("PYTEST_")}
    done = subprocess.run(
        [sys.executable, *arguments],
        cwd=clone,
        env=environment
        | {"PENCILBOX_TRIALS": "0.02", "HYPOTHESIS_STORAGE_DIRECTORY": str(ROOT / ".hypothesis")},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout[-4000:] + done.stderr[-4000:]
    return done.stdout


def test_a_new_game_passes_its_tests_and_the_laws_at_once(clone: Path) -> None:
    told = run(clone, "-m", "rules", "new", "demo", "A Demo, or Two")
    for path in (*FILES, "tests/rules/playthroughs/{key}.jsonl"):
        assert (clone / path.format(key="demo")).stat().st_size > 0
        assert path.format(key="demo") in told
    written = [path.format(key="demo") for path in FILES if path.endswith(".py")]
    run(clone, "-m", "ruff", "check", "--quiet", *written)
    run(clone, "-m", "ruff", "format", "--quiet", "--check", *written)
    tested = run(clone, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-k", "demo", *LAWS)
    passed = re.search(r"^([0-9]+) passed", tested, re.MULTILINE)
    assert passed is not None
    assert int(passed[1]) > 50


@pytest.mark.parametrize(
    ("key", "title", "why"),
    [
        ("Dots", "Dots", "A key is"),
        ("d", "D", "A key is"),
        ("dots and boxes", "Dots", "A key is"),
        ("class", "Class", "A key is"),
        ("../caves", "Dots", "A key is"),
        ("caves", "12 Dots", "A title begins"),
        ("caves", "", "A title begins"),
        ("caves", 'Dots "and" Boxes', "A title begins"),
        ("alaric", "Alaric", "There is a game alaric already"),
        ("caves", "Dots", "no clone"),
    ],
)
def test_what_is_no_new_game_is_refused(key: str, title: str, why: str, tmp_path: Path) -> None:
    with pytest.raises(NotWritten, match=why):
        write(tmp_path, key, title)
    assert not [*tmp_path.rglob("*")]


def test_nothing_is_written_over(tmp_path: Path) -> None:
    there = tmp_path / "tests" / "rules" / "plain" / "caves.py"
    there.parent.mkdir(parents=True)
    there.write_text("mine")
    with pytest.raises(NotWritten, match="there already"):
        write(tmp_path, "caves", "Caves")
    assert [path for path in tmp_path.rglob("*") if path.is_file()] == [there]
    assert there.read_text() == "mine"
