"""A vote game with secret moves over the wire: volunteers of two servers are drawn, and alone see the cards."""

import asyncio
from pathlib import Path

from rules.core.notation import suits
from tests.contract.checker import Contract
from tests.e2e.events.meeting import begin_votes, meeting, names
from tests.e2e.messages import buttons, message_with, press, text_of, told, until, written
from tests.e2e.panels import Panel, board_in
from tests.e2e.secret_rows import done, lay, look, opener, point


async def test_volunteers_of_two_servers_lay_and_search_in_secret(contract: Contract, tmp_path: Path) -> None:
    async with meeting(contract, tmp_path) as meet:
        ada, grace, lise, emmy = meet.ada, meet.grace, meet.lise, meet.emmy

        async def shown_at() -> list[object]:
            """Return when each board was edited last, once nothing waits to be shown."""
            posts = meet.bot.services.store.posts
            while await posts.pending(meet.clock.now(), 9):
                await asyncio.sleep(0.05)
            boards = [await board_in(it, it.channel, 3) for it in (ada, lise)]
            return [it.message["edited_timestamp"] for it in boards]

        async def volunteer(plies: int) -> tuple[Panel, Panel]:
            """Draw the only volunteer of each server. Return the boards of both."""
            boards = [await board_in(it, it.channel, plies) for it in (ada, lise)]
            for board, player, other in zip(boards, (grace, emmy), (ada, lise), strict=True):
                assert "Who plays this part in secret?" in board.text
                await press(player, board.message, "Volunteer")
                await told(player, "You volunteer.")
                await until(other, board.message, "1 member has volunteered.")
                assert opener(board.buttons) is None
            await meet.vote_over()
            for board, player, other in zip(boards, (grace, emmy), (ada, lise), strict=True):
                shown = await until(other, board.message, "was drawn by lot")
                assert names(shown, grace, emmy) == {player.id}
                await other.press(shown, opener(buttons(shown)) or "")
                await told(other, "A volunteer who is drawn by lot plays the secret moves")
            here, there = [await board_in(it, it.channel, plies) for it in (ada, lise)]
            return here, there

        await begin_votes(ada, lise, "palindromes")
        here, _ = await volunteer(1)
        for player, team in ((grace, "hosts"), (emmy, "guests")):
            (letter,) = await written(player, 1)
            assert f"You were drawn by lot to play in secret for the {team}" in text_of(letter)
            assert f"/{player.channel}/" in text_of(letter)
        row = await lay(grace, here, reds_first=True)
        for player in (ada, lise, emmy):
            assert not [it for it in await player.messages() if suits(row) in text_of(it)]
        await lay(emmy, await board_in(lise, lise.channel, 2), reds_first=False)

        here, there = await volunteer(3)
        first, second = await look(grace, here), await look(emmy, there)
        before = await shown_at()
        await point(grace, first, 12, 12)
        assert await shown_at() == before, "an edit reveals that something was found"
        for player in (ada, lise, emmy):
            assert not [it for it in await player.messages() if "found" in text_of(it)]
        await done(grace, first)
        await done(emmy, second)
        for player, drawn in ((ada, grace), (lise, emmy)):
            last = await message_with(player, "Drawn by lot to play in secret: ")
            assert names(last, grace, emmy) == {drawn.id}
            assert "Nobody played for" not in text_of(last)
