"""Computer players answer draws and takebacks at once."""

from bot.app.challenges.terms import terms_of
from db.api.challenges import Answer, Order
from db.api.proposals import Matter
from rules.players.levels import Budget
from tests.app.conftest import ADA, GRACE, HERE, Host


async def test_a_takeback_is_granted_in_a_casual_game(host: Host) -> None:
    table = await host.services.computer_games.play(HERE, ADA, "alaric", 1, "quick", Order.FIRST)
    await host.services.matches.play(table.id, ADA, "1")
    await host.services.computer_turns.play(table.id)
    asked = await host.services.proposals.propose(table.id, ADA, Matter.TAKEBACK)
    answered = await host.services.computer_answers.answer(asked)
    assert answered.proposal.answer is Answer.ACCEPTED
    assert answered.said == ("Crayon (computer) agrees.",)
    after = await host.services.matches.table(table.id)
    assert after.match.log == ()
    assert after.waiting_for == (ADA,)


async def test_a_draw_is_taken_by_who_does_not_expect_more(host: Host) -> None:
    """Answers in several positions of a game follow the value that the search gives."""
    answers = set()
    for order in (Order.FIRST, Order.LAST):
        table = await host.services.computer_games.play(HERE, ADA, "skull", 4, "3x3", order)
        await host.services.computer_turns.play(table.id)
        table = await host.services.matches.table(table.id)
        while not table.match.over:
            mover = table.seat_of(ADA)
            assert mover is not None
            choice = await host.search.choose(table.match, mover, Budget(level=4))
            offer = await host.services.proposals.propose(table.id, ADA, Matter.DRAW)
            answered = await host.services.computer_answers.answer(offer)
            agreed = answered.proposal.answer is Answer.ACCEPTED
            assert agreed == (1 - choice.value <= 0.5)
            assert answered.said == (
                "Quill (computer) agrees to a draw."
                if agreed
                else "Quill (computer) declines the draw and plays on.",
            )
            answers.add(agreed)
            if agreed:
                break
            table = await host.services.matches.play(table.id, ADA, (table.match.legal() or ())[-1])
            await host.services.computer_turns.play(table.id)
            table = await host.services.matches.table(table.id)
    assert answers == {True, False}


async def test_members_at_the_table_are_asked_too(host: Host) -> None:
    seats = await host.services.computer_games.seated(ADA, "maze", 1, 1)
    offer = await host.services.challenges.make(
        HERE, ADA, terms_of("maze", "quick", 3, 3, Order.FIRST), (GRACE,), seats
    )
    _, table = await host.services.challenges.accept(offer.id, GRACE)
    assert table is not None
    await host.services.matches.play(table.id, ADA, (table.match.legal() or ())[0])
    asked = await host.services.proposals.propose(table.id, ADA, Matter.TAKEBACK)
    answered = await host.services.computer_answers.answer(asked)
    assert answered.proposal.answer is Answer.OPEN
    assert await host.services.computer_answers.open() == []
    agreed = await host.services.proposals.agree(asked.id, GRACE)
    assert agreed.answer is Answer.ACCEPTED
