"""What members meet around a game: commands, refusals, pings, stale buttons, restarts. Played over the wire."""

import asyncio
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from sqlalchemy import update

from bot.sandbox import Sandbox
from db.address import address
from db.engine import make_engine
from db.models import ChallengeRow
from rules.games import GAMES
from tests.contract.checker import Contract
from tests.contract.player import Player, players
from tests.e2e.conftest import Club
from tests.e2e.panels import (
    PATIENCE,
    Panel,
    components,
    message_with,
    newer_panel,
    no_controls,
    outcome,
    panel_at,
    panels,
    private_select,
    text_of,
)
from tests.e2e.play import accept, by_button, by_command, challenge, legal
from tests.e2e.process import bot_at

EPHEMERAL = 1 << 6


async def told(player: Player, words: str) -> None:
    """This member was told `words`, and nobody else was."""
    message = await message_with(player, words)
    assert message["ephemeral_for"] == player.id
    assert message["flags"] & EPHEMERAL


def pinged(message: dict[str, Any]) -> list[str]:
    return [user["id"] for user in message["mentions"]]


def both(club: Club, panel: Panel) -> tuple[Player, Player]:
    """The member on turn and the one who waits."""
    return (club.ada, club.grace) if panel.turn == club.ada.id else (club.grace, club.ada)


async def test_what_the_commands_are(club: Club) -> None:
    names = {command["name"] for command in await club.ada.get("commands")}
    assert names == {
        "challenge", "move", "board", "resign", "draw", "takeback", "rematch", "games", "rules", "replay",
        "leaderboard", "profile", "versus", "season", "Challenge to a game", "preferences", "settings", "end", "block",
        "unblock", "history", "export", "import", "lobby", "help", "privacy", "achievements",
    }  # fmt: skip


async def test_a_challenge_from_the_context_menu(club: Club) -> None:
    opened = await club.ada.menu("Challenge to a game", club.grace.id, 2)
    assert opened["outcome"] == "modal"
    posted = await club.ada.submit(opened, game=["alaric"], size="quick")
    assert posted["outcome"] == "message"
    assert "quick, size 9" in text_of(posted["message"])
    panel = await accept(club.grace, posted["message"]["id"])
    assert panel.plies == 0
    closed = await club.ada.get(f"messages/{posted['message']['id']}")
    assert "accepted" in text_of(closed)
    assert not any(part["type"] == 2 for part in components(closed))


async def test_a_challenge_refused(club: Club) -> None:
    """Strangers and the challenger cannot accept; declining and withdrawing take the buttons away."""
    for member, word in ((club.grace, "declined"), (club.ada, "withdrawn")):
        made = await club.ada.command("challenge", member=club.grace.id, game="skull", size="quick")
        message = made["message"]
        assert pinged(message) == [club.grace.id]
        buttons = {part["label"]: part["custom_id"] for part in components(message) if part["type"] == 2}
        await club.emmy.press(message, buttons["Accept"])
        await told(club.emmy, f"This challenge is for <@{club.grace.id}>")
        await member.press(message, buttons["Decline"])
        closed = await message_with(member, word)
        assert closed["id"] == message["id"]
        assert not any(part["type"] == 2 for part in components(closed))
    for options, words in (
        ({"member": club.ada.id, "game": "skull"}, "cannot challenge yourself"),
        ({"member": club.grace.id, "game": "skull", "size": "99x99"}, "width must be from 1 to 9"),
        ({"member": club.local.world.bot["id"], "game": "skull"}, "Bots do not play"),
    ):
        await club.ada.command("challenge", **options)
        await told(club.ada, words)


async def test_moves_that_do_not_count(club: Club) -> None:
    """Out of turn, unreadable, illegal, a stranger's, on a stale board: each told to its maker, nothing changed."""
    first = await challenge(club.ada, club.grace, "skull")
    mover, waiter = both(club, first)
    await by_command(mover, first, "c3")
    second = await panel_at(mover, first.match, 1)
    assert second.turn == waiter.id
    await by_button(mover, second, "c4")
    await told(mover, f"It is not your turn in The Amazon Skull Game #{first.match} but <@{waiter.id}>'s")
    await by_command(waiter, second, "c9")
    await told(waiter, "c9 is off the board")
    await by_command(waiter, second, "@everyone")
    await told(waiter, "is no cell; name one by its letter and number")
    await by_command(waiter, second, "a1")
    await told(waiter, "a1 lies beside no skull")
    await by_button(club.emmy, second, "c4")
    await told(club.emmy, "is played by")
    assert (await panels(mover))[-1].plies == 1

    # Two clicks on the same board at once: the second one is stale before its buttons are gone.
    await asyncio.gather(by_button(waiter, second, "c4"), by_button(waiter, second, "d3"))
    await told(waiter, "has moved on; play on its newest message")
    assert (await panel_at(mover, first.match, 2)).plies == 2


