"""A bot that is asked to stop finishes what it is answering."""

from tests.e2e.club import Club
from tests.e2e.messages import message_with


async def test_an_answer_under_way_is_finished(club: Club) -> None:
    answer = await club.ada.command("help")
    assert answer["message"]["state"] == "thinking"
    assert await club.bot.stop() == 0
    shown = await message_with(club.ada, "Start a game")
    assert (shown["id"], shown["state"]) == (answer["message"]["id"], "sent")
