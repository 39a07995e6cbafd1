"""A match between two servers over the wire: both line-ups, boards in both servers, a hidden hand, and a departure."""

import json
from datetime import timedelta
from pathlib import Path

from db.values.events import EventState
from rules.core.notation import suits
from tests.contract.checker import Contract
from tests.e2e import secret_rows
from tests.e2e.events.meeting import begin_match, join_match, meeting, names
from tests.e2e.messages import (
    answered,
    buttons,
    message_with,
    pinged,
    text_of,
    usable_labels,
    written,
)
from tests.e2e.panels import Panel, newer_panel, opened_part, panel_at
from tests.e2e.play import by_more, more
from tests.e2e.replay.test_history import leading_to

GONE = "I am no longer in your server"


async def test_two_servers_play_a_match_to_its_end(contract: Contract, tmp_path: Path) -> None:
    """Every board is in both servers and takes moves in both; the table follows in both, and so does the result."""
    async with meeting(contract, tmp_path) as it:
        await begin_match(it.ada, it.lise, "skull", boards=2)
        await join_match(it.ada, it.lise, it.grace)
        for person in (it.ada, it.lise):
            card = await message_with(person, "Local server, 2 of 2:** ")
            assert (f"<@{it.grace.id}>" if person is it.ada else it.grace.name) in text_of(card)
            assert usable_labels(card) >= {"Join", "Leave", "Manage…"}
        await join_match(it.emmy)
        for person, theirs in ((it.ada, (it.ada, it.grace)), (it.lise, (it.lise, it.emmy))):
            table = await message_with(person, "0 of 2 games are over")
            assert {*pinged(table)} == {other.id for other in theirs}
        event = await it.event()
        assert [(one.group, one.first, one.second) for one in event.pairings] == [(0, 0, 1), (1, 3, 2)]

        first, second = (one.match for one in event.pairings)
        here, there = await panel_at(it.ada, first, 0), await panel_at(it.lise, first, 0)
        assert here.turn == it.ada.id
        assert f"**{it.ada.name} " in there.text
        for board, stranger in ((here, it.lise), (there, it.ada)):
            assert f"<@{stranger.id}>" not in board.text
        assert it.ada.id in pinged(here.message)
        assert it.ada.id not in pinged(there.message)
        guest = await panel_at(it.emmy, second, 0)
        assert it.emmy.id in pinged(guest.message)
        listed = await leading_to(it.emmy, guest.message)
        assert f"against {it.grace.name}" in listed
        assert f"<@{it.grace.id}>" not in listed
        assert f"/{table['channel_id']}/{table['id']})" in text_of(await more(it.emmy, guest))
        await it.emmy.command("board", None)
        guest = await newer_panel(it.emmy, guest)
        part = next(iter(guest.parts))
        await it.emmy.press(guest.message, guest.parts[part])
        message, moves, _ = await opened_part(it.emmy, second, 0, part)
        move, custom_id = next(iter(moves.items()))
        await it.emmy.press(message, custom_id)
        assert (await panel_at(it.grace, second, 1)).turn == it.grace.id
        assert move in (await panel_at(it.emmy, second, 1)).text

        await it.bot.services.digests.begin(int(it.lise.id))
        await it.bot.services.matches.resign(first, int(it.lise.id))
        await it.bot.services.matches.resign(second, int(it.grace.id))
        await it.bot.services.events.round()
        it.bot.outbox.wake()
        for person in (it.ada, it.lise):
            over = await message_with(person, "It is a draw")
            assert "1 : 1" in text_of(over)
            assert f"Board 2: {it.grace.name} 0, {it.emmy.name} 1." in json.dumps(over["components"])
            assert buttons(over) == {}
            profile = text_of(await answered(person, "profile"))
            assert "Match: The Amazon Skull Game" in profile
            assert (
                "drawn 1 : 1, 1 point on board 1" if person is it.ada else "0 points on board 1"
            ) in profile
            assert "Rematch" not in (await panel_at(person, first, 1)).buttons
        assert (await it.event()).state is EventState.OVER

        it.clock.later += timedelta(days=1)
        await it.bot.services.digests.queue_due()
        letter = (await written(it.lise, 1))[0]
        own = await panel_at(it.lise, first, 1)
        assert f"[Amazon Skull #{first}](" in text_of(letter)
        assert f"/{own.message['channel_id']}/{own.message['id']})" in text_of(letter)
        assert it.ada.name in text_of(letter)
        assert names(letter, it.ada) == set()


async def test_a_hand_stays_with_its_seat_and_a_server_leaves(contract: Contract, tmp_path: Path) -> None:
    """The guests' player alone sees their hand, from their server; those of a server that is left play on alone."""
    async with meeting(contract, tmp_path) as it:
        await begin_match(it.ada, it.lise, "palindromes")
        await join_match(it.ada, it.lise)
        event = await it.event()
        match = event.pairings[0].match
        there = await panel_at(it.lise, match, 0)
        row = await secret_rows.lay(it.lise, there, reds_first=True)
        await panel_at(it.lise, match, 2)
        for other in (it.ada, it.grace, it.emmy):
            seen = json.dumps(await other.messages())
            assert row not in seen
            assert suits(row) not in seen

        await by_more(it.ada, match, "draw")
        offer = (await written(it.lise, 1))[0]
        assert f"{it.ada.name} offers a draw" in text_of(offer)

        direct = (await it.ada.post("direct"))["id"]
        it.local.install("Ada")
        await it.departed()
        alone = it.ada.elsewhere(direct)
        board = Panel.of(await answered(alone, "board", number=match))
        assert board is not None
        assert it.lise.name in text_of(board.message)
        assert names(board.message, it.lise) == set()
        await secret_rows.lay(alone, board, reds_first=True)
        assert "find" in (await panel_at(it.lise, match, 3)).text.lower()
        await message_with(it.ada, GONE, direct)
        await it.bot.services.matches.resign(match, int(it.ada.id))
        await it.bot.services.events.round()
        it.bot.outbox.wake()
        assert "0 : 1" in text_of(await message_with(it.lise, "**Local server 2** wins"))
