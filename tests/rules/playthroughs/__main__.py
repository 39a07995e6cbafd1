"""Plays every game of the catalogue and writes the playthroughs anew: `python -m tests.rules.playthroughs`."""

from rules.games import GAMES
from tests.rules.playthroughs import path, played, text


def main() -> None:
    for game in GAMES:
        path(game).write_text(text(played(game)), encoding="utf-8")
        print(f"{path(game).name}: {path(game).stat().st_size} bytes")


if __name__ == "__main__":
    main()
