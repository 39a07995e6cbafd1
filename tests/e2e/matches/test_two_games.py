"""Two-game matches over the wire: the second game follows by itself, and only its end changes ratings, once."""

import re
from datetime import UTC, datetime
from pathlib import Path

import pytest
from openskill.models import PlackettLuce

from bot.sandbox import Sandbox
from db.engine import open_store
from db.values.matches import Beginning, Ending, NewEntry, Outcome
from db.values.posts import PostKind
from rules.core.match import Ply
from tests.contract.checker import Contract
from tests.contract.player import Player, players
from tests.e2e.bot_process import bot_at
from tests.e2e.club import Club
from tests.e2e.matches.test_direct_messages import POSTED, among
from tests.e2e.matches.test_results import lines
from tests.e2e.messages import (
    Json,
    choose,
    found_in,
    message_with,
    open_settings,
    pinged,
    text_of,
    until,
    usable_buttons,
)
from tests.e2e.panels import Panel, boards_in, called, newest_board, no_controls, panel_at, panels
from tests.e2e.play import accept, by_command, end, offered, press_accept, resigned, to_the_end
from tests.e2e.replay.test_history import finished
from tests.e2e.stored_times import published

RATED = re.compile(r"<@(?P<user>[0-9]+)> (?P<score>[0-9]+)[?] [(][+−][0-9]+[)]")
MODEL = PlackettLuce()


async def asked(challenger: Player, other: Player, game: str = "alaric", size: str = "quick") -> Json:
    """A challenge to two games; its message."""
    options: Json = {"member": other.id, "game": game, "size": size, "games": "two"}
    message = await offered(challenger, challenger.command("challenge", **options))
    assert "2 games with swapped seats" in text_of(message)
    return message


async def second_of(player: Player, first: Panel) -> Panel:
    """The first board of the second game."""

    def find(seen: list[Json]) -> Panel | None:
        boards = boards_in(seen)
        last = next((it for it in boards if it.match == first.match and it.plies > first.plies), first)
        later = boards[boards.index(last) + 1 :] if last in boards else ()
        return next((it for it in later if it.match != first.match and " · game 2 of 2" in it.text), None)

    return await found_in(player, find)


def points(users: list[str], *ended: Panel) -> dict[str, float]:
    """The points of these members, by how the last boards say that the games ended."""
    total = dict.fromkeys(users, 0.0)
    for board in ended:
        result = next(line for line in board.text.splitlines() if line.startswith("**"))
        won = [user for user in users if f"<@{user}>" in result]
        for user in won:
            total[user] += 1 / len(won)
    return total


async def test_both_games_are_played_to_the_end_and_rated_as_one(club: Club) -> None:
    two = (club.ada, club.grace)
    first = await accept(club.grace, (await asked(*two, size="4"))["id"])
    assert f"#{first.match} · game 1 of 2" in first.text
    last, _ = await to_the_end(two, first)
    assert "The second game follows, with swapped seats." in last.text
    assert "Rating: " not in last.text
    assert set(usable_buttons(last.message)) == {"Replay", "Review"}

    second = await second_of(club.emmy, first)
    assert second.message["channel_id"] == first.message["channel_id"]
    assert {first.turn, second.turn} == {it.id for it in two}
    assert pinged(second.message) == [second.turn]
    assert second.turn not in pinged(last.message)  # told once, under the new board
    assert "After the first game " in second.text
    await club.emmy.command("leaderboard", game="alaric")
    await message_with(club.emmy, "Nobody is listed yet")

    end, _ = await to_the_end(two, second)
    both = points([it.id for it in two], last, end)
    assert sum(both.values()) == 2
    winner = max(both, key=lambda it: both[it])
    draw = len(set(both.values())) == 1
    said = end.text.partition("Both games together: ")[2]
    assert (" drew 1" in said) if draw else re.match(rf"<@{winner}> \S+ beat ", said)
    ranks = [1.0 + sum(other > both[it.id] for other in both.values()) for it in two]
    expected = MODEL.rate([[MODEL.rating()], [MODEL.rating()]], ranks=ranks)
    scores = {it.id: round(40 * (mu.mu - 3 * mu.sigma + 25)) for it, (mu,) in zip(two, expected, strict=True)}
    assert {found["user"]: int(found["score"]) for found in RATED.finditer(end.text)} == scores
    assert sum("Rating: " in it.text for it in await panels(club.ada)) == 1

    listed = text_of(await finished(club.emmy))
    assert listed.count("game 1 of 2") == listed.count("game 2 of 2") == listed.count("both games") == 1
    for player in two:
        await player.press(end.message, usable_buttons(end.message)["Rematch"])
    again = await newest_board(club.ada, lambda it: it.match > end.match)
    assert " · game 1 of 2" in again.text
    assert again.turn == first.turn


