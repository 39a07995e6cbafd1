"""The current bot on what 50da8a01 stored: messages of that commit and of version 0.1 keep working."""

from collections.abc import AsyncIterator, Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
import pytest_asyncio
from sqlalchemy import update

from bot.sandbox import Sandbox
from db.address import address
from db.engine import make_engine, open_store
from db.models import MatchRow, PostRow
from rules.core.notation import suits
from tests.contract.checker import Contract
from tests.contract.description import Description
from tests.contract.player import Player, players
from tests.e2e import secret_rows
from tests.e2e.bot_process import bot_at
from tests.e2e.computers.against import my_turn
from tests.e2e.messages import (
    Json,
    chosen,
    components,
    found_in,
    gone,
    message_with,
    newest,
    open_settings,
    text_of,
    until,
)
from tests.e2e.panels import Panel, newest_board, panel_at, panels
from tests.stored.version import EXPECTED, NAMED, STORED_AT, WORLD, unpack

pytestmark = [pytest.mark.slow, pytest.mark.asyncio(loop_scope="module")]

OPEN_GAMES = ("skull", "alaric", "polygons", "spaghetti", "maze", "cocomposite")
"""The games in which every move is seen by everybody, but for X-Lines, whose board has a test of its own."""


@dataclass(frozen=True)
class Resumed:
    """The members of then, and the messages by their names in the stored data."""

    members: dict[str, Player]

    def at(self, name: str, member: str) -> Player:
        """A member in the channel of a message."""
        return self.members[member].elsewhere(NAMED[name]["channel"])

    async def message(self, name: str, member: str) -> Json:
        """The message as this member sees it now."""
        found: Json = await self.members[member].get(f"messages/{NAMED[name]['message']}")
        return found

    async def board(self, name: str) -> Panel:
        found = Panel.of(await self.message(name, "Ada"))
        assert found is not None
        return found

    def on_turn(self, name: str, panel: Panel) -> Player:
        """The member on turn, in the channel of the board."""
        (member,) = (key for key, player in self.members.items() if player.id == panel.turn)
        return self.at(name, member)


@pytest.fixture(scope="module")
def observer(description: Description) -> Iterator[Contract]:
    """One observer for all tests of this module, since they share one local Discord."""
    contract = Contract(description)
    yield contract
    assert contract.seen
    assert not contract.violations, contract.report()


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def resumed(observer: Contract, tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Resumed]:
    """The local Discord and the bot of today, both on copies of what was stored."""
    folder = tmp_path_factory.mktemp("stored")
    unpack(folder)
    await migrated(folder)
    async with (
        Sandbox(privileged=False, observe=observer, path=folder / WORLD) as local,
        bot_at(local.url, folder, module="tests.stored.resumed") as bot,
        players(local.url, local.world) as members,
    ):
        yield Resumed({member.name: member for member in members})
        assert "Traceback" not in bot.log, bot.log


async def migrated(folder: Path) -> None:
    """Migrate the database; its posts are due at once, also for a bot whose clock is set back.

    Whose turn it is becomes unknown, as in matches that version 0.1 stored and nobody has moved in since.
    """
    async with open_store(None, folder):
        engine = make_engine(address(None, folder))
        async with engine.begin() as connection:
            await connection.execute(update(PostRow).values(due_at=STORED_AT))
            await connection.execute(update(MatchRow).values(turns=None))
        await engine.dispose()


def button(message: Json, start: str) -> str:
    """The first custom id that begins like this, of what can be used in a message."""
    usable = [
        part["custom_id"] for part in components(message) if "custom_id" in part and not part.get("disabled")
    ]
    found: list[str] = [custom_id for custom_id in usable if custom_id.startswith(start)]
    assert found, usable
    return found[0]


async def press(player: Player, message: Json, start: str) -> Json:
    """Press the first button whose custom id begins like this; it is answered."""
    answer = await player.press(message, button(message, start))
    assert answer["outcome"] != "failed", answer
    return answer


