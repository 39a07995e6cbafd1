"""Games that favour the first player say so on the challenge and with the rules."""

from typing import Any

import pytest

from bot.app.challenges.terms import FAVOURED, PROVED, first_player_sentence, terms_of
from bot.ui.challenges.wording import challenge_text
from bot.ui.lessons import rules_message
from db.values.matches import MatchOptions
from rules.core.game import Game
from rules.core.match import Match
from rules.games import GAMES, find
from tests.app.conftest import ADA, EMMY, GRACE, HERE, Host
from tests.ui.words import words

SWAP = "Two games with swapped seats are fair."


SMALL = [size for size in PROVED["skull"] if size["width"] * size["height"] <= 30]


def test_the_first_player_wins_what_is_listed_of_the_skull_game() -> None:
    """A plain search over the rules, with the fewest replies first; a board is won by who leaves no move."""
    game: Game[Any, Any] = find("skull")
    known: dict[object, bool]

    def wins(state: Any) -> bool:
        if state not in known:
            after = [game.apply(state, state.mover, move) for move in game.legal(state) or ()]
            after.sort(key=lambda it: len(game.legal(it) or ()))
            known[state] = any(not wins(it) for it in after)
        return known[state]

    for size in SMALL:
        known = {}
        assert wins(Match.start(game, size, 2).state), size


async def test_a_challenge_suggests_two_games_where_the_first_player_wins(host: Host) -> None:
    offers = host.services.challenges
    said = challenge_text(await offers.make(HERE, ADA, terms_of("skull", "", 2, 2), [GRACE]))
    assert f"-# The first player wins with best play at this size. {SWAP}" in said
    said = challenge_text(await offers.make(HERE, ADA, terms_of("polygons", "", 2, 2), [GRACE]))
    assert f"-# Between strong players, the first player nearly always wins. {SWAP}" in said
    fair = await offers.make(HERE, ADA, terms_of("skull", "", 2, 2, options=MatchOptions(games=2)), [GRACE])
    other = await offers.make(HERE, ADA, terms_of("maze", "", 2, 2), [EMMY])
    accepted, _ = await offers.accept(fair.id, GRACE)
    assert not [it for it in (fair, other, accepted) if SWAP in challenge_text(it)]


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.key)
def test_the_rules_name_the_sizes(game: Game[Any, Any]) -> None:
    said = words(rules_message(game))
    assert ("Two games with swapped seats, the option `games` of `/challenge`, are fair." in said) == (
        game.key in {*PROVED, *FAVOURED}
    )
    if game.key == "xlines":
        sizes = "quick (6 rows, columns and x's); standard (8 rows, columns and x's)"
        assert f"With best play the first player wins these sizes: {sizes}." in said
        assert first_player_sentence("xlines", {"size": 9}) is None
