"""Games in the frame of the Activity, in real Chromium and with Discord's own SDK."""

import random
import re
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import aiohttp
import pytest
from playwright.async_api import expect

from rules.games import GAMES
from tests.activity.pages import served
from tests.e2e import secret_rows
from tests.e2e.computers.against import in_secret, move, my_turn
from tests.e2e.messages import choose, message_with, open_preferences
from tests.e2e.page.test_activity_security import World
from tests.e2e.page.touching import Touching
from tests.e2e.play import accept, ask, by_button, challenge, legal
from tests.sandbox.page.windows import Windows

WIDTHS = {"desktop": (1280, 800), "phone": (400, 800)}
MOST_MOVES = 400


async def begun(address: str, game: str) -> tuple[str, int]:
    """Begin a game of Ada against the computer; return her page at its channel, and the match."""
    async with aiohttp.ClientSession(address) as session:
        world = World(session, await (await session.get("/local/state")).json())
        await world.begin(world.ada, game)
        return f"{address}/?as={world.ada}#{world.channel}", world.match(world.ada)


@pytest.mark.parametrize("window", WIDTHS)
@pytest.mark.parametrize("game", [game.key for game in GAMES])
@pytest.mark.soak
async def test_every_game_is_touched_to_its_end(
    address: str, windows: Windows, game: str, window: str
) -> None:
    width, height = WIDTHS[window]
    touch = window == "phone"
    more = {"has_touch": True} if touch else {}
    async with windows.lend(width=width, height=height, **more) as chat:
        member = Touching(chat, touch=touch)
        await member.open(*await begun(address, game))
        chance, moves = random.Random(1), 0
        board = await member.ready()
        while not board["over"]:
            await member.play(chance)
            moves += 1
            assert moves < MOST_MOVES
            await member.played(board)
            board = await member.ready()
        assert member.refused == []
        # Laying a row is one more, by which two cards change places, and so is naming a palindrome.
        assert member.taps == moves + (2 if game == "palindromes" else 0)
        await expect(member.frame.locator("#status")).to_contain_text(re.compile("won|share|without"))
        assert chat.faults == []
        print(f"\n{game}, {window}: {moves} moves, {member.taps} taps and gestures")


async def test_a_board_is_tapped_in_the_frame(address: str, windows: Windows) -> None:
    """The Entry Point command opens the list of games, the computer answers, and the member looks back and resigns."""
    async with windows.lend(width=400, height=800, has_touch=True) as chat:
        member = Touching(chat, touch=True)
        page, match = await begun(address, "alaric")
        await chat.page.goto(page)
        await chat.page.get_by_role("button", name="Open the Activity").click()
        await member.frame.get_by_role("navigation").get_by_role("button", name=f"Alaric #{match} ").click()
        board = await member.ready()
        await member.touch(board["entry"]["places"][0]["points"])
        await member.board(board["ply"] + 2)
        last = (await member.ready())["ply"]
        assert member.taps == 1
        await member.look("3-phone")
        picture = member.frame.locator("#board > svg")
        await expect(picture).to_have_css("animation-name", "none")  # windows of tests have reduced motion
        await chat.page.emulate_media(reduced_motion="no-preference")
        await expect(picture).to_have_css("animation-name", "arrive")
        await member.frame.get_by_role("button", name="One move back").click()
        await expect(member.frame.locator("#ply")).to_have_text(f"{last - 1} / {last}")
        await member.frame.get_by_role("button", name="Last position").click()
        await expect(member.frame.locator("#ply")).to_have_text(f"{last} / {last}")
        await member.frame.get_by_role("button", name="Resign").click()
        await member.frame.get_by_role("button", name="Really resign").click()
        await expect(member.frame.locator("#status")).to_contain_text("won")
        await chat.page.keyboard.press("Escape")
        assert chat.faults == []


@pytest.mark.soak
async def test_takeback_during_a_drag_plays_nothing(address: str, windows: Windows) -> None:
    """A line is previewed before its release. If a takeback was agreed meanwhile, the release plays nothing."""
    async with aiohttp.ClientSession(address) as session, windows.lend() as chat:
        world = World(session, await (await session.get("/local/state")).json())
        member = Touching(chat, touch=False)
        await member.open(*await begun(address, "polygons"))
        chance, board = random.Random(1), await member.ready()
        while all(len(it["points"]) == 1 for it in board["entry"]["places"]):
            await member.play(chance)
            await member.board(board["ply"] + 2)
            board = await member.ready()
        line = next(it for it in board["entry"]["places"] if len(it["points"]) > 1)
        await member.hold(line["points"])
        await expect(member.frame.locator("#said")).to_contain_text(f"Preview: {line['move']}")
        await member.look("1-preview")
        source = await chat.page.locator("dialog.activity iframe").get_attribute("src")
        instance = parse_qs(urlsplit(source or "").query)["instance_id"][0]
        _, found = await world.session(world.ada, instance)
        async with world.socket(found["session"]) as other:
            await other.send(type="propose", match=board["match"], matter="takeback")
            after = await member.board(board["ply"] + 1)
            assert after["mine"]
            await chat.page.mouse.up()
            await expect(member.frame.locator(".ghost")).to_have_count(0)
            await other.send(type="games")
            await other.next("games")
        assert member.boards[-1]["ply"] == after["ply"]
        assert member.refused == []
        await member.play(chance)
        await member.board(after["ply"] + 1)
        assert chat.faults == []


@pytest.mark.soak
async def test_turn_notice_links_to_the_board(tmp_path: Path, windows: Windows) -> None:
    """A direct message about a turn has a link with the match as its custom id, by which the frame opens there."""
    async with (
        served(tmp_path) as (url, _, _, ada, grace),
        windows.lend() as chat,
    ):
        await choose(ada, await open_preferences(ada), "prefer:notice", "direct")
        panel = await challenge(grace, ada, "skull", "quick")
        if panel.turn == grace.id:
            await by_button(grace, panel, next(iter(panel.moves)))
        direct = (await ada.post("direct"))["id"]
        await message_with(ada.elsewhere(direct), f"custom_id={panel.match}")
        member = Touching(chat, touch=False)
        await chat.page.goto(f"{url}/?as={ada.id}#{direct}")
        await chat.page.get_by_role("link", name="Tap the board").last.click()
        await expect(member.frame.locator("#board svg")).to_be_visible()
        assert (await member.ready())["match"] == panel.match
        assert chat.faults == []


@pytest.mark.soak
@pytest.mark.parametrize("game", [game.key for game in GAMES])
async def test_one_plays_in_the_frame_and_one_in_the_channel(
    tmp_path: Path, windows: Windows, game: str
) -> None:
    """Each move is seen by the other at once, and both see the same boards to the end."""
    async with served(tmp_path) as (url, _, _, ada, grace), windows.lend() as chat:
        asked = await ask(ada, [grace], game, "quick", order="first")
        panel = await accept(grace, asked["id"])
        member, chance, plies = Touching(chat, touch=False), random.Random(1), -1
        await member.open(f"{url}/?as={ada.id}#{ada.channel}", panel.match)
        while not (board := member.boards[-1])["over"]:
            if board["mine"]:
                await member.play(chance)
                await member.played(board)
                continue
            panel = await my_turn(grace, panel.match, plies)
            plies = panel.plies
            if secret_rows.opener(panel.buttons):
                await in_secret(grace, panel)
            else:
                await move(grace, panel, chance.choice(await legal(grace, panel)), plies)
            await member.next(board)
        assert (await my_turn(grace, panel.match, plies)).turn is None
        assert member.refused == []
        assert chat.faults == []
