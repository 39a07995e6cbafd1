"""Games in announcement, forum and voice channels, and in private threads. Ada owns the server."""

import pytest

from tests.contract.player import Player, Refused
from tests.e2e.club import Club
from tests.e2e.messages import Json, answer_saying, choose, found_in, open_settings, text_of, told
from tests.e2e.panels import Panel, board_in, boards_in, panel_at
from tests.e2e.play import ask, by_command, challenge, press_accept, resigned
from tests.e2e.servers.test_settings import new_thread

ADD_ME = "Mention me once in this thread so that I am added."
NO_BOARDS = "I cannot show the boards of a game here: "


async def move(players: dict[str, Player], panel: Panel) -> Panel:
    """The board after a move of the member on turn."""
    assert panel.turn is not None
    mover = players[panel.turn]
    await by_command(mover, panel, ("3", "2")[panel.plies])
    return await panel_at(mover, panel.match, panel.plies + 1)


def within(club: Club, channel: str) -> dict[str, Player]:
    """Ada and Grace in a channel, by id."""
    return {player.id: player.elsewhere(channel) for player in (club.ada, club.grace)}


async def test_no_game_begins_in_a_private_thread_without_the_bot(club: Club) -> None:
    """Discord takes answers to commands there, but no board and no card until the bot is mentioned."""
    thread = (await club.grace.post("thread", channel=club.grace.channel, name="Secret", private=True))["id"]
    await club.grace.post("message", channel=thread, content=f"<@{club.emmy.id}>")
    grace, emmy = club.grace.elsewhere(thread), club.emmy.elsewhere(thread)
    commands: tuple[tuple[str, dict[str, str]], ...] = (
        ("challenge", {"member": emmy.id, "game": "alaric"}),
        ("challenge", {}),
        ("challenge", {"game": "maze"}),
    )
    for command, options in commands:
        await answer_saying(grace, ADD_ME, command, **options)
    assert all(message["ephemeral_for"] for message in (await emmy.messages())[1:])

    bot = club.local.world.bot["id"]
    await grace.post("message", channel=thread, content=f"<@{bot}>, come in")
    panel = await challenge(grace, emmy, "alaric")
    await resigned(grace, panel)
    offer = await ask(grace, [emmy], "alaric")
    there = club.local.world.thread_members[thread]
    club.local.world.put_thread_members(thread, [one for one in there if one["user_id"] != bot])
    await press_accept(emmy, offer["id"])
    await told(emmy, ADD_ME)


async def test_a_board_comes_when_the_bot_is_added_to_its_thread_again(club: Club) -> None:
    bot = club.local.world.bot["id"]
    thread = (await club.ada.post("thread", channel=club.ada.channel, name="Secret", private=True))["id"]
    await club.ada.post("message", channel=thread, content=f"<@{club.grace.id}> and <@{bot}>, come in")
    inside = within(club, thread)
    panel = await challenge(inside[club.ada.id], inside[club.grace.id], "alaric")
    there = club.local.world.thread_members[thread]
    club.local.world.put_thread_members(thread, [one for one in there if one["user_id"] != bot])
    assert panel.turn is not None
    await by_command(inside[panel.turn], panel, "3")
    reason = "I am not in this private thread. Mention me once in it so that I am added."
    await told(inside[panel.turn], f"What you did counts, but I may not post in <#{thread}>: {reason}")
    await club.ada.post("message", channel=thread, content=f"<@{bot}>")
    assert (await board_in(club.ada, thread, 1)).match == panel.match


@pytest.mark.soak
async def test_a_game_in_an_announcement_channel_has_a_thread(club: Club) -> None:
    """Discord takes no other type there than 10."""
    news = club.local.add_channel("news", "announcement")
    there = within(club, news)
    await choose(club.ada, await open_settings(club.ada), "setting:threads", "threads")
    asked = await ask(there[club.ada.id], [club.grace], "alaric")
    known = set(club.local.world.channels)
    await press_accept(there[club.grace.id], asked["id"])
    thread = await new_thread(club, known)
    assert (thread["type"], thread["parent_id"]) == (10, news)
    inside = within(club, thread["id"])
    await move(inside, await move(inside, await board_in(club.ada, thread["id"], 0)))


@pytest.mark.soak
async def test_results_and_puzzles_can_go_to_an_announcement_channel(club: Club) -> None:
    news = club.local.add_channel("news", "announcement")
    message = await open_settings(club.ada, "Posts in channels")
    message = await choose(club.ada, message, "setting:results", news)
    message = await choose(club.ada, message, "setting:puzzles", news)
    await choose(club.ada, message, "setting:puzzle-hour", "0")  # due at any time of the day
    panel = await challenge(club.ada, club.grace, "alaric")
    await resigned(club.grace, panel)

    def both(seen: list[Json]) -> bool | None:
        said = " ".join(map(text_of, seen))
        return (f"#{panel.match}](" in said and "Puzzle of the day" in said) or None

    await found_in(club.emmy, both, news)
    with pytest.raises(Refused):
        forum = club.local.add_channel("ideas", "forum")
        await choose(club.ada, await open_settings(club.ada, "Posts in channels"), "setting:results", forum)


@pytest.mark.soak
@pytest.mark.parametrize("kind", ["announcement", "forum"])
async def test_games_can_be_limited_to_a_channel_of_any_kind(club: Club, kind: str) -> None:
    """A game in a forum is played in a post, with its boards pinned where the server wants it."""
    channel = club.local.add_channel(kind, kind)
    message = await choose(club.ada, await open_settings(club.ada), "setting:channels", channel)
    message = await choose(club.ada, message, "setting:threads", "threads")
    await choose(club.ada, message, "setting:pins", "on")
    post = await club.ada.post("thread", channel=channel, name="Games here", content="Who plays?")
    inside = within(club, post["id"])
    panel = await challenge(inside[club.ada.id], inside[club.grace.id], "alaric")
    panel = await move(inside, await move(inside, panel))
    (board,) = boards_in(await inside[club.ada.id].messages())
    assert board.message["pinned"]
    await club.grace.command("challenge", member=club.ada.id, game="alaric")
    await told(club.grace, f"In this server games are played in <#{channel}>")


async def test_a_voice_channel_has_boards_without_threads_and_pins(club: Club) -> None:
    voice = club.local.add_channel("talk", "voice")
    message = await choose(club.ada, await open_settings(club.ada), "setting:channels", voice)
    message = await choose(club.ada, message, "setting:threads", "threads")
    message = await choose(club.ada, message, "setting:pins", "on")
    assert f"Discord has no threads and no pins in voice channels: games in <#{voice}>" in text_of(message)
    there = within(club, voice)
    panel = await challenge(there[club.ada.id], there[club.grace.id], "alaric")
    await move(there, await move(there, panel))
    assert "pin.refused" not in club.bot.log
    club.local.deny("talk", "send_messages")
    refused = NO_BOARDS + "I lack Send Messages"
    await answer_saying(there[club.grace.id], refused, "challenge", member=club.ada.id, game="alaric")
