"""A small, whole game to begin a new one with: `python -m rules new KEY "Its Title"` writes it into this clone.

The templates are the `.txt` files beside this module. In them `newgame`, `NewGame` and `New Game` stand for the key,
the first part of class names and the title, and words like `PIECE` for what KINDS has. A line like `#[cell step]`
begins a part for these kinds of moves alone, up to the next `#[...]`.
"""

import re
import subprocess
import sys
from collections.abc import Iterable, Iterator, Mapping
from keyword import iskeyword
from pathlib import Path
from types import MappingProxyType

from rules.games import BY_KEY

TEMPLATES = Path(__file__).parent

FILES: Mapping[str, str] = MappingProxyType(
    {
        "rules/games/{key}.py": "rules.txt",
        "tests/rules/games/test_{key}_positions.py": "positions_test.txt",
        "tests/rules/plain/{key}.py": "plain.txt",
        "rules/lessons/{key}.py": "lesson.txt",
        "render/games/{key}.py": "picture.txt",
        "tests/render/games/test_{key}.py": "picture_test.txt",
        "bot/app/achievements/{key}.py": "achievements.txt",
        "tests/app/achievements/games/{key}.jsonl": "achievement_games.txt",
    }
)
"""The files of a game, each with its template."""

_CELL = {"MOVE": "Cell", "PLACE": "cell", "PIECE": "stone", "RULE": "Place a stone on an empty cell."}
KINDS: Mapping[str, Mapping[str, str]] = MappingProxyType(
    {
        "cell": {
            **_CELL,
            "WHY_NOT": "A stone may not lie beside the one placed last.",
            "LENGTHS": '{"quick": 10, "standard": 14, "long": 20}',
            "FIRST": "a1",
            "SECOND": "c3",
            "REFUSED": "a2",
            "BROKEN": "beside",
            "END": "a1, b2",
            "BEFORE_END": "a1",
            "LAST": "b2",
            "IN_PLAY": "a1, c1, e1, a3",
            "GAIN": "a1, c3",
            "POINT": "c1",
            "WON": "a1, c1",
            "WINNING": "b2",
            "LOSING": "a2",
            "SMALL_BOARD": '{"size": 3}',
            "COUNTS": '({"size": 2}, "", (1, 4, 4, 0))',
        },
        "step": {
            **_CELL,
            "WHY_NOT": "A stone lies beside the one placed last.",
            "LENGTHS": '{"quick": 12, "standard": 18, "long": 25}',
            "FIRST": "a1",
            "SECOND": "b1",
            "REFUSED": "c3",
            "BROKEN": "apart",
            "END": "a1, b1, b2, a2",
            "BEFORE_END": "a1, b1, b2",
            "LAST": "a2",
            "IN_PLAY": "a1, a2, b2, c2",
            "GAIN": "a1",
            "POINT": "b1",
            "WON": "a1, b1",
            "WINNING": "c1",
            "LOSING": "b2",
            "SMALL_BOARD": '{"size": 3}',
            "COUNTS": '({"size": 2}, "", (1, 4, 8, 8, 8, 0))',
        },
        "line": {
            "MOVE": "Line",
            "PLACE": "line",
            "PIECE": "line",
            "RULE": "Draw a line between two dots.",
            "WHY_NOT": "A line may not touch the one drawn last.",
            "LENGTHS": '{"small": 9, "standard": 18}',
            "FIRST": "a1-b1",
            "SECOND": "a3-b3",
            "REFUSED": "b1-b2",
            "BROKEN": "touching",
            "END": "a1-b1, a2-b2",
            "BEFORE_END": "a1-b1",
            "LAST": "a2-b2",
            "IN_PLAY": "a1-b1, a2-b2, a3-b3, a4-b4",
            "GAIN": "a1-b1, a2-b2",
            "POINT": "b1-c1",
            "WON": "a2-b2, b1-c1, b2-c2, b3-c3, a1-b1",
            "WINNING": "b2-b3",
            "LOSING": "a3-b3",
            "SMALL_BOARD": '{"size": 2}',
            "COUNTS": '({"size": 2}, "", (1, 4, 4, 0))',
        },
        "number": {
            "MOVE": "Numbers",
            "PLACE": "cell",
            "PIECE": "stone",
            "RULE": "Place a stone on an empty cell, or on two beside each other.",
            "WHY_NOT": "Two stones of one move lie beside each other.",
            "LENGTHS": '{"small": 5, "standard": 6, "long": 7}',
            "FIRST": "2",
            "SECOND": "1",
            "REFUSED": "1-3",
            "BROKEN": "apart",
            "END": "1, 2",
            "BEFORE_END": "1",
            "LAST": "2",
            "IN_PLAY": "2, 6-7, 4, 9",
            "GAIN": "1",
            "POINT": "2",
            "WON": "3",
            "WINNING": "1-2",
            "LOSING": "1",
            "SMALL_BOARD": '{"size": 4}',
            "COUNTS": '({"size": 3}, "", (1, 5, 10, 6, 0))',
        },
    }
)
"""The values of the words in the templates, for each kind of move."""

