"""The plain second implementation of each game has the same moves, points and results as its rules."""

import random
from collections.abc import Iterator, Mapping

import pytest

from rules.core.match import Match
from rules.games import GAMES
from tests.rules.plain import plain
from tests.rules.walks import AnyGame, key


@pytest.mark.parametrize("game", GAMES, ids=key)
def test_plain_game_agrees_at_every_ply(game: AnyGame) -> None:
    chance = random.Random(0)
    for options in sizes(game):
        match = Match.start(game, options, game.seats[0])
        other = plain(game.key, game.check(options, game.seats[0]))
        while moves := other.moves():
            texts = [other.text(move) for move in moves]
            legal = match.legal()
            assert legal is None or sorted(legal) == sorted(texts)
            pick = chance.randrange(len(moves))
            other.play(moves[pick])
            match = match.play(match.to_move[0], texts[pick])
            assert other.points is None or list(match.scores or ()) == list(other.points)
        assert match.winners == tuple(other.winners())


def sizes(game: AnyGame) -> Iterator[Mapping[str, int]]:
    """Yield the smallest board and the first named size several times, and the standard size once."""
    smallest = {option.key: option.low for option in game.options if not option.extra}
    for _ in range(8):
        yield smallest
        yield next(iter(game.sizes.values()))
    yield game.sizes["standard"]