def part_of(message: Json) -> str:
    """Return the beginning of the custom ids for parts of the moves, which differs on boards that are drawn again."""
    return "among:" if "among:" in str(message["components"]) else "part:"


async def begun(player: Player, known: set[int]) -> Panel:
    """The first board of a match that was not known, in the player's channel."""
    return await newest_board(player, lambda it: it.match not in known)


async def changed(player: Player, message: Json, start: str, *chosen: str, words: str = "") -> Json:
    """Use a button or menu, and return what answers it: the message itself if it changes, or a new private one.

    The answer has these words. Without words it is the first one with components, which lines about other games lack.
    """
    before = {it["id"]: it["edited_timestamp"] for it in await player.messages()}
    custom_id = button(message, start)
    if chosen:
        answer = await player.choose(message, custom_id, *chosen)
    else:
        answer = await player.press(message, custom_id)
    assert answer["outcome"] != "failed", answer

    def answers(seen: Json) -> bool:
        private = seen["ephemeral_for"] == player.id and seen["state"] == "sent"
        expected = words in text_of(seen) if words else seen["components"]
        return bool(private and expected and seen["edited_timestamp"] != before.get(seen["id"], ""))

    return await found_in(player, lambda seen: next(filter(answers, seen), None))


async def moved(player: Player, panel: Panel) -> Panel:
    """The player moves by what stands under the board, whatever that is; the next board."""
    if panel.moves:
        await press(player, panel.message, next(iter(panel.moves.values())))
    elif panel.select is not None:
        await player.choose(panel.message, panel.select, panel.options[0])
    else:
        if panel.narrow is not None:
            message = await changed(player, panel.message, "narrow:", panel.groups[0])
        else:
            message = await changed(player, panel.message, part_of(panel.message))
        while "play:" not in str(message["components"]):
            message = await changed(player, message, part_of(message))
        await press(player, message, "play:")
    return await panel_at(player, panel.match, panel.plies + 1)


@pytest.mark.parametrize(
    "game",
    [pytest.param(game, marks=[] if game == "maze" else [pytest.mark.soak]) for game in OPEN_GAMES],
)
async def test_a_board_is_played_on(resumed: Resumed, game: str) -> None:
    name = f"board {game}"
    panel = await resumed.board(name)
    after = await moved(resumed.on_turn(name, panel), panel)
    assert after.turn not in (None, panel.turn)


@pytest.mark.parametrize("name", ["board 10m+5s", pytest.param("board direct", marks=pytest.mark.soak)])
async def test_a_move_is_typed(resumed: Resumed, name: str) -> None:
    """With a clock in a channel, and without in direct messages."""
    panel = await resumed.board(name)
    mover = resumed.on_turn(name, panel)
    offered = await mover.autocomplete("move", "move", move="", number=panel.match)
    opened = await mover.press(panel.message, button(panel.message, "type:"))
    assert opened["outcome"] == "modal"
    await mover.submit(opened, move=offered["choices"][0]["value"])
    after = await panel_at(mover, panel.match, panel.plies + 1)
    assert after.turn not in (None, mover.id)
    assert ("time ends" in after.text) == (name != "board direct")


async def test_a_move_is_chosen_in_the_private_menu_of_a_group(resumed: Resumed) -> None:
    name = "board xlines"
    panel = await resumed.board(name)
    mover = resumed.on_turn(name, panel)
    message = await mover.get(f"messages/{NAMED['narrowed']['message']}")
    select = next(part for part in components(message) if part.get("custom_id", "").startswith("pick:"))
    await mover.choose(message, select["custom_id"], select["options"][0]["value"])
    after = await panel_at(mover, panel.match, panel.plies + 1)
    assert (await moved(resumed.on_turn(name, after), after)).turn == mover.id


