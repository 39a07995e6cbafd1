"""From positions of random games that are proved won or drawn, the strongest level ends no worse than was proved."""

import random
from collections.abc import Mapping

import pytest

from rules.core.game import Seat
from rules.core.match import Match
from rules.games import find
from rules.players.choose import choose, find_player
from rules.players.levels import STRONGEST, Budget
from rules.players.player import SearchPlayer
from tests.rules.walks import step

pytestmark = pytest.mark.slow

SIZES: dict[str, tuple[dict[str, int], ...]] = {
    "skull": ({"width": 6, "height": 5}, {"width": 8, "height": 7}),
    "alaric": ({"size": 9}, {"size": 13}, {"size": 16}),
    "polygons": ({"dots": 3, "size": 16}, {}, {"dots": 5}),
    "spaghetti": ({"size": 5}, {"size": 6}, {}),
    "maze": ({"size": 3}, {}),
    "cocomposite": ({"size": 4}, {"size": 5}, {"size": 6}),
}
SMALLEST = {"maze": {"size": 3}, "spaghetti": {"size": 3}, "cocomposite": {"size": 4}}
"""Sizes of which `solve` finds the result of the whole game within a second."""
OPPONENTS = ("random", "greedy", "beginner", "middle")


def share(match: Match, seat: Seat) -> float:
    winners = match.winners or ()
    return 1 / len(winners) if seat in winners else 0.0


def greedy(match: Match, seat: Seat, chance: random.Random) -> str:
    """Return a move after which the points are best at once; by chance among several."""

    def lead(text: str) -> float:
        after = match.play(seat, text)
        if after.over:
            return 1000 * share(after, seat)
        points = after.scores or (0, 0)
        return points[seat] - points[1 - seat]

    moves = match.legal() or ()
    leads = [lead(text) for text in moves]
    return chance.choice([text for text, found in zip(moves, leads, strict=True) if found == max(leads)])


def reply(match: Match, seat: Seat, opponent: str, chance: random.Random) -> str:
    if opponent == "random":
        return chance.choice(match.legal() or ())
    if opponent == "greedy":
        return greedy(match, seat, chance)
    return choose(match, seat, Budget(level=1 if opponent == "beginner" else 3), chance.randrange(1000)).move


def proved_start(
    key: str, options: Mapping[str, int], positions: int, chance: random.Random
) -> tuple[Match, Seat, float]:
    """Return a position of a random game, the seat on turn, and the share that the game's solver proves for it.

    One of its moves at least gives that share away. Of those that the solver proves by looking at so many positions the
    earliest is taken: there is most left to err in.
    """
    player = find_player(find(key))
    assert isinstance(player, SearchPlayer)
    while True:
        stages = [Match.start(find(key), dict(options), 2)]
        while not stages[-1].over:
            stages.append(step(stages[-1], chance))
        found = None
        for stage in reversed(stages[:-1]):
            solved = player.solved(player.position(stage), positions)
            if solved is None:
                break
            if solved.value > 0 and len(solved.best) < len(stage.legal() or ()):
                found = stage, stage.to_move[0], solved.value
        if found is not None and found[1] is not None:
            return found[0], found[1], found[2]


def play_on(match: Match, seat: Seat, value: float, opponent: str, chance: random.Random) -> None:
    """Play a game to its end and check that `seat` never has less than `value`."""
    while not match.over:
        (mover,) = match.to_move
        assert mover is not None
        if mover == seat:
            choice = choose(match, seat, STRONGEST, 0)
            assert choice.exact
            assert choice.value is not None
            assert choice.value >= value
            value = choice.value
            match = match.play(seat, choice.move)
        else:
            match = match.play(mover, reply(match, mover, opponent, chance))
    assert share(match, seat) >= value


@pytest.mark.parametrize("key", ["skull"])
def test_what_is_proved_is_kept(key: str) -> None:
    chance = random.Random(key)
    for opponent in OPPONENTS[:3]:
        play_on(*proved_start(key, SIZES[key][0], 2000, chance), opponent, chance)


@pytest.mark.parametrize(
    "key", ["spaghetti", *(pytest.param(key, marks=pytest.mark.soak) for key in ("maze", "cocomposite"))]
)
def test_smallest_sizes_are_played_exactly_from_the_start(key: str) -> None:
    game, player = find(key), find_player(find(key))
    match = Match.start(game, SMALLEST[key], 2)
    solution = player.solve(SMALLEST[key], compiled=False)
    for seat in (0, 1):
        value = 0.5 if solution.winner is None else float(solution.winner == seat)
        play_on(match, seat, value, "greedy", random.Random(seat))


@pytest.mark.soak
@pytest.mark.parametrize("opponent", OPPONENTS)
@pytest.mark.parametrize("key", SIZES)
def test_what_is_proved_is_kept_in_many_games(key: str, opponent: str) -> None:
    """100 games for each size and opponent, five from each start."""
    chance = random.Random(f"{key} {opponent}")
    for options in SIZES[key]:
        for _ in range(20):
            start = proved_start(key, options, 30_000, chance)
            for _ in range(5):
                play_on(*start, opponent, chance)
