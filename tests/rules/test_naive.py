"""The naive games that the referee's speed is measured against play by the same rules."""

import random

import pytest

from rules.core.match import Match
from rules.games import GAMES
from tests.bench.naive import naive
from tests.rules.walks import AnyGame, key


@pytest.mark.parametrize("game", GAMES, ids=key)
def test_the_naive_game_has_the_same_moves_and_results(game: AnyGame) -> None:
    chance = random.Random(0)
    for size in ("quick", "quick", "quick", "standard"):
        match = Match.start(game, game.sizes[size], game.seats[0])
        other = naive(game.key, game.check(game.sizes[size], game.seats[0]))
        while moves := other.moves():
            texts = [other.text(move) for move in moves]
            legal = match.legal()
            assert legal is None or sorted(legal) == sorted(texts)
            pick = chance.randrange(len(moves))
            other.play(moves[pick])
            match = match.play(match.to_move[0], texts[pick])
        assert match.winners == tuple(other.winners())
