"""Every way to a game against the computer, and what a computer player answers."""

import re

import pytest

from bot.app.computers import played_by_computers
from bot.app.matches.results import FEWEST
from render.games import HOSTED_GAMES
from tests.contract.checker import Contract
from tests.e2e.club import Club
from tests.e2e.computers.against import begun, move, my_turn, newest
from tests.e2e.messages import (
    answered,
    buttons,
    choose,
    chosen,
    components,
    direct,
    found_in,
    message_with,
    once,
    pinged,
    press,
    text_of,
    told,
    until,
)
from tests.e2e.panels import AFTERWARDS, boards_in
from tests.e2e.play import by_button, legal, offered, resigned
from tests.waiting import wait_until

POSTED = "create_message"


async def test_a_game_is_chosen_from_a_picture_of_all(club: Club) -> None:
    message = await answered(club.ada, "play")
    assert "### Play against the computer" in text_of(message)
    await club.ada.choose(message, "play-level", "7")
    highest = await message_with(club.ada, "**Set Square**: Has")
    assert "Other games have fewer than 7 levels." in text_of(highest)
    assert buttons(highest) == {
        "Spaghetti": "play-game:7:spaghetti",
        "Co-Compositeness": "play-game:7:cocomposite",
    }
    await club.ada.choose(message, "play-level", "2")
    chosen = await message_with(club.ada, "**Brush**: Paints")
    assert chosen["id"] == message["id"]
    games = [game for game in HOSTED_GAMES if played_by_computers(game.key)]
    assert buttons(chosen) == {game.sheet.name: f"play-game:2:{game.key}" for game in games}
    await club.ada.press(chosen, "play-game:2:skull")
    board = await newest(club.ada)
    assert "**Brush**, level 2 of 5 · " in board.text
    await found_in(club.ada, lambda seen: [it["id"] for it in seen] == [board.message["id"]] or None)
    # Who has played a level and a size is offered it again.
    await club.ada.command("play", game="skull", size="4x3")
    assert "**Brush**, level 2 of 5 · " in (await my_turn(club.ada, board.match + 1)).text
    again = await begun(club.ada, "skull", size="", order="first")
    assert len(await legal(club.ada, again)) == 12


async def test_the_bot_offers_itself_where_it_is_challenged(club: Club) -> None:
    bot = club.local.world.bot["id"]
    await club.ada.menu("Challenge to a game", bot, 2)
    await told(club.ada, "### Play against the computer")
    await club.grace.command("challenge", member=bot, game="skull")
    await told(club.grace, "### Play against the computer")
    helped = await answered(club.emmy, "help")
    await club.emmy.press(helped, buttons(helped)["Play me"])
    await told(club.emmy, "### Play against the computer")


async def test_one_board_shows_both_moves_and_pings_nobody(club: Club) -> None:
    first = await begun(club.ada, "skull", order="first")
    await move(club.ada, first, (await legal(club.ada, first))[0], 1)
    second = await my_turn(club.ada, first.match, first.plies)
    assert second.message["id"] == first.message["id"]
    assert pinged(second.message) == []
    # Only if the answer takes longer than the moment for which the board waits, a message calls Ada.
    calls = [it for it in await club.ada.messages() if "your turn in" in text_of(it)]
    assert [pinged(it) for it in calls] in ([], [[club.ada.id]])
    assert second.text.count("played ") == 2
    assert f"<@{club.ada.id}>" in second.text
    assert "against Crayon" in second.text
    assert await direct(club.ada) == []


