"""`/help` at every moment, over the wire: how to move, to answer, to wait, to watch, to start. Ada owns the server."""

import asyncio
import re
from typing import Any

import pytest

from rules.games import GAMES, find
from tests.contract.player import Player
from tests.e2e import secret_rows
from tests.e2e.club import Club
from tests.e2e.messages import answered, buttons, choose, components, message_with, text_of, told
from tests.e2e.panels import panel_at
from tests.e2e.play import ask, by_command, challenge, legal, offered, resigned
from tests.waiting import PATIENCE

Json = dict[str, Any]


async def helped(player: Player) -> str:
    return text_of(await answered(player, "help"))


async def leading_to(player: Player, message: Json) -> Json:
    """The help once it leads to a message: that is stored after it is posted."""
    async with asyncio.timeout(PATIENCE):
        while True:
            found = await answered(player, "help")
            if f"/{message['id']})" in text_of(found):
                return found


async def test_help_where_nothing_is_played(club: Club) -> None:
    message = await answered(club.grace, "help")
    text = text_of(message)
    assert text.count("\n") <= 4, "three lines below the heading"
    assert "### Start a game\n**Play me** or `/play` begins a game" in text
    assert "**Learn it** teaches you The Amazon Skull Game" in text
    assert set(buttons(message)) == {"Play me", "Learn it", "All commands"}
    (gallery,) = (part for part in components(message) if part["type"] == 12)
    described = gallery["items"][0]["description"]
    for game in GAMES:
        assert game.sheet.title in described
    assert "/settings" not in text
    (select,) = [part for part in components(message) if part.get("custom_id") == "help:rules"]
    assert [option["value"] for option in select["options"]] == [game.key for game in GAMES]
    await club.grace.choose(message, "help:rules", "maze")
    await told(club.grace, f"### {find('maze').sheet.title}\n")


async def test_a_withheld_game_is_not_offered(club: Club) -> None:
    settings = await answered(club.ada, "settings")
    await choose(club.ada, settings, "setting:games", "alaric", "skull")
    (gallery,) = (part for part in components(await answered(club.grace, "help")) if part["type"] == 12)
    described = gallery["items"][0]["description"]
    assert [game.key for game in GAMES if game.sheet.title in described] == ["skull", "alaric"]
    await club.grace.choose(await answered(club.grace, "play"), "play-level", "7")
    await told(club.grace, "No game that is played in this server has that level; choose a lower one.")


@pytest.mark.soak
async def test_help_after_a_game(club: Club) -> None:
    """The puzzle of the day, and a lesson of a game that the member has not played, are suggested."""
    await resigned(club.grace, await challenge(club.ada, club.grace, "skull", "quick"))
    message = await answered(club.grace, "help")
    assert "The puzzle of the day waits for you. " in text_of(message)
    assert "**Learn it** teaches you Alaric" in text_of(message)
    assert {"Play me", "Solve it", "Learn it", "When somebody wants to play…"} <= set(buttons(message))


async def test_managers_are_told_of_the_settings(club: Club) -> None:
    assert "You manage this server: in `/settings`, **Set up** turns on" in await helped(club.ada)


async def test_help_for_a_challenged_and_a_challenging_member(club: Club) -> None:
    made = await ask(club.ada, [club.grace], "alaric")
    text = text_of(await leading_to(club.grace, made))
    assert text.startswith("\n### You are challenged")
    assert f"<@{club.ada.id}> challenges <@{club.grace.id}>: [Alaric](" in text
    assert "**Accept** or **Decline**" in text
    text = await helped(club.ada)
    assert "### Your game has not begun" in text
    assert "leave or withdraw it" in text
    assert "### Start a game" in await helped(club.emmy)
    await ask(club.emmy, [club.grace], "skull")
    assert "1 more challenge waits for your answer: `/games`" in await helped(club.grace)


@pytest.mark.soak
async def test_help_where_a_lobby_is_open(club: Club) -> None:
    made = await offered(club.ada, club.ada.command("challenge", game="maze"))
    text = text_of(await leading_to(club.grace, made))
    assert "### You can join a game" in text
    assert "Press the green button under it to join" in text
    assert "### Your game has not begun" in await helped(club.ada)