async def test_rows_of_cards_are_laid_and_sealed(resumed: Resumed) -> None:
    """One card lies already, and is taken back; another row waits for its seal."""
    name = "hand in the making"
    panel = await resumed.board("board palindromes")
    grace = resumed.at(name, "Grace")
    message = await changed(grace, await resumed.message(name, "Grace"), "lay:")
    message = await secret_rows.press(grace, message, "Take back", "begin a row of your own")
    reds, blacks = secret_rows.held(message)
    opened = await grace.press(message, button(message, "row:"))
    assert opened["outcome"] == "modal"
    await grace.submit(opened, row="r" * reds + "b" * blacks)
    message = await until(grace, message, f"Your row: {suits('R' * reds + 'B' * blacks)}")
    await press(grace, message, "seal:")
    naming = await panel_at(grace, panel.match, panel.plies + 1)
    assert button(naming.message, "hand:")

    name = "hand to seal"
    panel = await resumed.board("board untouched palindromes")
    ada = resumed.at(name, "Ada")
    hand = await changed(ada, panel.message, "hand:")
    assert sum(secret_rows.held(hand)) == 8
    await press(grace, await resumed.message(name, "Grace"), "seal:")
    await until(grace, await resumed.message(name, "Grace"), "is sealed")
    await panel_at(ada, panel.match, panel.plies + 1)


async def test_palindromes_are_named_and_done(resumed: Resumed) -> None:
    name = "hand naming"
    panel = await resumed.board("board naming")
    ada, message = resumed.at(name, "Ada"), await resumed.message(name, "Ada")
    opened = await ada.press(message, button(message, "name:"))
    assert opened["outcome"] == "modal"
    await ada.submit(opened, words="RR")
    message = await until(ada, message, "You have named ♦♦ before")
    await press(ada, message, "stop:")
    await press(ada, await until(ada, message, "Really done?"), "stop:")
    await panel_at(ada, panel.match, panel.plies + 1)


@pytest.mark.parametrize(
    ("name", "member", "answer", "words"),
    [
        pytest.param("draw to agree", "other", "agree:", "A draw was agreed.", marks=pytest.mark.soak),
        pytest.param("later draw", "other", "agree:", "A draw was agreed.", marks=pytest.mark.soak),
        pytest.param(
            "draw to decline", "other", "disagree:", "offered a draw: declined.", marks=pytest.mark.soak
        ),
        pytest.param("takeback to agree", "other", "agree:", "your turn", marks=pytest.mark.soak),
        ("takeback to withdraw", "own", "disagree:", "asked to take a move back: withdrawn."),
    ],
)
async def test_a_proposal_is_answered(
    resumed: Resumed, name: str, member: str, answer: str, words: str
) -> None:
    panel = await resumed.board(f"board {name}")
    asked = resumed.on_turn(name, panel)
    proposer = resumed.at(name, "Grace" if asked.id == resumed.members["Ada"].id else "Ada")
    player = asked if member == "other" else proposer
    board = await with_proposal(resumed, name)
    await press(player, board.message, answer)
    if answer == "agree:":
        after = await panel_at(player, panel.match, panel.plies + 1)
        assert words in after.text
        assert after.turn == (None if "draw" in name else proposer.id)
    else:
        closed = await until(player, board.message, words)
        assert not [it for it in components(closed) if "agree:" in it.get("custom_id", "")]
        assert (await moved(asked, panel)).turn == proposer.id


async def with_proposal(resumed: Resumed, name: str) -> Panel:
    """The board of a game with the buttons that answer a proposal, once the message of then is deleted."""
    await gone(resumed.at(name, "Ada"), {"id": NAMED[name]["message"]})
    found = await resumed.board(f"board {name}")
    assert "do you agree?" in found.text
    return found


