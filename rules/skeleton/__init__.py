"""A small, whole game to begin a new one with: `python -m rules new KEY "Its Title"` writes it into this clone.

The templates are the `.txt` files beside this module. In them `newgame`, `NewGame` and `New Game` stand for the key,
the first part of class names and the title.
"""

import re
from collections.abc import Iterator, Mapping
from keyword import iskeyword
from pathlib import Path
from types import MappingProxyType

from rules.games import BY_KEY

TEMPLATES = Path(__file__).parent

FILES: Mapping[str, str] = MappingProxyType(
    {
        "rules/games/{key}.py": "rules.txt",
        "tests/rules/games/test_{key}_positions.py": "positions_test.txt",
        "tests/rules/games/test_{key}_truths.py": "truths_test.txt",
        "tests/rules/plain/{key}.py": "plain.txt",
        "rules/lessons/{key}.py": "lesson.txt",
        "render/games/{key}.py": "picture.txt",
        "tests/render/games/test_{key}.py": "picture_test.txt",
        "bot/app/achievements/{key}.py": "achievements.txt",
        "tests/app/achievements/games/{key}.jsonl": "achievement_games.txt",
    }
)
"""The files of a game, each with its template."""

NEXT = """
The game is whole: `make play` offers it now. Make it your own, file by file; comments say what belongs where.

1. rules/games/{key}.py: the rules. They should read like the rule sheet.
2. tests/rules/games/test_{key}_positions.py: positions, and one refusal for each rule.
3. tests/rules/plain/{key}.py and test_{key}_truths.py: the rules a second time, as plainly as possible.
4. render/games/{key}.py and tests/render/games/test_{key}.py: the picture, and the same in words.
5. rules/lessons/{key}.py: how it is played, in three to five pictures for challenges and /rules.
6. bot/app/achievements/{key}.py: an achievement or two; for each, in tests/app/achievements/games/{key}.jsonl,
   a game that earns it and one that nearly does.
7. When the rules stand: python -m tests.rules.playthroughs {key}
8. A row in the table of README.md, a record in docs/pictures/records.jsonl for `make pictures`, a line in CHANGELOG.md.

`pytest -k {key}` runs every test of this game, `make quick` most tests, `make test` all of them.
CONTRIBUTING.md says more under "Add a game". Remove the comments that begin with "#:" when you have read them.
"""


class NotWritten(Exception):
    """Nothing was written; the text says why."""


def write(root: Path, key: str, title: str) -> list[Path]:
    """Write the files of a new game into the clone at `root`, and return their paths. Raises NotWritten."""
    texts = dict(_texts(root, key, title))
    for path in texts:
        if path.exists():
            raise NotWritten(f"{path} is there already.")
    for path, text in texts.items():
        path.write_text(text, encoding="utf-8")
    return [*texts]


def _texts(root: Path, key: str, title: str) -> Iterator[tuple[Path, str]]:
    prefix = "".join(word[:1].upper() + word[1:] for word in re.findall("[A-Za-z0-9]+", title))
    if not re.fullmatch("[a-z][a-z0-9]{1,19}", key) or iskeyword(key):
        raise NotWritten("A key is 2 to 20 small letters and digits and begins with a letter, like `dots`.")
    if not re.fullmatch('[A-Za-z][^"\\\\\n]{1,49}', title):
        raise NotWritten("A title begins with a letter and holds no quotation mark, like `Dots and Boxes`.")
    if key in BY_KEY:
        raise NotWritten(f"There is a game {key} already.")
    if not (root / "tests" / "rules").is_dir():
        raise NotWritten(f"{root} is no clone of the repository: it has no folder tests/rules.")
    for path, template in FILES.items():
        text = (TEMPLATES / template).read_text(encoding="utf-8")
        for word, meaning in {"newgame": key, "NewGame": prefix, "New Game": title}.items():
            text = text.replace(word, meaning)
        yield root / path.format(key=key), text
