"""The plain second implementation of each game has the same moves, points and results as its rules."""

import random
from collections.abc import Iterator, Mapping

import pytest

from rules.core.match import Match
from rules.games import GAMES, find
from tests.rules.plain import plain
from tests.rules.walks import AnyGame, key

MAZES = {
    "two rules that number 15 and 16 differently": (4, "d5-d2 a5-c3 d1-c4 d1-b3 d1-b2"),
    "grid lines covered": (4, "a2-d2 e3-b3 a4-d4"),
    "all from one corner": (4, "a1-b4 a1-c4 a1-d4 a1-d3 a1-d2 a1-b3 a1-c2 c4-c3 a1-b2"),
    "slivers": (
        5,
        "a1-e2 a1-e3 a1-e4 a1-e5 a1-d5 a1-c5 a1-b5 a1-d2 a1-b2 a1-c2 a1-d3 a1-c3 a1-b3 a1-b4 a1-c4 a1-d4",
    ),
    "steep and flat": (3, "a1-b4 a1-c3 a1-c2 a1-b2 b4-b3"),
}
"""Openings of mazes with unusual sections; a wall is left out if an earlier one took its vertex."""


@pytest.mark.parametrize("game", GAMES, ids=key)
def test_plain_game_agrees_at_every_ply(game: AnyGame) -> None:
    chance = random.Random(0)
    for options in sizes(game):
        compare(game, options, "", chance)


@pytest.mark.parametrize(("size", "opening"), MAZES.values(), ids=MAZES)
def test_plain_maze_agrees_on_unusual_sections(size: int, opening: str) -> None:
    compare(find("maze"), {"size": size}, opening, random.Random(0))


def compare(game: AnyGame, options: Mapping[str, int], opening: str, chance: random.Random) -> None:
    """Play a game to its end with both implementations: the legal moves of an opening, and then random moves."""
    match = Match.start(game, options, game.seats[0])
    other = plain(game.key, game.check(options, game.seats[0]))
    planned = opening.split()
    while moves := other.moves():
        texts = [other.text(move) for move in moves]
        legal = match.legal()
        assert legal is None or sorted(legal) == sorted(texts)
        pick = chance.randrange(len(moves))
        if planned:
            text = planned.pop(0)
            if text not in texts:
                continue
            pick = texts.index(text)
        other.play(moves[pick])
        match = match.play(match.to_move[0], texts[pick])
        assert other.points is None or list(match.scores or ()) == list(other.points)
    assert match.winners == tuple(other.winners())


def sizes(game: AnyGame) -> Iterator[Mapping[str, int]]:
    """Yield the smallest board and the first named size several times, and the standard size once."""
    smallest = {option.key: option.low for option in game.options if not option.extra}
    for _ in range(4):
        yield smallest
        yield next(iter(game.sizes.values()))
    yield game.sizes["standard"]