@pytest.mark.soak
async def test_the_last_of_three_agrees_to_a_draw(resumed: Resumed) -> None:
    name = "draw agreed by one"
    panel = await resumed.board("board draw agreed by one")
    board = await with_proposal(resumed, name)
    await press(resumed.on_turn(name, panel), board.message, "agree:")
    over = await panel_at(resumed.at(name, "Ada"), panel.match, panel.plies + 1)
    assert "A draw was agreed." in over.text


async def test_two_go_on_whom_a_third_has_left(resumed: Resumed) -> None:
    name = "board that one has left"
    panel = await resumed.board(name)
    assert "has left" in panel.text
    assert (await moved(resumed.on_turn(name, panel), panel)).turn is not None


@pytest.mark.soak
async def test_a_board_to_which_a_move_was_taken_back_is_left_by_resigning(resumed: Resumed) -> None:
    """By the button of a question that was asked before."""
    panel = await resumed.board("board taken back")
    ada = resumed.at("resign", "Ada")
    await press(ada, await resumed.message("resign", "Ada"), "really-resign:")
    over = await panel_at(ada, panel.match, panel.plies + 1)
    assert "resigned" in over.text


async def test_challenges_are_answered(resumed: Resumed) -> None:
    ada, grace, emmy = (resumed.at("lobby", member) for member in ("Ada", "Grace", "Emmy"))
    for name, player, players_now in (
        ("challenge to accept", grace, {ada, grace}),
        ("challenge of which one has accepted", emmy, {ada, grace, emmy}),
        ("open challenge", emmy, {grace, emmy}),
        ("rematch asked", ada, {ada, grace}),
    ):
        known = {panel.match for panel in await panels(ada)}
        message = await resumed.message(name, "Ada")
        await press(player, message, "accept:")
        first = await begun(ada, known)
        assert all(f"<@{it.id}>" in first.text for it in players_now), name
        assert first.turn in {it.id for it in players_now}
        await gone(ada, message)
    message = await resumed.message("challenge to decline", "Ada")
    await press(grace, message, "refuse:")
    await gone(ada, message)


@pytest.mark.soak
async def test_a_lobby_is_left_joined_and_started(resumed: Resumed) -> None:
    ada, grace, emmy = (resumed.at("lobby", member) for member in ("Ada", "Grace", "Emmy"))
    message = await resumed.message("lobby", "Ada")
    await press(emmy, message, "leave:")
    await until(ada, message, "**2 of 6 have joined:**")
    await press(emmy, message, "accept:")
    await until(ada, message, "**3 of 6 have joined:**")
    await changed(ada, message, "removals:")
    await press(ada, await resumed.message("removals", "Ada"), f"remove:{number(message)}:{emmy.id}")
    await until(ada, message, "**2 of 6 have joined:**")
    known = {panel.match for panel in await panels(ada)}
    await press(ada, message, "start:")
    first = await begun(ada, known)
    assert first.turn in (ada.id, grace.id)
    assert emmy.id not in first.text


def number(message: Json) -> str:
    """The number on the buttons of a challenge."""
    return button(message, "start:").partition(":")[2]


async def after_progress(player: Player, message: Json) -> Json:
    """The message, or the film that follows it if it says how far that is drawn."""
    if "Making the film" not in text_of(message):
        return message

    def find(seen: list[Json]) -> Json | None:
        newer = (one for one in seen if int(one["id"]) > int(message["id"]))
        return next((one for one in newer if "move by move" in text_of(one)), None)

    return await found_in(player, find)


@pytest.mark.soak
async def test_a_finished_game_is_watched_and_played_again(resumed: Resumed) -> None:
    name = "finished and taken back"
    emmy = resumed.at(name, "Emmy")
    film = await changed(emmy, await resumed.message(name, "Emmy"), "watch:")
    assert "move by move" in text_of(await after_progress(emmy, film))
    name = "finished alaric"
    ada, emmy = resumed.at(name, "Ada"), resumed.at(name, "Emmy")
    last = await resumed.message(name, "Ada")
    known = {panel.match for panel in await panels(ada)}
    await press(emmy, last, "rematch:")
    await message_with(ada, "for a rematch of")
    await press(ada, last, "rematch:")
    assert (await begun(ada, known)).turn in (ada.id, emmy.id)


