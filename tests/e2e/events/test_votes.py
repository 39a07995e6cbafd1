"""A vote game over the wire: a manager starts it, three members vote, and the deadline comes by the clock."""

import asyncio
from datetime import timedelta
from pathlib import Path

import pytest

from bot.activity.connection import VOTED
from bot.sandbox import Sandbox
from db.values.places import Place
from tests.activity.pages import Pages
from tests.contract.checker import Contract
from tests.contract.player import Player, players, players_by_server
from tests.e2e.bot_in_process import bot_here
from tests.e2e.bot_process import bot_at
from tests.e2e.events.meeting import PushedClock, VotersFirst, begin, begin_votes, meeting, names
from tests.e2e.messages import (
    Json,
    answered,
    buttons,
    message_with,
    text_of,
    told,
    until,
)
from tests.e2e.panels import Panel, board_in, opened_part

DAY = timedelta(days=1)


async def vote(player: Player, board: Panel, part: str, number: int) -> str:
    """Press a part of the board, and then one of the moves that the private message offers. Return the move."""
    await player.press(board.message, board.parts[part])
    message, moves, _ = await opened_part(player, board.match, board.plies, part)
    move = [*moves][number]
    await player.press(message, moves[move])
    await told(player, f"You vote for `{move}`")
    return move


@pytest.mark.soak
async def test_three_members_vote_and_the_move_is_played_at_the_deadline(
    contract: Contract, tmp_path: Path
) -> None:
    clock = PushedClock()
    async with (
        Sandbox(members=("Ada", "Grace", "Emmy"), observe=contract) as local,
        bot_here(local.url, tmp_path, clock=clock, chance=VotersFirst()) as bot,
        players(local.url, local.world) as (ada, grace, emmy),
    ):
        terms = {"level": ["1"], "every": ["1440"], "hour": ["after"], "shown": ["counts"]}
        await begin(ada, "Start a vote game", game=["skull"], **terms)
        await told(ada, "has begun: the members vote for their moves")
        board = await board_in(ada, ada.channel, 0)
        assert "The voters" in board.text
        assert "Nobody has voted yet" in board.text
        assert "Hint" not in board.buttons

        part = next(iter(board.parts))
        one = await vote(ada, board, part, 0)
        await vote(grace, board, part, 1)
        other = await vote(emmy, board, part, 1)
        await vote(ada, board, part, 1)
        again = await vote(ada, board, part, 0)  # The last one counts.
        assert again == one
        listed = await answered(ada, "games")
        assert f"you have voted for `{one}`" in text_of(listed)
        shown = await until(emmy, board.message, f"Votes: `{other}` 2 · `{one}` 1")
        assert not names(shown, ada, grace, emmy)

        clock.later = DAY + timedelta(minutes=1)
        await bot.services.votes.round()
        bot.outbox.wake()
        board = await board_in(grace, grace.channel, 2)
        assert f"`{other}` had 2 of 3 votes." in board.text
        assert not names(board.message, ada, grace, emmy)
        loaded = await bot.services.matches.load(board.match)
        assert [entry.seat for entry in loaded.stored.log] == [0, 1]
        assert loaded.stored.log[0].text == other

        await bot.services.matches.abandon(board.match, "the evening is over")
        bot.outbox.wake()
        over = await message_with(emmy, "Voters: ")
        assert names(over, ada, grace, emmy) == {ada.id, grace.id, emmy.id}
        assert "Rematch" not in buttons(over)


