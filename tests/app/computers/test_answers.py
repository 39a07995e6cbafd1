"""Computer players answer draws and takebacks at once."""

from dataclasses import dataclass

import pytest

from bot.app.challenges.terms import terms_of
from db.values.challenges import Answer, Order
from db.values.proposals import Matter
from rules.core.match import Match
from rules.games import GAMES
from rules.players.choose import choose, levels_of
from rules.players.levels import Budget
from tests.app.conftest import ADA, GRACE, HERE, Host
from tests.rules.walks import texts
from tests.seeds import chance_for

pytestmark = pytest.mark.slow


async def test_a_takeback_is_granted_in_a_casual_game(host: Host) -> None:
    loaded = await host.services.computer_games.play(HERE, ADA, "alaric", 1, "quick", Order.FIRST)
    await host.services.matches.play(loaded.id, ADA, "1")
    await host.services.computer_turns.play(loaded.id)
    asked = await host.services.proposals.propose(loaded.id, ADA, Matter.TAKEBACK)
    answered = await host.services.computer_answers.answer(asked)
    assert answered.proposal.answer is Answer.ACCEPTED
    assert answered.said == ("Crayon (computer) agrees.",)
    after = await host.services.matches.load(loaded.id)
    assert after.match.log == ()
    assert after.waiting_for == (ADA,)


async def test_a_draw_is_taken_by_who_is_proved_not_to_win(host: Host) -> None:
    """Answers in several positions of a game follow the value that the search proves."""
    answers = set()
    for order in (Order.FIRST, Order.LAST):
        loaded = await host.services.computer_games.play(HERE, ADA, "skull", 4, "3x3", order)
        await host.services.computer_turns.play(loaded.id)
        loaded = await host.services.matches.load(loaded.id)
        while not loaded.match.over:
            mover = loaded.seat_of(ADA)
            assert mover is not None
            choice = await host.search.choose(loaded.match, mover, Budget(level=4, with_value=True))
            assert choice.value is not None
            offer = await host.services.proposals.propose(loaded.id, ADA, Matter.DRAW)
            answered = await host.services.computer_answers.answer(offer)
            agreed = answered.proposal.answer is Answer.ACCEPTED
            assert agreed == (choice.exact and 1 - choice.value <= 0.5)
            assert answered.said == (
                "Quill (computer) agrees to a draw."
                if agreed
                else "Quill (computer) declines the draw and plays on.",
            )
            answers.add(agreed)
            if agreed:
                break
            loaded = await host.services.matches.play(loaded.id, ADA, (loaded.match.legal() or ())[-1])
            await host.services.computer_turns.play(loaded.id)
            loaded = await host.services.matches.load(loaded.id)
    assert answers == {True, False}


@dataclass
class Offers:
    """The draw offers of a member who moves at random. `won` are those after which a level wins against itself."""

    made: int = 0
    accepted: int = 0
    won: int = 0
    accepted_and_won: int = 0

    def count(self, *, accepted: bool, won: bool) -> None:
        self.made += 1
        self.accepted += accepted
        self.won += won
        self.accepted_and_won += accepted and won


QUICK = (("skull", 5, 3),)
EVERY = tuple(
    (game.key, level, 1 + levels[-1] - level)
    for game in GAMES
    for levels in [levels_of(game)]
    for level in levels
)


@pytest.mark.parametrize("sample", [QUICK, pytest.param(EVERY, marks=pytest.mark.soak)], ids=["quick", "all"])
async def test_draw_offers_are_declined_in_games_to_be_won(
    host: Host, sample: tuple[tuple[str, int, int], ...]
) -> None:
    """At least 99 of 100 offers are declined, though some are accepted: a sample is games, levels and how many."""
    offers = Offers()
    for game, level, games in sample:
        for number in range(games):
            await offer_draws(host, game, level, number, offers)
    assert offers.accepted > 1
    assert offers.accepted_and_won <= offers.won / 100


async def offer_draws(host: Host, game: str, level: int, number: int, offers: Offers) -> None:
    """Play a rated game at random, and offer up to five draws: at forced moves, and at some other moves."""
    chance = chance_for(f"draw offers {game} {level} {number}")
    order = (Order.FIRST, Order.LAST)[number % 2]
    services, made = host.services, offers.made
    loaded = await services.computer_games.play(HERE, ADA, game, level, "standard", order, rated=True)
    seat = loaded.seat_of(ADA)
    assert seat is not None
    while True:
        await services.computer_turns.play(loaded.id)
        loaded = await services.matches.load(loaded.id)
        if loaded.match.over:
            return
        moves = texts(loaded.match, seat, chance)
        # An offer is possible after a move that the opponent has seen, and not again after one that is hidden.
        may_offer = offers.made < made + 5 and not (loaded.secret and offers.made > made)
        if may_offer and (len(moves) == 1 or chance.random() < 0.5):
            offer = await services.proposals.propose(loaded.id, ADA, Matter.DRAW)
            answer = (await services.computer_answers.answer(offer)).proposal.answer
            assert answer in (Answer.ACCEPTED, Answer.DECLINED)
            end = played_out(loaded.match, level, chance.randrange(1000))
            offers.count(accepted=answer is Answer.ACCEPTED, won=end.winners == (1 - seat,))
            if answer is Answer.ACCEPTED:
                return
        await services.matches.play(loaded.id, ADA, chance.choice(moves))


def played_out(match: Match, level: int, seed: int) -> Match:
    """Return the end of a match if a level plays both sides."""
    while not match.over:
        mover = match.to_move[0]
        assert mover is not None
        match = match.play(mover, choose(match, mover, Budget(level=level), seed).move)
    return match


async def test_members_at_the_table_are_asked_too(host: Host) -> None:
    seats = await host.services.computer_games.seated(ADA, "maze", 1, 1)
    offer = await host.services.challenges.make(
        HERE, ADA, terms_of("maze", "quick", 3, 3, Order.FIRST), (GRACE,), seats
    )
    loaded = await host.accept(offer.id, GRACE)
    await host.services.matches.play(loaded.id, ADA, (loaded.match.legal() or ())[0])
    asked = await host.services.proposals.propose(loaded.id, ADA, Matter.TAKEBACK)
    answered = await host.services.computer_answers.answer(asked)
    assert answered.proposal.answer is Answer.OPEN
    assert await host.store.proposals.unanswered_by_computers(10) == []
    agreed = await host.services.proposals.agree(asked.id, GRACE)
    assert agreed.answer is Answer.ACCEPTED
