"""Challenges that leave the choice of the game to the opponent."""

from typing import Any

import pytest

from bot.app.challenges.terms import NamedTerms, terms_of, with_game
from bot.app.errors import Refused
from bot.ui.challenges.message import challenge_message
from bot.ui.challenges.wording import challenge_text, game_title
from db.values.challenges import ANY_GAME, Answer, Challenge
from db.values.matches import MatchOptions
from render.games import HOSTED_GAMES
from rules.core.errors import BadSetup
from rules.core.game import Game
from tests.app.conftest import ADA, EMMY, GRACE, HERE, Host


async def made(host: Host, *asked: int, games: int = 1) -> Challenge:
    return await host.services.challenges.make(
        HERE, ADA, terms_of(ANY_GAME, "", 2, 2, options=MatchOptions(games=games)), asked
    )


async def test_accepting_chooses_the_game_on_its_standard_size(host: Host) -> None:
    offer = await made(host, GRACE, games=2)
    with pytest.raises(Refused, match="Choose a game in the menu"):
        await host.services.challenges.accept(offer.id, GRACE)
    with pytest.raises(BadSetup, match="`chess` is no game here"):
        await host.services.challenges.accept(offer.id, GRACE, "chess")
    with pytest.raises(Refused, match="This challenge is for"):
        await host.services.challenges.accept(offer.id, EMMY, "skull")
    closed, loaded = await host.services.challenges.accept(offer.id, GRACE, "skull")
    assert loaded is not None
    assert dict(loaded.stored.setup.options) == {"width": 6, "height": 5}
    assert loaded.stored.games == 2
    assert await host.services.store.challenges.get(offer.id) == closed
    assert (closed.answer, game_title(closed.terms)) == (Answer.ACCEPTED, "The Amazon Skull Game")
    with pytest.raises(Refused, match="accepted already"):
        await host.services.challenges.accept(offer.id, GRACE, "alaric")


async def test_the_first_member_who_chooses_a_game_plays_it(host: Host) -> None:
    offer = await made(host)
    assert "Any game: who wants to play?" in challenge_text(offer)
    with pytest.raises(Refused, match="You made this challenge"):
        await host.services.challenges.accept(offer.id, ADA, "maze")
    loaded = await host.accept(offer.id, EMMY, "maze")
    assert set(loaded.stored.users) == {ADA, EMMY}
    assert loaded.stored.setup.players == 2


@pytest.mark.parametrize("game", HOSTED_GAMES, ids=lambda game: game.key)
def test_a_chosen_game_has_the_options_of_its_standard_size(game: Game[Any, Any]) -> None:
    """Extra options, too: in the standard Palindromic Card Game the third wrong name ends a search."""
    assert with_game(terms_of(ANY_GAME, "", 2, 2), game.key) == terms_of(game.key, "", 2, 2)


async def test_a_chosen_game_is_not_chosen_again(host: Host) -> None:
    offer = await host.services.challenges.make(HERE, ADA, terms_of("alaric", "", 2, 2), [GRACE])
    with pytest.raises(Refused, match="chosen already"):
        await host.services.challenges.accept(offer.id, GRACE, "skull")


async def test_a_withheld_game_is_neither_offered_nor_accepted(host: Host) -> None:
    assert HERE.guild is not None
    offer = await made(host, GRACE)
    await host.services.store.servers.change(HERE.guild, withheld=("skull",))
    view, picture = await challenge_message(offer, "slate", ["skull"])
    menus = [item for item in view.walk_children() if hasattr(item, "item")]
    options = [option.value for menu in menus for option in getattr(menu.item, "options", ())]
    assert "alaric" in options
    assert "skull" not in options
    assert picture is not None
    assert "Skull" not in (picture.description or "")
    with pytest.raises(Refused, match="is not offered in this server"):
        await host.services.challenges.accept(offer.id, GRACE, "skull")
    assert (await host.services.challenges.accept(offer.id, GRACE, "alaric"))[1] is not None


@pytest.mark.parametrize(
    ("named", "seats", "words"),
    [
        (NamedTerms(ANY_GAME, "quick"), 2, "leave the size out"),
        (NamedTerms(ANY_GAME), 3, "open to one opponent"),
    ],
)
def test_an_open_choice_is_for_one_opponent_on_the_standard_size(
    named: NamedTerms, seats: int, words: str
) -> None:
    assert NamedTerms(ANY_GAME, "standard").read(2, 2, None).any_game
    with pytest.raises(Refused, match=words):
        named.read(seats, seats, None)
