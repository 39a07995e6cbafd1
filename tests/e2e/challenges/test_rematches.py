"""Rematches over the wire: asked for under the last board, accepted by the others, with seats swapped."""

from tests.e2e.club import Club
from tests.e2e.messages import answered, message_with, pinged, text_of, told
from tests.e2e.play import accept, challenge, resigned


async def test_a_rematch_is_accepted_and_seats_are_swapped(club: Club) -> None:
    first = await challenge(club.ada, club.grace, "alaric", "quick")
    last = await resigned(club.ada, first)
    await club.emmy.press(last.message, last.buttons["Rematch"])
    await told(club.emmy, "Only those who played")
    await club.ada.press(last.message, last.buttons["Rematch"])
    offer = await message_with(club.grace, f"for a rematch of #{first.match}")
    assert pinged(offer) == [club.grace.id]
    begins = f"<@{club.by_turn(first)[1].id}> begins this time"
    assert f"**quick (9 cells on the ring) · no clock · rated**\n-# {begins}" in text_of(offer)

    async def recorded() -> bool | None:
        return "[Alaric](http" in text_of(await answered(club.ada, "games")) or None

    await club.ada.until(recorded)
    await club.ada.press(last.message, last.buttons["Rematch"])
    await told(club.ada, "You made this challenge")
    second = await accept(club.grace, offer["id"])
    assert begins == f"<@{second.turn}> begins this time"
    assert {first.turn, second.turn} == {club.ada.id, club.grace.id}