@pytest.mark.parametrize(
    "name",
    [
        "second game of two",
        *(pytest.param(it, marks=pytest.mark.soak) for it in ("board with clock", "board of polygons")),
    ],
)
async def test_later_board_is_played_on(resumed: Resumed, name: str) -> None:
    panel = await resumed.board(name)
    assert (await moved(resumed.on_turn(name, panel), panel)).turn not in (None, panel.turn)


async def test_board_left_behind_is_brought_up_to_date(resumed: Resumed) -> None:
    """The stored move that no board showed is shown by the bot without a press."""
    ada = resumed.at("board left behind", "Ada")
    assert NAMED["board left behind"]["match"] is not None
    panel = await panel_at(ada, NAMED["board left behind"]["match"], 3)
    assert (await moved(resumed.on_turn("board left behind", panel), panel)).plies == 4


async def test_game_against_the_computer_goes_on(resumed: Resumed) -> None:
    panel = await resumed.board("game against the computer")
    emmy = resumed.on_turn("game against the computer", panel)
    await press(emmy, panel.message, next(iter(panel.moves.values())))
    after = await my_turn(emmy, panel.match, panel.plies)
    assert after.turn in (None, emmy.id)


async def test_the_settings_of_the_server_are_unchanged(resumed: Resumed) -> None:
    """Nothing new is posted before a manager decides so."""
    ada, (results, _, _, _) = resumed.at("settings", "Ada"), EXPECTED["server"]
    page = await open_settings(ada)
    assert chosen(page, "setting:clock") == ["3d"]
    assert chosen(page, "setting:threads") == ["channel"]
    assert chosen(page, "setting:channels") == []
    page = await open_settings(ada, "Posts in channels")
    assert chosen(page, "setting:results") == [results]
    assert chosen(page, "setting:puzzles") == [NAMED["puzzle of the day"]["channel"]]
    assert chosen(page, "setting:weekly-moment") == ["off"]
    page = await open_settings(ada, "Members")
    assert chosen(page, "setting:reports") == chosen(page, "setting:excluded") == []


@pytest.mark.soak
async def test_later_challenges_are_accepted(resumed: Resumed) -> None:
    ada, grace, emmy = (resumed.at("open lobby", member) for member in ("Ada", "Grace", "Emmy"))
    known = {panel.match for panel in await panels(ada)}
    message = await resumed.message("challenge of any game", "Grace")
    answer = await grace.choose(message, button(message, "choose-game:"), "alaric")
    assert answer["outcome"] != "failed", answer
    assert (await begun(ada, known)).turn in (ada.id, grace.id)
    message = await resumed.message("open lobby", "Emmy")
    await press(emmy, message, "accept:")
    await until(emmy, message, "**2 of 6 have joined:**")