async def test_two_servers_play_each_other_on_a_board_in_both(contract: Contract, tmp_path: Path) -> None:
    """The manager of one server invites, that of the other enters the code; both boards show each move and vote."""
    async with meeting(contract, tmp_path) as it:
        ada, grace, lise, emmy = it.ada, it.grace, it.lise, it.emmy
        await begin_votes(ada, lise)
        here, there = await board_in(ada, ada.channel, 0), await board_in(lise, lise.channel, 0)
        for board in (here, there):
            assert "The hosts" in board.text
            assert "The hosts are the members of **Local server**" in board.text

        assert "Vote for a move" in here.text
        assert "The members of the other server vote" in there.text
        part = next(iter(here.parts))
        move = await vote(grace, here, part, 0)
        shown = await until(lise, there.message, f"Votes: `{move}` 1")
        assert not names(shown, grace)
        assert names(await until(ada, here.message, f"Votes: `{move}` 1"), grace)
        assert set(there.buttons) == {"More"}
        await emmy.command("move", move=move, number=there.match)
        await told(emmy, "It is the hosts' turn")

        await it.vote_over()
        here, there = await board_in(ada, ada.channel, 1), await board_in(lise, lise.channel, 1)
        move, custom_id = next(iter(there.moves.items()))
        await emmy.press(there.message, custom_id)
        await told(emmy, f"You vote for `{move}`")
        assert names(await until(lise, there.message, f"Votes: `{move}` 1"), emmy)
        assert not names(await until(grace, here.message, f"Votes: `{move}` 1"), emmy)
        await it.vote_over()
        for player in (ada, lise):
            assert f"`{move}` had 1 of 1 vote." in (await board_in(player, player.channel, 2)).text

        await it.bot.services.matches.abandon(here.match, "the evening is over")
        it.bot.outbox.wake()
        assert names(await message_with(ada, "Voters: "), grace, emmy) == {grace.id}
        assert names(await message_with(lise, "Voters: "), grace, emmy) == {emmy.id}


async def test_touch_in_the_activity_votes_for_the_own_server(contract: Contract, tmp_path: Path) -> None:
    """It plays nothing, members of the other server can only look, and the lists of games show the vote."""
    async with (
        Sandbox(members=("Ada", "Grace", "Emmy"), servers=2, privileged=False, observe=contract) as local,
        players_by_server(local.url, local.world) as ((ada, *_), (lise, *_)),
    ):
        pages, arrived = Pages(local), list[Json]()
        first, second = (
            Place(int(guild), int(it.channel))
            for guild, it in zip(local.world.guilds, (ada, lise), strict=True)
        )
        async with (
            bot_at(local.url, tmp_path, **pages.settings),
            pages.page(int(ada.id), first, arrived.append) as page,
            pages.page(int(lise.id), second, arrived.append) as other,
        ):
            await begin_votes(ada, lise)
            voter, looker, place = ada, lise, first
            board = await board_in(voter, voter.channel, 0)
            if "Vote for a move" not in board.text:
                voter, looker, place, page, other = lise, ada, second, other, page
                board = await board_in(voter, voter.channel, 0)
            assert "Tap the board" in board.buttons
            assert "Tap the board" not in (await board_in(looker, looker.channel, 0)).buttons
            for it in (page, other):
                await it.send(type="open", match=board.match)
            seen, looked = await page.shows(board.match), await other.shows(board.match)
            assert seen["status"].startswith("Vote for a move.")
            assert not seen["plays"]
            assert not looked["mine"]
            move = {"type": "play", "match": board.match, "ply": seen["ply"]}
            move |= {"move": seen["entry"]["places"][0]["move"]}
            for it in (other, page):
                await it.send(**move)
            while not other.refused or not (page.board or {})["said"]:
                await asyncio.sleep(0.05)
            assert "members of the other server vote now" in other.refused[0]
            assert page.board == seen | {"said": VOTED.format(move=move["move"])}
            for it, player in ((page, voter), (other, looker)):
                await until(
                    player, (await board_in(player, player.channel, 0)).message, f"Votes: `{move['move']}` 1"
                )
                before = it.counts["games"]
                await it.send(type="games")
                while it.counts["games"] == before:
                    await it.arrived()
            listed = [it["games"] for it in arrived if it["type"] == "games"]
            assert [[it["mine"] for it in games] for games in listed[-2:]] == [[False], []]
            line = text_of(await answered(voter, "games"))
            assert f"you have voted for `{move['move']}`" in line
            assert f"https://discord.com/channels/{place.guild}/{place.channel}/{board.message['id']}" in line
            assert "vote games" not in text_of(await answered(looker, "games"))
            # A vote in the channel is shown in the page, too.
            again = seen["entry"]["places"][1]["move"]
            await voter.command("move", move=again, number=board.match)
            while (page.board or {})["said"] != VOTED.format(move=again):
                await page.arrived()