@pytest.mark.parametrize(
    ("game", "written"),
    [
        ("alaric", "Or type it with **Type a move** or `/move`, for example `1`."),
        pytest.param(
            "xlines", "Or type it with **Type a move** or `/move`, for example `a8`.", marks=pytest.mark.soak
        ),
        pytest.param("maze", "Name its start and its end, with a hyphen between.", marks=pytest.mark.soak),
    ],
)
async def test_on_turn(club: Club, game: str, written: str) -> None:
    """The example is a legal move of this very board, and playing it makes the other one the reader."""
    panel = await challenge(club.ada, club.grace, game)
    mover, waiter = club.by_turn(panel)
    message = await leading_to(mover, panel.message)
    text = text_of(message)
    assert "### It is your turn" in text
    assert f"#{panel.match}](" in text
    assert "under the board" in text
    assert written in text
    example = re.search(r"for example `([^`]+)`", text)
    assert example is not None
    assert example[1] in await legal(mover, panel)
    assert {"Rules", "Board as text", "Play me", "All commands"} == set(buttons(message))
    text = await helped(waiter)
    assert "### It is not your turn" in text
    assert f"waits for <@{mover.id}>" in text
    assert all(word in text for word in ("/board", "**More**"))
    text = await helped(club.emmy)
    assert "### Others play here" in text
    assert f"<@{mover.id}>" in text
    assert f"<@{waiter.id}>" in text
    assert "/replay" in text
    await by_command(mover, panel, example[1])
    panel = await panel_at(waiter, panel.match, 1)
    assert "### It is your turn" in await helped(waiter)


@pytest.mark.soak
async def test_help_on_turn_with_arrows(club: Club) -> None:
    """The help changes with the kind of move that is due; other games that wait are counted."""
    panel = await challenge(club.ada, club.grace, "skull", "3x2")
    mover, _ = club.by_turn(panel)
    await by_command(mover, panel, "a1")
    panel = await panel_at(mover, panel.match, 1)
    mover, _ = club.by_turn(panel)
    text = await helped(mover)
    assert "Press a direction under the board" in text
    assert "Or type it with **Type a move** or `/move`, for example `a2`." in text
    assert "for your move: `/games`" not in text
    for _ in range(2):
        other = await challenge(club.emmy, mover, "alaric")
        if other.turn == club.emmy.id:
            await by_command(club.emmy, other, "1")
            await panel_at(mover, other.match, 1)
    assert "2 more games wait for your move: `/games`." in await helped(mover)


@pytest.mark.soak
async def test_help_on_turn_in_secret(club: Club) -> None:
    panel = await challenge(club.ada, club.grace, "palindromes", "8")
    text = await helped(club.ada)
    assert "**Lay my cards**" in text
    assert "times R and" in text
    assert "seal the row" in text
    await secret_rows.lay(club.ada, panel, reds_first=True)
    panel = await panel_at(club.grace, panel.match, panel.plies + 1)
    assert f"waits for <@{club.grace.id}>" in await helped(club.ada)
    await secret_rows.lay(club.grace, panel, reds_first=False)
    await panel_at(club.ada, panel.match, panel.plies + 1)
    text = await helped(club.ada)
    assert "`find RBR`" in text
    assert "press **Done**" in text


@pytest.mark.soak
async def test_help_in_another_channel(club: Club) -> None:
    """Somebody on turn is led to the channel of the game, also from the bot's direct messages."""
    panel = await challenge(club.ada, club.grace, "alaric")
    mover, _ = club.by_turn(panel)
    lounge = next(it["id"] for it in (await mover.get("state"))["channels"] if it["name"] == "lounge")
    away = mover.elsewhere(lounge)
    assert f"It is played in <#{mover.channel}>." in await helped(away)
    direct = mover.elsewhere((await mover.post("direct"))["id"])
    message = await answered(direct, "help")
    assert f"It is played in <#{mover.channel}>." in text_of(message)
    assert "Here you can play against me" in text_of(message)
    assert "Board as text" not in buttons(message)


async def test_help_names_every_command_that_a_member_has(club: Club) -> None:
    for player in (club.ada, club.grace):
        offered = await player.get("commands")
        message = await answered(player, "help")
        await player.press(message, buttons(message)["All commands"])
        text = text_of(await message_with(player, "### All commands"))
        named = re.findall(r"^`/([^`]+)` (.+)$", text, re.MULTILINE)
        slash = {it["name"]: it["description"] for it in offered if it.get("type", 1) == 1}
        assert dict(named) == slash
        menus = {
            (it["name"], "member" if it["type"] == 2 else "message")
            for it in offered
            if it.get("type", 1) != 1
        }
        told = r"^\*\*([^*]+)\*\*: in the menu of a (member|message), under Apps\.$"
        assert set(re.findall(told, text, re.MULTILINE)) == menus
        assert {"help", "challenge", "move"} <= set(slash)
        assert ("settings" in slash) == (player is club.ada)
