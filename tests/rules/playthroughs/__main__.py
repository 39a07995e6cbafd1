"""Play games and write the playthroughs: `python -m tests.rules.playthroughs [--keep] [KEY ...]`, without keys all.

With `--keep` the games stay the same, and only what is observed of them is written again, as after a change of words.
"""

import sys

from rules.core.match import Match
from rules.games import BY_KEY, find
from tests.rules.playthroughs import again, kept, path, played, text


def main(*arguments: str) -> None:
    keys = [it for it in arguments if it != "--keep"]
    for game in map(find, keys or BY_KEY):
        if "--keep" in arguments:
            games = [again(game, lines) for lines in kept(game)]
            matches = [Match.replay(game, start.setup, log) for start, log in games]
        else:
            matches = [*played(game)]
        path(game).write_text(text(matches), encoding="utf-8")
        print(f"{path(game).name}: {path(game).stat().st_size} bytes")


if __name__ == "__main__":
    main(*sys.argv[1:])
