"""`python -m rules new KEY` writes a game that passes its tests at once."""

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

import pytest

from rules.skeleton import FILES, KINDS, NotWritten, tidy, write
from tests.rules.pipe import ROOT

LEFT_OUT = shutil.ignore_patterns("*.pyc.*", "node_modules")
"""Compiled modules are copied, too, since they cost most of the time; but none that is being written."""
COPIED = ("rules", "render", "db", "bot", "tests", "docs/pictures", "README.md", "pyproject.toml")
SAMPLE = (
    "tests/rules/games/test_demo_positions.py",
    "tests/rules/laws/test_plain.py",
    "tests/render/games/test_demo.py",
)


@pytest.fixture
def clone(tmp_path: Path) -> Path:
    """Return a copy of the code and the tests, to which a game can be added."""
    for name in COPIED:
        if (ROOT / name).is_dir():
            shutil.copytree(ROOT / name, tmp_path / name, ignore=LEFT_OUT)
        else:
            shutil.copy2(ROOT / name, tmp_path / name)
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


def passed(clone: Path, *arguments: str) -> int:
    """Return the number of tests that pass; none may fail."""
    tested = run(clone, "-m", "pytest", "-q", "-p", "no:cacheprovider", *arguments)
    found = re.search(r"^([0-9]+) passed", tested, re.MULTILINE)
    assert found is not None
    return int(found[1])


@pytest.mark.slow
def test_new_game_passes_a_sample_of_its_tests(clone: Path) -> None:
    told = run(clone, "-m", "rules", "new", "demo", "A Demo, or Two")
    for path in (*FILES, "tests/rules/playthroughs/{key}.jsonl"):
        assert (clone / path.format(key="demo")).stat().st_size > 0
        assert path.format(key="demo") in told
    # These tests need no fixtures, and what the conftests import takes longer than the tests.
    assert passed(clone, "--noconftest", "-k", "demo", *SAMPLE) > 10


def modules_of_every_kind(clone: Path) -> Sequence[str]:
    """Write a game of every kind of move into the clone. Return the paths of its modules in the clone."""
    written = [path for kind in KINDS for path in write(clone, f"demo{kind}", f"Demo {kind}", kind)]
    modules = [path for path in written if path.suffix == ".py"]
    tidy(modules)
    return [str(path.relative_to(clone)) for path in modules]


TOUCHED = """
import random

from bot.activity.boards import _entry
from render.picture import scene
from rules.core.match import Match
from rules.games import find
from rules.skeleton import KINDS

for kind in KINDS:
    game = find("demo" + kind)
    match, chance, entered = Match.start(game, {}, game.seats[0]), random.Random(1), 0
    while not match.over:
        seen = match.observe(match.to_move[0])
        prompt = seen.prompt
        entry = _entry(seen, scene(seen), prompt)
        assert entry["kind"] == "places", (kind, entry)
        assert [it["move"] for it in entry["places"]] == list(prompt.choices), (kind, entry)
        entered += len(prompt.choices)
        match = match.play(match.to_move[0], chance.choice(prompt.choices))
    assert entered > 0
"""
"""Every legal move of a new game of each kind has a place on its board that the page of the Activity lets touch."""


@pytest.mark.soak
def test_new_games_of_every_kind_are_touched_in_the_page(clone: Path) -> None:
    modules_of_every_kind(clone)
    run(clone, "-c", TOUCHED)


@pytest.mark.slow
def test_new_games_of_every_kind_are_imported_and_have_no_lint(clone: Path) -> None:
    modules = modules_of_every_kind(clone)
    names = [module.removesuffix(".py").replace("/", ".") for module in modules]
    run(clone, "-c", "\n".join(f"import {name}" for name in names))
    run(clone, "-m", "ruff", "check", "--quiet", *modules)
    run(clone, "-m", "ruff", "format", "--quiet", "--check", *modules)


@pytest.mark.soak
def test_new_games_of_every_kind_have_no_type_errors(clone: Path) -> None:
    """The types of all else are in the cache of the last run of mypy, unless there was none."""
    modules = modules_of_every_kind(clone)
    if (ROOT / ".mypy_cache").exists():
        with suppress(shutil.Error):  # another mypy may write to the cache
            shutil.copytree(ROOT / ".mypy_cache", clone / ".mypy_cache")
    run(clone, "-m", "mypy", *modules)


@pytest.mark.soak
@pytest.mark.parametrize("kind", KINDS)
def test_new_game_passes_every_test_that_concerns_it(clone: Path, kind: str) -> None:
    run(clone, "-m", "rules", "new", "demo", "A Demo, or Two", "--moves", kind)
    run(clone, "-m", "ruff", "check", "--quiet")
    run(clone, "-m", "ruff", "format", "--quiet", "--check")
    run(clone, "-m", "mypy", "rules", "render", "bot/app/achievements", "tests/rules", "tests/render/games")
    assert passed(clone, "-k", "demo") > 100


@pytest.mark.soak
def test_new_game_breaks_no_test_of_rules_and_pictures(clone: Path) -> None:
    run(clone, "-m", "rules", "new", "demo", "A Demo, or Two", "--moves", "cell")
    passed(
        clone,
        "tests/rules",
        "tests/render",
        "tests/ui/components/test_emoji.py",
        "--ignore=tests/rules/test_skeleton.py",
    )


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
