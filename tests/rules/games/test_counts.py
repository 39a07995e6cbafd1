"""The number of ways to play so many moves, by the `counts` of the facts of each game."""

from collections.abc import Mapping

import pytest

from rules.core.match import Match
from rules.games import GAMES
from tests.rules.plain import facts
from tests.rules.walks import SAMPLERS, AnyGame, key


@pytest.mark.parametrize("game", [game for game in GAMES if game.key not in SAMPLERS], ids=key)
def test_numbers_of_games_are_known(game: AnyGame) -> None:
    assert facts(game.key).counts, (
        f"The FACTS of tests/rules/plain/{game.key}.py need counts of the number of games."
    )


@pytest.mark.parametrize(
    ("game", "options", "opening", "counts"),
    [
        pytest.param(game, *case, id=f"{game.key} {index}")
        for game in GAMES
        for index, case in enumerate(facts(game.key).counts)
    ],
)
def test_number_of_games(
    game: AnyGame, options: Mapping[str, int], opening: str, counts: tuple[int, ...]
) -> None:
    """`counts` are the numbers of continuations of an opening by 0, 1, 2 and so on moves."""
    match = Match.start(game, options, 2)
    for text in opening.split():
        match = match.play(match.to_move[0], text)
    states, found = [match.state], [1]
    for _ in counts[1:]:
        states = [
            game.apply(state, game.to_move(state)[0], move)
            for state in states
            for move in game.legal(state) or ()
        ]
        found.append(len(states))
    assert tuple(found) == counts