@pytest.mark.soak
async def test_a_bot_that_is_killed_between_the_games_begins_the_second(
    contract: Contract, tmp_path: Path
) -> None:
    async with (
        Sandbox(observe=contract) as local,
        players(local.url, local.world) as (ada, grace, _),
        open_store(None, tmp_path) as store,
    ):
        async with bot_at(local.url, tmp_path):
            first = await accept(grace, (await asked(ada, grace))["id"])
            await published(store, PostKind.BOARD, first.match)
        # Killed when the end of the first game was stored, and nothing else.
        ended = (Outcome.LOST, Outcome.WON)
        entry, now = Ply(0, "resign"), datetime.now(UTC)
        await store.matches.append(first.match, 0, NewEntry(entry, now), Ending(ended, then=Beginning(1)))
        second = await store.matches.second_game(first.match)
        async with bot_at(local.url, tmp_path):
            begun = await second_of(ada, first)
            assert begun.match == second
            assert pinged(begun.message) == [begun.turn]
            mover, waiter = (ada, grace) if begun.turn == ada.id else (grace, ada)
            await by_command(mover, begun, "1")
            await newest_board(waiter, lambda it: (it.match, it.plies) == (second, 1))
            await called(ada, await panel_at(ada, begun.match, 1))
            # The outbox edits the board of the first game, perhaps after that of the second.
            await panel_at(ada, first.match, 1)
        boards = await panels(ada)
        assert [(it.match, it.plies) for it in boards] == [(first.match, 1), (second, 1)]
        assert [it.message["id"] for it in boards] == [first.message["id"], begun.message["id"]]
        assert "resigned" in boards[0].text


def announced(message: Json) -> bool:
    """Return True if a message is not a board, and tells that a result was reverted."""
    return Panel.of(message) is None and "took this result back" in text_of(message)


@pytest.mark.soak
async def test_both_games_share_a_thread_and_results_tell_which_is_which(club: Club) -> None:
    lounge = str(club.local.channel("lounge")["id"])
    await choose(club.ada, await open_settings(club.ada), "setting:threads", "threads")
    await choose(club.ada, await open_settings(club.ada, "Posts in channels"), "setting:results", lounge)
    known = set(club.local.world.channels)
    offer = await asked(club.ada, club.grace)
    await press_accept(club.grace, offer["id"])

    async def opened() -> str | None:
        return next((it for it in club.local.world.channels if it not in known), None)

    thread = await club.emmy.until(opened)
    assert ", two games: " in club.local.world.channels[thread]["name"]
    ada, grace, emmy = (it.elsewhere(thread) for it in (club.ada, club.grace, club.emmy))
    first = await found_in(emmy, lambda seen: next(iter(boards_in(seen)), None))
    await resigned(ada, first)
    second = await second_of(emmy, first)
    assert set(club.local.world.channels) == {*known, thread}
    last = await resigned(grace, second)
    assert " drew 1" in last.text.partition("Both games together: ")[2]
    await no_controls(emmy, second)
    there = club.emmy.elsewhere(lounge)
    await message_with(there, "(game 1 of 2)")
    await message_with(there, "(game 2 of 2)")
    # The outbox may announce the second result first.
    one, two = (line.strip() for line in sorted(await lines(there), key=lambda line: "(game 2 of 2)" in line))
    assert f"/{first.message['channel_id']}/" in one
    assert "(game 1 of 2): " in one
    assert "The second game follows" in one
    assert "(game 2 of 2): " in two
    assert " drew 1" in two.partition("Both games together: ")[2]

    # A result that is taken back changes the board of the other game as well.
    await end(club.ada, first.match, "one hand, two seats")
    await until(emmy, last.message, "The two games together have no result.")
    await until(emmy, last.message, "The first game has no result any more")
    for channel in (there, emmy):
        await found_in(channel, lambda seen: next(filter(announced, seen), None))


@pytest.mark.soak
async def test_both_games_in_direct_messages(club: Club, contract: Contract) -> None:
    """Each board comes through what a member does; the bot posts nothing by itself."""
    ada, grace = await among(club, club.ada, club.grace)
    first = await accept(grace, (await asked(ada, grace, "skull", "3x2"))["id"])
    await resigned(ada, first)
    second = await second_of(ada, first)
    end = await resigned(grace, second)
    assert "Both games together: " in end.text
    for board in await panels(ada):
        await no_controls(ada, board)
    assert contract.seen[POSTED] == 0


async def test_two_games_are_for_two(club: Club) -> None:
    lobby = await offered(club.ada, club.ada.command("challenge", game="maze", games="two"))
    assert "looks for an opponent" in text_of(lobby)
    board = await accept(club.grace, lobby["id"])
    assert " · game 1 of 2" in board.text
