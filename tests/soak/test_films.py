"""Every whole game at its default size fits into an animation that Discord takes, the longest ones too."""

from typing import Any

import pytest

from bot.ui.replay import MOST_POSITIONS
from render.games import HOSTED_GAMES
from render.replay import animate, positions
from rules.core.game import Game
from rules.core.match import Match
from tests.render.test_replay import LARGEST
from tests.rules.walks import finish
from tests.seeds import chance_for

pytestmark = pytest.mark.soak
SAMPLES = 200


def sample(game: Game[Any, Any], seed: int) -> Match:
    return finish(Match.start(game, {}, game.seats[0]), chance_for(seed), 10_000)


@pytest.mark.parametrize("game", HOSTED_GAMES, ids=lambda game: game.key)
def test_the_longest_of_many_games_is_small_enough(game: Game[Any, Any]) -> None:
    """The longest three of them that are animated at all."""
    films = [tuple(positions(sample(game, seed))) for seed in range(SAMPLES)]
    longest = sorted((film for film in films if len(film) <= MOST_POSITIONS), key=len)[-3:]
    for film in longest:
        assert len(animate(film)) < LARGEST