NEXT = """
The game is whole: `make play` offers it now. Make it your own; "Add a game" in CONTRIBUTING.md says how.
`pytest -k {key}` runs every test of this game. Remove the comments that begin with "#:" when you have read them.
"""


class NotWritten(Exception):
    """Nothing was written; the text says why."""


def write(root: Path, key: str, title: str, kind: str = "cell") -> list[Path]:
    """Write the files of a new game into the clone at `root`, and return their paths. Raises NotWritten."""
    texts = dict(_texts(root, key, title, kind))
    for path in texts:
        if path.exists():
            raise NotWritten(f"{path} is there already.")
    for path, text in texts.items():
        path.write_text(text, encoding="utf-8")
    return [*texts]


def tidy(modules: Iterable[Path]) -> None:
    """Sort the imports of new modules, remove those that their kind of move does not need, and format them."""
    paths = list(map(str, modules))
    for words in (("check", "--fix", "--select", "I,F401"), ("format",)):
        command = [sys.executable, "-m", "ruff", *words, "--quiet", *paths]
        subprocess.run(command, check=True)  # noqa: S603 - ruff


def _texts(root: Path, key: str, title: str, kind: str) -> Iterator[tuple[Path, str]]:
    prefix = "".join(word[:1].upper() + word[1:] for word in re.findall("[A-Za-z0-9]+", title))
    if not re.fullmatch("[a-z][a-z0-9]{1,19}", key) or iskeyword(key):
        raise NotWritten("A key is 2 to 20 small letters and digits and begins with a letter, like `dots`.")
    if not re.fullmatch('[A-Za-z][^"\\\\\n]{1,49}', title):
        raise NotWritten("A title begins with a letter and holds no quotation mark, like `Dots and Boxes`.")
    if key in BY_KEY:
        raise NotWritten(f"There is a game {key} already.")
    if not (root / "tests" / "rules").is_dir():
        raise NotWritten(f"{root} is no clone of the repository: it has no folder tests/rules.")
    words = KINDS[kind]
    pattern = re.compile(rf"(?<![A-Z_])({'|'.join(words)})(?![A-Z_])")
    for path, template in FILES.items():
        text = "".join(_of_kind((TEMPLATES / template).read_text(encoding="utf-8"), kind))
        text = pattern.sub(lambda found: words[found[0]], text)
        for word, meaning in {"newgame": key, "NewGame": prefix, "New Game": title}.items():
            text = text.replace(word, meaning)
        yield root / path.format(key=key), text


def _of_kind(template: str, kind: str) -> Iterator[str]:
    """Yield the lines of a template that are for this kind of move."""
    kept = True
    for line in template.splitlines(keepends=True):
        part = re.fullmatch(r"#\[(.*)\]\n", line)
        if part:
            kept = not part[1] or kind in part[1].split()
        elif kept:
            yield line
