"""Cost of a picture after each move of every game at its standard size: `python -m tests.bench.pictures`.

All times are processor time, and each is the least of ROUNDS; the ratios are to encoding the same picture, already
drawn, as a PNG. `before` is the picture drawn as a whole, with nothing kept from the pictures before it. Whole games
follow as animations, and the longest ones.
"""

import random
import time
from collections.abc import Callable
from functools import partial
from statistics import median

from render.engine.raster import paint, png_of
from render.engine.theme import PAPER
from render.engine.tiles import forget_tiles, tiled_png
from render.games import HOSTED_GAMES
from render.picture import scene
from render.replay import animate, positions
from rules.core.match import Match, Observation
from rules.games import find
from tests.rules.walks import AnyGame, finish

ROUNDS = 3
LONGEST = 149
"""Moves of the longest game that is animated."""
LARGE = (("maze", 8), ("cocomposite", 20), ("alaric", 40))


def spent(work: Callable[[], object]) -> float:
    """Return the milliseconds of processor time that something takes."""
    begin = time.process_time()
    work()
    return (time.process_time() - begin) * 1000


def played(game: AnyGame, moves: int = 10_000, **options: int) -> Match:
    """Return a game played at random."""
    return finish(Match.start(game, options, game.seats[0]), random.Random(1), moves)


def running(match: Match) -> list[Observation]:
    """Return what everybody sees from the start of a match on, without its end."""
    return [seen for seen in positions(match) if seen.winners is None]


def measured(match: Match) -> tuple[float, float, float, float]:
    """Return milliseconds to encode a picture, to draw it as a whole, and, for the picture after a move that follows
    those before it, to describe it as a scene and to draw and encode it: the medians over the game."""
    seen = running(match)
    pages = [scene(one) for one in seen]
    whole = paint(pages[len(pages) // 2], PAPER)
    encoding = min(spent(lambda: png_of(whole)) for _ in range(ROUNDS))
    drawing = min(spent(lambda: paint(pages[len(pages) // 2], PAPER)) for _ in range(ROUNDS))
    describing = [min(spent(partial(scene, one)) for _ in range(ROUNDS)) for one in seen[1:]]
    rounds = []
    for _ in range(ROUNDS):
        forget_tiles()
        tiled_png(pages[0], PAPER)
        rounds.append([spent(partial(tiled_png, page, PAPER)) for page in pages[1:]])
    return encoding, drawing, median(describing), median(map(min, zip(*rounds, strict=True)))


def filmed(name: str, match: Match) -> None:
    """Print the positions of a whole game as an animation, its KiB, and seconds to draw it."""
    forget_tiles()
    begin = time.process_time()
    seen = tuple(positions(match))
    size = len(animate(seen)) / 1024
    print(f"{name:<16}{len(seen):>10}{size:>6.0f}{time.process_time() - begin:>9.1f}")


def main() -> None:
    print(
        f"{'game':<14}{'encode ms':>10}{'before':>8}{'scene':>7}{'draw+encode':>12}{'ratio before':>14}{'now':>6}"
    )
    for game in HOSTED_GAMES:
        encoding, drawing, describing, tiled = measured(played(game))
        old, new = (describing + drawing + encoding) / encoding, (describing + tiled) / encoding
        print(
            f"{game.key:<14}{encoding:>10.1f}{drawing:>8.1f}{describing:>7.1f}{tiled:>12.1f}{old:>14.1f}{new:>6.1f}"
        )
    print(f"\n{'animation':<16}{'positions':>10}{'KiB':>6}{'seconds':>9}")
    for game in HOSTED_GAMES:
        filmed(game.key, played(game))
    for key, size in LARGE:
        filmed(f"{key} {size}", played(find(key), LONGEST, size=size))


if __name__ == "__main__":
    main()