async def test_each_turn_calls_its_player_once(club: Club) -> None:
    panel = await challenge(club.ada, club.grace, "alaric", "4")
    while panel.turn is not None:
        assert pinged(panel.message) == [panel.turn]
        mover, _ = both(club, panel)
        await by_command(mover, panel, (await legal(mover, panel))[0])
        panel = await panel_at(mover, panel.match, panel.plies + 1)
    boards = [board for board in await panels(club.ada) if board.match == panel.match]
    assert [board.plies for board in boards] == list(range(panel.plies + 1))
    for board in boards:
        await no_controls(club.ada, board)


async def test_boards_on_demand(club: Club) -> None:
    """A player's board moves down without calling anybody; letters and strangers' boards are seen by them alone."""
    first = await challenge(club.ada, club.grace, "alaric")
    await club.ada.command("board")
    again = await newer_panel(club.grace, first)
    assert pinged(again.message) == []
    assert set(again.buttons) == {"Move", "More"}
    await club.emmy.command("board")
    mine = await newer_panel(club.emmy, again)
    assert mine.message["ephemeral_for"] == club.emmy.id
    assert mine.buttons == {}
    await club.grace.command("board", as_text=True)
    await told(club.grace, "A ring of 13 cells.")


async def test_several_games_in_one_channel(club: Club) -> None:
    """Completion says which game a move is for, and a move without a game is not guessed."""
    one = await challenge(club.ada, club.grace, "skull")
    two = await challenge(club.ada, club.grace, "alaric")
    if one.turn != two.turn:
        mover, _ = both(club, one)
        await by_command(mover, one, "c3")
        one = await panel_at(mover, one.match, 1)
    mover, _ = both(club, one)
    await mover.command("move", move="3")
    await told(mover, f"(The Amazon Skull Game #{one.match}, Alaric #{two.match})")
    choices = (await mover.autocomplete("move", "move", move="3"))["choices"]
    value = next(choice["value"] for choice in choices if choice["name"] == f"3 in Alaric #{two.match}")
    await mover.command("move", move=value)
    assert (await panel_at(mover, two.match, 1)).plies == 1
    games = (await mover.autocomplete("resign", "game", game=""))["choices"]
    assert {choice["value"] for choice in games} == {one.match, two.match}
    await mover.command("games")
    listed = text_of(await message_with(mover, "**Waiting for you (1)**"))
    assert listed.index("Skull") < listed.index("**Waiting for others (1)**") < listed.index("Alaric")


async def test_resigning_asks_once(club: Club) -> None:
    panel = await challenge(club.ada, club.grace, "alaric")
    await club.ada.command("resign")
    question = await message_with(club.ada, "Do you really want to resign")
    assert question["ephemeral_for"] == club.ada.id
    assert (await panels(club.grace))[-1].plies == 0
    sure = next(part["custom_id"] for part in components(question) if part["type"] == 2)
    await club.ada.press(question, sure)
    last = await panel_at(club.grace, panel.match, 1)
    assert last.turn is None
    assert f"<@{club.grace.id}>" in outcome(last)
    assert pinged(last.message) == [club.grace.id]


async def test_the_rules_of_every_game(club: Club) -> None:
    for game in GAMES:
        answer = await club.emmy.command("rules", game=game.key)
        text = text_of(answer["message"])
        assert game.sheet.author in text
        assert str(game.sheet.year) in text
        assert all(ruling in text for ruling in game.sheet.house)
        assert answer["message"]["ephemeral_for"] == club.emmy.id


async def test_a_game_is_stepped_through(club: Club) -> None:
    """An animation of the whole game, and each position by button or by its number."""
    panel = await challenge(club.ada, club.grace, "alaric", "4")
    while panel.turn is not None:
        mover, _ = both(club, panel)
        await by_command(mover, panel, (await legal(mover, panel))[0])
        panel = await panel_at(mover, panel.match, panel.plies + 1)
    await club.emmy.command("replay", game=panel.match)
    film = await message_with(club.emmy, f"**Alaric #{panel.match}**, move by move")
    assert film["ephemeral_for"] == club.emmy.id
    assert ".gif" in picture_of(film)
    for way, words in (
        ("First", "before the first move"),
        ("Forward", f"move 1 of {panel.plies}: 1"),
        ("Last", f"move {panel.plies} of {panel.plies}"),
        ("Back", f"move {panel.plies - 1} of {panel.plies}"),
    ):
        buttons = {part["label"]: part["custom_id"] for part in components(film) if part["type"] == 2}
        await club.emmy.press(film, buttons[way])
        film = await message_with(club.emmy, words)
        assert ".png" in picture_of(film)
    await club.emmy.command("replay", game=panel.match, move=2)
    assert "-2.png" in picture_of(await message_with(club.emmy, f"move 2 of {panel.plies}"))
    await club.emmy.command("replay", game=panel.match, move=99)
    await told(club.emmy, f"name one from 0 to {panel.plies}")


