"""Draw a record: `python -m render RECORD.json OUT.png [--ply N] [--seat S] [--theme slate]`.

RECORD.json holds `{"game", "options", "players", "moves"}` like the files that members save. OUT.png shows a position,
OUT.svg the same in vectors, OUT.gif the whole game. `python -m render --sheet KEY OUT.png` draws all pictures of a game
on one sheet.
"""

import argparse
import json
import sys
from pathlib import Path

from render.engine.svg import font_faces, svg
from render.engine.theme import THEMES
from render.games import HOSTED_GAMES
from render.lessons import game_sheet
from render.picture import draw, scene
from render.replay import animate, match_of, positions
from rules.core.errors import BadSetup, RuleError
from rules.core.match import Match
from rules.core.record import read_moves
from rules.games import find


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m render", description="Draw a recorded game.")
    parser.add_argument(
        "record", type=Path, help="a JSON file with game, options, players and moves; or a KEY"
    )
    parser.add_argument("out", type=Path, help="a .png or .svg for one position, a .gif for the whole game")
    parser.add_argument("--sheet", action="store_true", help="draw all pictures of the game with this KEY")
    parser.add_argument("--ply", type=int, help="how many moves have been made; left out: all")
    parser.add_argument("--seat", type=int, help="the seat of the observer, from 0; left out: a spectator")
    parser.add_argument("--theme", choices=sorted(THEMES), default="paper")
    return parser.parse_args()


def read(path: Path, plies: int | None) -> Match:
    """Return the match in a file, up to `plies` moves (None: all). Raises RuleError, with one sentence."""
    try:
        fields = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise BadSetup(f"{path} is no readable JSON file ({type(error).__name__}).") from None
    if not isinstance(fields, dict) or not isinstance(fields.get("game"), str):
        raise BadSetup(f'{path} holds no record like {{"game": "alaric", "moves": [[0, "1"]]}}.')
    game = find(fields["game"])
    if game not in HOSTED_GAMES:
        raise BadSetup(f"There is no picture of {game.sheet.title} yet.")
    moves = read_moves(fields)
    if plies is not None and not 0 <= plies <= len(moves):
        raise BadSetup(f"The record has {len(moves)} moves, so --ply must be from 0 to {len(moves)}.")
    return match_of(fields, plies)


def main() -> int:
    given = arguments()
    try:
        if given.sheet:
            given.out.write_bytes(game_sheet(find(str(given.record)).key))
            return 0
        played = read(given.record, given.ply)
        if given.seat is not None and given.seat not in range(played.setup.players):
            raise BadSetup(f"--seat must be from 0 to {played.setup.players - 1}.")
        match given.out.suffix:
            case ".png":
                picture = draw(played.observe(given.seat), given.theme)
            case ".svg":
                picture = svg(scene(played.observe(given.seat)), given.theme, font_faces()).encode()
            case ".gif":
                picture = animate(positions(played, given.seat), given.theme)
            case _:
                raise BadSetup(f"{given.out} must end in .png, .svg or .gif.")
        given.out.write_bytes(picture)
    except (RuleError, OSError) as error:
        print(error, file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
