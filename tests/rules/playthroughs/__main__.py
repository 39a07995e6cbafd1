"""Play games and write the playthroughs again: `python -m tests.rules.playthroughs [KEY ...]`, without keys all."""

import sys

from rules.games import BY_KEY, find
from tests.rules.playthroughs import path, played, text


def main(*keys: str) -> None:
    for game in map(find, keys or BY_KEY):
        path(game).write_text(text(played(game)), encoding="utf-8")
        print(f"{path(game).name}: {path(game).stat().st_size} bytes")


if __name__ == "__main__":
    main(*sys.argv[1:])