PRIVATE = (
    ("more", "Ada", "letters:", "", "A ring of 13 cells"),
    ("more", "Ada", "rules:", "", "Bill Taylor"),
    ("more", "Ada", "draw:", "", "It stays open until the next move."),
    ("preferences", "Grace", "prefer:theme", "paper", "Forced moves"),
    ("settings", "Ada", "setting:podium", "off", "The podium"),
    ("help", "Ada", "help:commands", "", "/challenge"),
    ("help", "Ada", "help:rules", "skull", "Skull"),
    ("leaderboard", "Ada", "ladder-board:", "everywhere:season", "Leaderboard: All games"),
    ("leaderboard", "Ada", "ladder-game:", "skull", "Leaderboard: "),
    ("profile", "Grace", "career-in:", "", "###"),
    ("profile", "Grace", "career:", "alaric", "###"),
    ("history", "Grace", "history:watch", str(NAMED["finished before a rematch"]["match"]), "move by move"),
    ("history", "Grace", "history:older", "", "Finished games"),
    ("achievements", "Grace", "achievements:watch", "1:skull.yorick", "move by move"),
    ("games", "Ada", "games:", "", "#"),
    ("replay", "Ada", "step:", "", "#1"),
    ("import", "Ada", "record:", "", "Alaric, from a file"),
    ("privacy", "Ada", "privacy:export", "", "Everything that Pencilbox keeps about you"),
    ("cards in hand", "Grace", "order:", "", "You hold"),
    ("review shown to the channel", "Grace", "review:", "", "Review of Alaric"),
    ("lesson", "Emmy", "try:", "", "step 2 of 6"),
    ("puzzle", "Grace", "solve:", "", "Alaric"),
    ("puzzle of the day", "Grace", "puzzle:", "", "Puzzle of"),
    ("posts in channels", "Ada", "setting:puzzle-hour", "9", "The post of the week"),
    ("rules", "Emmy", "how:", "", "Maze"),
)
"""A message, the member who uses it, the custom id, what is chosen, and words of the private answer."""


@pytest.mark.parametrize(
    ("name", "member", "start", "chosen", "words"),
    [
        pytest.param(*it, id=f"{it[0]}-{it[2]}", marks=[pytest.mark.soak] if number % 6 else [])
        for number, it in enumerate(PRIVATE)
    ],
)
async def test_a_message_is_answered_privately(
    resumed: Resumed, name: str, member: str, start: str, chosen: str, words: str
) -> None:
    message = await resumed.message(name, member)
    player = resumed.at(name, member)
    answer = await changed(player, message, start, *filter(None, [chosen]), words=words)
    assert "any more" not in text_of(answer)


async def test_a_review_that_is_asked_for_again_leads_to_its_moments(resumed: Resumed) -> None:
    """Of reviews themselves nothing is stored, so the buttons of an older review work once another one was made."""
    grace, emmy = resumed.at("finished and reviewed", "Grace"), resumed.at("review", "Emmy")
    review = await changed(grace, await resumed.message("finished and reviewed", "Grace"), "review:")
    assert "Review of Alaric" in text_of(review)
    moment = await changed(emmy, await resumed.message("review", "Emmy"), "moment:")
    assert "moment 1 of" in text_of(moment)


async def test_manager_decides_what_changes(resumed: Resumed) -> None:
    """The form shows what the server has. What it changes is for new games; those that run keep their clocks."""
    ada, board = resumed.at("settings", "Ada"), text_of(await resumed.message("board with clock", "Ada"))
    results, puzzles = EXPECTED["server"][0], NAMED["puzzle of the day"]["channel"]
    page = await open_settings(ada)
    opened = await ada.press(page, button(page, "setup"))
    parts = {it["custom_id"]: it for it in (part["component"] for part in opened["modal"]["components"])}
    shown = {name: [it["id"] for it in parts[name].get("default_values", ())] for name in parts}
    assert (shown["games"], shown["puzzles"], shown["results"]) == ([], [puzzles], [results])
    hour, clock = (
        next(it["value"] for it in parts[name]["options"] if it.get("default")) for name in ("hour", "clock")
    )
    assert clock == "3d"
    await ada.submit(opened, puzzles=[puzzles], hour=[hour], results=[results], clock=["24h"])
    await until(ada, page, "### Pencilbox is set up")
    page = await open_settings(ada)
    assert chosen(page, "setting:clock") == ["24h"]
    assert chosen(page, "setting:threads") == ["channel"]
    page = await open_settings(ada, "Posts in channels")
    assert chosen(page, "setting:weekly-moment") == ["on"]
    assert text_of(await resumed.message("board with clock", "Ada")) == board
    known = {it["id"] for it in await ada.messages()}
    await ada.command("challenge", game="alaric")
    card = await newest(ada, lambda it: it["id"] not in known and "accept:" in str(it))
    assert "1 day for each move" in text_of(card)