async def test_a_game_in_the_direct_messages_of_the_bot(club: Club, contract: Contract) -> None:
    """The bot can only answer there, so each answer shows both moves."""
    alone = club.ada.elsewhere((await club.ada.post("direct"))["id"])
    posted = contract.seen[POSTED]
    first = await begun(alone, "skull", "3x2", order="first")
    panel = first
    while panel.turn is not None:
        await move(alone, panel, (await legal(alone, panel))[0], 2)
        panel = await my_turn(alone, first.match, panel.plies)
    assert "Crayon (computer)" in panel.text
    assert "casual" in panel.text
    assert set(panel.buttons) == AFTERWARDS
    assert contract.seen[POSTED] == posted
    await alone.press(panel.message, panel.buttons["Rematch"])
    assert "Crayon (computer)\N{NO-BREAK SPACE}against" in (await my_turn(alone, first.match + 1)).text


@pytest.mark.soak
async def test_members_and_computer_players_share_a_table(club: Club) -> None:
    made = await offered(club.ada, club.ada.command("challenge", game="maze", size="quick", order="first"))
    await press(club.ada, made, "Change…")
    menu = await told(club.ada, "Computer players")
    number = buttons(made)["Join"].removeprefix("accept:")
    await club.ada.choose(menu, f"table:{number}:computers", "2:0")
    await once(club.ada, menu, lambda now: set(chosen(now, f"table:{number}:computers")) == {"2:1"})
    await choose(club.ada, menu, f"table:{number}:level", "2:2")
    lobby = await until(club.ada, made, "Brush (computer) and Brush II (computer)")
    assert "casual, not rated" in text_of(lobby)
    answer = await offered(club.ada, club.ada.choose(lobby, f"ask:{number}", club.grace.id))
    assert "Brush (computer) and Brush II (computer)" in text_of(answer)
    await club.grace.press(answer, buttons(answer)["Accept"])
    first = await my_turn(club.ada, (await newest(club.ada)).match)
    await move(club.ada, first, (await legal(club.ada, first))[0], 1)

    def turns(seen: list[dict[str, object]]) -> bool | None:
        boards = [
            board for board in boards_in(seen) if board.match == first.match and board.plies > first.plies
        ]
        return True if boards and boards[-1].turn in (club.ada.id, club.grace.id) else None

    assert await found_in(club.grace, turns)


async def test_the_first_message_in_a_server_offers_a_game(club: Club) -> None:
    # Before that, discord.py tells of no server that adds the bot.
    await wait_until(lambda: "ready " in (club.folder / "bot.log").read_text())
    club.local.remove_bot()
    await club.bot.says("server.left")
    club.local.system_channel("general")
    club.local.add_bot()
    first = await message_with(club.ada, "### Pencilbox is here")
    shown = [
        item["media"]["url"] for part in components(first) if part["type"] == 12 for item in part["items"]
    ]
    assert "/games.png" in shown[0]
    assert "/play.gif" in str(first["components"])
    assert set(buttons(first)) == {"Play", "Learn", "Challenge somebody", "Set up"}
    await club.ada.press(first, buttons(first)["Play"])
    await told(club.ada, "### Play against the computer")
    opened = await club.ada.press(first, buttons(first)["Challenge somebody"])
    await club.ada.submit(
        opened, member=[club.grace.id], game=["alaric"], size="quick", clock="", games="one"
    )
    await message_with(club.grace, "challenges")


@pytest.mark.soak
async def test_level_suits_the_rating(club: Club) -> None:
    """After a rated loss against the strongest level, another one is suggested, and the board says why."""
    ada = club.ada
    rated = await begun(ada, "alaric", "standard", 5, rated=True, order="first")
    while rated.plies < 2 * FEWEST:
        await by_button(ada, rated, next(iter(rated.moves)))
        rated = await my_turn(ada, rated.match, rated.plies)
    await resigned(ada, rated)
    await ada.command("play", game="alaric")
    board = await my_turn(ada, rated.match + 1)
    level = re.search(r"\*\*\w+\*\*, level (\d) of 5 · suits your rating of \d+ · ", board.text)
    assert level is not None
    assert level[1] != "5"
    assert not any(
        "your rating of" in text_of(it) for it in await ada.messages() if it["id"] != board.message["id"]
    )