def picture_of(message: dict[str, Any]) -> str:
    """The address of the only picture in a message."""
    gallery = next(part for part in components(message) if part["type"] == 12)
    return str(gallery["items"][0]["media"]["url"])


async def test_old_buttons_work_after_a_restart(contract: Contract, tmp_path: Path) -> None:
    async with Sandbox(observe=contract) as local, players(local.url) as (ada, grace, _):
        async with bot_at(local.url, tmp_path):
            panel = await challenge(ada, grace, "skull")
            offer = (await ada.command("challenge", member=grace.id, game="alaric"))["message"]
        async with bot_at(local.url, tmp_path):
            mover = ada if panel.turn == ada.id else grace
            opened = await mover.press(panel.message, panel.buttons["Move"])
            await mover.submit(opened, move="C 3")
            assert (await panel_at(mover, panel.match, 1)).plies == 1
            assert (await accept(grace, offer["id"])).plies == 0


async def age(data_dir: Path, span: timedelta) -> None:
    """Make the only challenge in the bot's store older, once the bot has remembered its message."""
    engine = make_engine(address(None, data_dir))
    past = datetime.now(UTC) - span
    aged = update(ChallengeRow).values(made_at=past, expires_at=past + span / 2)
    async with asyncio.timeout(PATIENCE):
        while True:
            async with engine.begin() as connection:
                result = await connection.execute(aged.where(ChallengeRow.message.is_not(None)))
            if result.rowcount:
                break
            await asyncio.sleep(0.1)
    await engine.dispose()


async def test_a_challenge_expires(contract: Contract, tmp_path: Path) -> None:
    """One minute is the shortest that can be set; the bot's clock is the machine's, so its store is aged instead."""
    async with Sandbox(observe=contract) as local, players(local.url) as (ada, grace, _):
        async with bot_at(local.url, tmp_path):
            made = await ada.command("challenge", member=grace.id, game="alaric")
            await age(tmp_path, timedelta(days=2))
        async with bot_at(local.url, tmp_path):
            closed = await message_with(grace, "expired")
            assert closed["id"] == made["message"]["id"]
            assert not any(part["type"] == 2 for part in components(closed))


async def test_narrowing_down_is_for_the_one_on_turn_and_for_the_newest_board(club: Club) -> None:
    """Others are refused; the private menu goes once it is used, and after somebody moved it plays nothing."""
    first = await challenge(club.ada, club.grace, "polygons", "4 26")
    mover, waiter = both(club, first)
    assert first.narrow is not None
    for other, words in ((waiter, "It is not your turn"), (club.emmy, "is played by")):
        await other.choose(first.message, first.narrow, first.groups[0])
        await told(other, words)
    await mover.choose(first.message, first.narrow, first.groups[0])
    outer, groups = await private_select(mover, f"narrow:{first.match}:0:0.")
    assert [option["label"] for option in groups["options"]] == ["a26 to a14", "a13 to a1"]
    await mover.choose(outer, groups["custom_id"], "1")
    inner, points = await private_select(mover, f"pick:{first.match}:0")
    assert inner["id"] == outer["id"]
    assert inner["ephemeral_for"] == mover.id
    await mover.choose(inner, points["custom_id"], "a7")
    second = await panel_at(waiter, first.match, 1)
    assert "played a7" in second.text
    async with asyncio.timeout(PATIENCE):
        while outer["id"] in [message["id"] for message in await mover.messages()]:
            await asyncio.sleep(0.02)

    assert second.narrow is not None
    await waiter.choose(second.message, second.narrow, second.groups[0])
    late, points = await private_select(waiter, f"pick:{first.match}:1")
    await by_command(waiter, second, "k9")
    await panel_at(waiter, first.match, 2)
    await waiter.choose(late, points["custom_id"], points["options"][0]["value"])
    await told(waiter, "has moved on; play on its newest message")
    assert (await panels(waiter))[-1].plies == 2
