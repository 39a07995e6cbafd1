"""Size and cost of a picture of every drawn game at its standard size: `python -m tests.bench.pictures`.

Drawing and saving is set beside saving alone the same picture, already drawn, within one run. Whole games follow as
animations.
"""

import random
import time
from collections.abc import Callable
from io import BytesIO

from render.engine.raster import paint, png
from render.engine.theme import PAPER
from render.hosted_games import HOSTED_GAMES
from render.picture import scene
from render.replay import animate, positions
from rules.core.match import Match
from tests.rules.walks import AnyGame, finish

ROUNDS = 5


def stages(game: AnyGame) -> dict[str, Match]:
    """A game at its start, in the middle and at its end."""
    start = Match.start(game, {}, game.seats[0])
    over = finish(start, random.Random(1), 10_000)
    middle = Match.replay(game, over.setup, over.log[: len(over.log) // 2])
    return {"start": start, "middle": middle, "end": over}


def best(work: Callable[[], object]) -> float:
    """Milliseconds of the quickest of ROUNDS runs."""
    spent = []
    for _ in range(ROUNDS):
        begin = time.perf_counter()
        work()
        spent.append(time.perf_counter() - begin)
    return min(spent) * 1000


def measured(match: Match) -> tuple[float, float, float]:
    """KiB of the picture, milliseconds to draw and save it, milliseconds to save it alone."""
    seen = match.observe(None)
    drawn = paint(scene(seen), PAPER)
    whole = best(lambda: png(scene(seen), PAPER))
    saving = best(lambda: drawn.save(BytesIO(), "PNG", compress_level=6))
    return len(png(scene(seen), PAPER)) / 1024, whole, saving


def filmed(match: Match) -> tuple[int, float, float]:
    """Positions of the whole game as an animation, its KiB, and seconds to draw it."""
    begin = time.perf_counter()
    seen = tuple(positions(match))
    size = len(animate(seen)) / 1024
    return len(seen), size, time.perf_counter() - begin


def main() -> None:
    print(f"{'game':<14}{'stage':<8}{'KiB':>6}{'draw and save ms':>18}{'save ms':>9}{'ratio':>8}")
    for game in HOSTED_GAMES:
        for stage, match in stages(game).items():
            size, whole, saving = measured(match)
            print(f"{game.key:<14}{stage:<8}{size:>6.0f}{whole:>18.0f}{saving:>9.0f}{whole / saving:>8.1f}")
    print(f"\n{'animation':<14}{'positions':>10}{'KiB':>6}{'seconds':>9}")
    for game in HOSTED_GAMES:
        count, size, spent = filmed(stages(game)["end"])
        print(f"{game.key:<14}{count:>10}{size:>6.0f}{spent:>9.1f}")


if __name__ == "__main__":
    main()
