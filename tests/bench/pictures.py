"""Cost of a picture after each move of every game at its standard size: `python -m tests.bench.pictures`.

All times are processor time of this thread, and each is the least of ROUNDS. The ratio compares a picture after a move,
its scene and its file included, with encoding a picture that is drawn already. Animations of whole games follow.
"""

import random
import time
from collections.abc import Callable
from functools import partial
from statistics import median

from bot.startup.system import set_up_heap
from render.engine.raster import encode, paint
from render.games import HOSTED_GAMES
from render.picture import draw, scene
from render.replay import animate, positions
from rules.core.match import Match
from rules.games import find
from tests.render.engine.test_raster import forget
from tests.rules.walks import AnyGame, finish

ROUNDS = 3
LONGEST = 149
"""Moves of the longest game that is animated."""
LARGE = (("maze", 8), ("cocomposite", 20), ("alaric", 40))


def spent(work: Callable[[], object]) -> float:
    """Return the milliseconds of processor time that something takes."""
    begin = time.thread_time()
    work()
    return (time.thread_time() - begin) * 1000


def played(game: AnyGame, moves: int = 10_000, **options: int) -> Match:
    """Return a game played at random."""
    return finish(Match.start(game, options, game.seats[0]), random.Random(1), moves)


def measured(match: Match) -> tuple[float, float, float, float, float]:
    """Return milliseconds for the first picture of a match, those after its moves (median and most), the last picture,
    and encoding one of them."""
    seen = [*positions(match)]
    whole = paint(scene(seen[len(seen) // 2]), "paper")
    encoding = min(spent(partial(encode, whole)) for _ in range(ROUNDS))
    rounds = []
    for _ in range(ROUNDS):
        forget()
        rounds.append([spent(partial(draw, one)) for one in seen])
    first, *moves, last = map(min, zip(*rounds, strict=True))
    return first, median(moves), max(moves), last, encoding


def filmed(name: str, match: Match) -> None:
    """Print the positions of a whole game as an animation, its KiB, and seconds to draw it."""
    forget()
    seen = tuple(positions(match))
    sizes: list[int] = []
    seconds = spent(lambda: sizes.append(len(animate(seen)))) / 1000
    print(f"{name:<16}{len(seen):>10}{sizes[0] / 1024:>6.0f}{seconds:>9.2f}")


def main() -> None:
    set_up_heap()
    draw(Match.start(find("alaric"), {}, 2).observe(None))  # imports, fonts
    print(f"{'game':<14}{'first':>8}{'median':>8}{'most':>8}{'last':>8}{'encode':>8}{'ratio':>7}  (ms)")
    for game in HOSTED_GAMES:
        *times, encoding = measured(played(game))
        print(
            f"{game.key:<14}{''.join(f'{one:>8.1f}' for one in (*times, encoding))}{times[1] / encoding:>7.1f}"
        )
    print(f"\n{'animation':<16}{'positions':>10}{'KiB':>6}{'seconds':>9}")
    for game in HOSTED_GAMES:
        filmed(game.key, played(game))
    for key, size in LARGE:
        filmed(f"{key} {size}", played(find(key), LONGEST, size=size))


if __name__ == "__main__":
    main()
