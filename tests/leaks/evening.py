"""A random evening in two servers and in direct messages: members use everything that they see, and hide rows."""

import re
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime
from functools import partial
from itertools import groupby
from pathlib import Path
from random import Random

from sqlalchemy import Executable, text, update

from bot.sandbox import Sandbox
from db.engine import open_store
from db.models import EventRow, VoteGameRow
from db.values.events import EventState
from db.values.places import Place
from tests.activity.pages import SECRET, Page, Pages
from tests.contract.player import Player, Refused, players_by_server
from tests.e2e import secret_rows
from tests.e2e.bot_process import BotProcess, bot_at
from tests.e2e.events.meeting import begin, begin_match, begin_votes
from tests.e2e.messages import (
    answered,
    choose,
    components,
    found_in,
    message_with,
    open_preferences,
    open_settings,
    press,
)
from tests.e2e.panels import Panel, boards_in, panel_at, panels
from tests.e2e.play import by_more, challenge
from tests.leaks.anything import Anything, Json
from tests.leaks.capture import Captured, capturing
from tests.leaks.notations import LONG_ROWS
from tests.leaks.search import Elsewhere, HiddenRow, Secrets
from tests.waiting import wait_while

TOKEN = "MTI3.planted-token.u8Zq1-never-tell"
GROUP = "Whispering Ferns"
SERVERS = ("Copper Lantern", "Velvet Harbour")
LOOKS: tuple[tuple[str, Json], ...] = (
    ("board", {"as_text": True}), ("games", {}), ("replay", {}),
)  # fmt: skip
"""Commands by which members look at a game of which a part is hidden."""
LAY = "Lay my cards"
EVENTS = range(1, 11)
"""The games of members besides which one of five kinds of events is played, too, each in or from both servers."""


@dataclass
class Evening:
    """Members, the bot, and what has left it."""

    local: Sandbox
    bot: BotProcess
    folder: Path
    url: str
    """DATABASE_URL; nothing means the SQLite file in the folder."""
    people: list[list[Player]]
    captured: Captured
    chance: Random
    pages: Pages
    secrets: Secrets = field(default_factory=Secrets)
    anything: Anything = field(init=False)

    def __post_init__(self) -> None:
        self.anything = Anything(self.people, self.chance)

    async def hide_rows(self, one: Player, other: Player, others: list[Player]) -> None:
        """Two members begin a game and lay a row each; meanwhile all look at it, and its database fails once."""
        since = self.captured.at
        panel = await challenge(one, other, "palindromes", LONG_ROWS)
        await self._lay_rows([one, other], others, panel.match, since)

    async def _page(self, stack: AsyncExitStack, player: Player, panel: Panel) -> Page:
        """Open the page of a member at a game, and let it ask for more than it may know."""
        place = Place(int(self.guild_of(player)), int(player.channel))
        observe = partial(self.captured.page, place, player.id)
        page = await stack.enter_async_context(self.pages.page(int(player.id), place, observe))
        while page.counts["games"] == 0:
            await page.arrived()
        await page.send(type="open", match=panel.match)
        await page.shows(panel.match)
        for asked in ("R", "RBR"):
            await page.send(type="preview", match=panel.match, ply=panel.plies, move=f"find {asked}")
        await page.send(type="hint", match=panel.match)
        await page.send(type="look", ply=0)
        await page.send(type="look", ply=2**31)
        return page

    async def _lay_rows(self, owners: list[Player], others: list[Player], match: int, since: int) -> None:
        """Let members lay a row each, and everybody look at the game meanwhile."""
        everybody, rows = [*owners, *others], []
        async with AsyncExitStack() as stack:
            pages = [await self._page(stack, it, await _board(it, match)) for it in everybody]
            for one in others:
                await _press_lay(one, match)
            for laid, player in enumerate(owners):
                message = await _hand(player, match)
                reds, blacks = secret_rows.held(message)
                row = self._shuffled("R" * reds + "B" * blacks)
                message = await secret_rows.type_row(player, message, row)
                if not laid:
                    await self._fail_to_store(player, message)
                # Each member looks at one of the moments at least.
                await self._look_around(everybody[laid:] if player is owners[-1] else owners, match)
                # `/board` has posted the board again.
                message = await _hand(player, match)
                message = await secret_rows.type_row(player, message, row)
                until = self.captured.at
                await secret_rows.seal(player, message)
                rows.append((player.id, row))
            assert min(it.counts["board"] for it in pages) > 0
        # What is sent from the last seal on may show all rows. The log may tell none, ever.
        self.secrets.rows += [HiddenRow(row, owner, since, until) for owner, row in rows]
        self.anything.done["rows hidden"] += len(rows)

    def _shuffled(self, cards: str) -> str:
        """Return a row of these cards in which neither colour is one block, whose places any count would tell."""
        row = ""
        while len(list(groupby(row))) < 4:
            row = "".join(self.chance.sample(cards, len(cards)))
        return row

    async def volunteer(self, *sides: Sequence[Player]) -> None:
        """Volunteers lay the rows of a vote game, of two servers or against a computer player.

        Of each side there are a manager and two members who volunteer.
        """
        since, guilds = self.captured.at, [self.guild_of(side[0]) for side in sides]
        if len(sides) == 2:
            managers = sides[0][0], sides[1][0]
            self._keep(await begin_votes(*managers, "palindromes"), *managers)
        else:
            terms = {"level": ["1"], "every": ["10"], "hour": ["after"], "shown": ["names"]}
            await begin(sides[0][0], "Start a vote game", game=["palindromes"], **terms)
        for _, *members in sides:
            panel = await found_in(members[0], partial(_board_saying, words="Nobody has volunteered yet."))
            for one in members:
                await one.press(panel.message, panel.buttons["Volunteer"])
            await found_in(members[0], partial(_board_saying, words="2 members have volunteered."))
        now = datetime.now(UTC)
        ending = update(VoteGameRow).where(VoteGameRow.match_id == panel.match)
        await self._change(ending.values(first_at=now, due_at=now))
        owners, others = list[Player](), list[Player]()
        for guild, (manager, *members) in zip(guilds, sides, strict=True):
            panel = await found_in(members[0], partial(_board_saying, words="was drawn by lot"))
            drawn = [f"<@{it.id}> was drawn" in panel.text for it in members]
            owners.append(members[drawn.index(True)])
            others += [manager, members[drawn.index(False)]]
            # Lists name opponents in other games, too.
            about = re.compile(rf'### [^"\\]*#{panel.match}\b|"match": {panel.match}\b')
            words = tuple(word for it in members for word in (it.name, it.id))
            self.secrets.elsewhere.append(
                Elsewhere(guild, words, "of volunteers of the other side", about=about)
            )
        await self._lay_rows(owners, others, panel.match, since)

    async def play_cup(self, one: Player, other: Player, third: Player) -> None:
        """Two members play a cup, whose organiser looks on; those that chance has opened leave room for it."""
        cups = EventRow.season.is_(None), EventRow.games.is_(None), EventRow.ended_at.is_(None)
        ended = {"state": EventState.CANCELLED, "ended_at": datetime.now(UTC)}
        await self._change(update(EventRow).where(*cups).values(**ended, version=EventRow.version + 1))
        await answered(third, "cup", game="palindromes", size=LONG_ROWS, players=2)
        await self._join("opens a cup for up to 2 players", [one, other], [third])

    async def play_league(self, manager: Player, one: Player, other: Player) -> None:
        """Two members play the month of a league, whose beginning is put forward."""
        settings = await open_settings(manager, "Events")
        settings = await choose(manager, settings, "setting:league-channel", manager.channel)
        await choose(manager, settings, "setting:leagues", "palindromes")

        async def begins() -> None:
            await message_with(manager, "**2 take part:**")
            now, month = datetime.now(UTC), EventRow.season.is_not(None)
            starting = update(EventRow).where(month, EventRow.state == EventState.OPEN)
            await self._change(starting.values(starts_at=now, due_at=now, version=EventRow.version + 1))

        await self._join("League: The Palindromic Card Game", [one, other], [manager], begins)

    async def play_match(self, *sides: Sequence[Player]) -> None:
        """The last of three members of each of two servers play a match; the others look on."""
        managers = sides[0][0], sides[1][0]
        self._keep(await begin_match(*managers, "palindromes"), *managers)
        others = [it for side in sides for it in side[:2]]
        await self._join("Before you join", [side[2] for side in sides], others)

    async def _join(
        self,
        card: str,
        players: list[Player],
        others: list[Player],
        begins: Callable[[], Awaitable[None]] | None = None,
    ) -> None:
        """Let two players join an event by its newest card, and lay their rows in its first game."""
        since, before = self.captured.at, {it.match for it in await panels(players[0])}
        for one in players:
            await press(one, await message_with(one, card), "Join")
        if begins is not None:
            await begins()
        panel = await found_in(
            players[0],
            lambda seen: next(
                (it for it in boards_in(seen) if it.match not in before and LAY in it.buttons), None
            ),
        )
        await self._lay_rows(players, others, panel.match, since)

    def _keep(self, code: str, *managers: Player) -> None:
        """Search for a code, which only these managers may see."""
        self.secrets.codes[code] = frozenset(it.id for it in managers)

    def guild_of(self, player: Player) -> str:
        """Return the server in which a member acts."""
        return str(self.local.world.channels[player.channel]["guild_id"])

    async def foresee(self, one: Player, other: Player) -> None:
        """A member enters a conditional move in a game with another, who then looks at everything and moves so."""
        panel = await challenge(one, other, "alaric", "quick")
        mover, waiter = (one, other) if panel.turn == one.id else (other, one)
        await by_more(waiter, panel.match, "conditional")
        for plies, move in enumerate(("3", "5")):
            message = await found_in(waiter, partial(foreseeing, match=panel.match, plies=plies))
            await waiter.press(message, foreseen_id(message, move))
        await found_in(waiter, partial(foreseeing, match=panel.match, plies=2))
        await self._look_around([mover], panel.match)
        panel = await panel_at(mover, panel.match, 0)
        await mover.press(panel.message, panel.moves["3"])
        assert "answered with a conditional move" in (await panel_at(mover, panel.match, 2)).text
        self.anything.done["moves foreseen"] += 1

    async def _look_around(self, players: list[Player], match: int) -> None:
        for player in players:
            for name, options in LOOKS:
                with suppress(AssertionError):
                    await player.command(name, **options)
            with suppress(AssertionError):
                await player.autocomplete("move", "move", move="r")
                await player.command("board", number=match)
                await by_more(player, match, "save")
        for player in players:
            await found_in(player, lambda seen: all(it["state"] != "thinking" for it in seen) or None)

    async def _fail_to_store(self, player: Player, message: Json) -> None:
        """Let the database refuse a row once, with an error that could quote it."""
        words = 'relation "plies" does not exist' if self.url else "no such table: plies"
        errors = self.bot.log.count(words)
        await self._change(text("ALTER TABLE plies RENAME TO plies_away"))
        try:
            await player.press(message, secret_rows.buttons(message)["Seal it"])
            await wait_while(lambda: self.bot.log.count(words) == errors)
        finally:
            await self._change(text("ALTER TABLE plies_away RENAME TO plies"))

    async def _change(self, statement: Executable) -> None:
        """Change the bot's database."""
        opened = open_store(self.url or None, self.folder, prepared=True)
        async with opened as store, store.sessions.write() as session:
            await session.execute(statement)


def foreseeing(seen: list[Json], match: int, plies: int) -> Json | None:
    """The private board for conditional moves that stands after so many moves."""
    start = re.compile(rf"if:{match}:[0-9]+:{plies}:")
    return next((it for it in seen if any(start.match(part) for part in custom_ids(it))), None)


def foreseen_id(message: Json, text: str) -> str:
    """The custom id of the button for a move on such a board."""
    return next(it for it in custom_ids(message) if it.startswith("if:") and it.endswith(f":{text}"))


def _board_saying(seen: list[Json], words: str) -> Panel | None:
    """The newest board of a vote game that says these words."""
    boards = (it for it in reversed(boards_in(seen)) if "Volunteer" in it.buttons)
    return next((it for it in boards if words in it.text), None)


def custom_ids(message: Json) -> list[str]:
    return [part["custom_id"] for part in components(message) if "custom_id" in part]


async def _board(player: Player, match: int) -> Panel:
    """The board of a game where a member acts, while rows are laid."""

    def find(seen: list[Json]) -> Panel | None:
        right = (it for it in reversed(boards_in(seen)) if it.match == match and LAY in it.buttons)
        return next(right, None)

    return await found_in(player, find)


async def _press_lay(player: Player, match: int) -> None:
    """Press the button that shows a hand on the newest board, which can change while it is read."""
    for last in (False, False, True):
        board = await _board(player, match)
        try:
            await player.press(board.message, board.buttons[LAY])
        except Refused:
            if last:
                raise
        else:
            return


async def _hand(player: Player, match: int) -> Json:
    """The message that shows a player their hand; late answers to what they did before may come meanwhile."""
    before = {message["id"] for message in await player.messages()}

    await _press_lay(player, match)
    return await found_in(
        player,
        lambda seen: next(
            (it for it in seen if it["id"] not in before and "Type the row" in secret_rows.buttons(it)), None
        ),
    )


@asynccontextmanager
async def evening(folder: Path, seed: object, url: str = "") -> AsyncIterator[Evening]:
    """Two servers with a bot, and a group of members of the first; an evening that has not begun."""
    captured = Captured()
    made = Sandbox(
        channels=("general", "lounge"), servers=2, guild=SERVERS[0], token=TOKEN, observe=captured.request
    )
    async with AsyncExitStack() as stack:
        local = await stack.enter_async_context(made)
        for user in local.world.users.values():
            # No name may hold another one, as "Ada 2" does.
            user["global_name"] = (user["global_name"] or "").replace(" 2", "na") or None
        people = await stack.enter_async_context(players_by_server(local.url, local.world))
        secrets = Secrets(never=[TOKEN, SECRET])
        for number, (id_, guild) in enumerate(local.world.guilds.items()):
            guild["name"] = SERVERS[number]
            channels = [one for one in local.world.channels.values() if one.get("guild_id") == id_]
            for channel in channels:
                channel["name"] = f"{'amber' if number else 'cobalt'}-{channel['name']}"
            words = (id_, *(one[key] for one in channels for key in ("id", "name")))
            secrets.elsewhere.append(Elsewhere(id_, words, f"of server {id_}", SERVERS[number]))
        stack.enter_context(capturing(local, captured))
        pages = Pages(local)
        settings = {
            **pages.settings,
            "DISCORD_TOKEN": TOKEN,
            "PENCILBOX_LOG_LEVEL": "debug",
            "DATABASE_URL": url,
        }
        bot = await stack.enter_async_context(bot_at(local.url, folder, **settings))
        first = people[0]
        for player in first:
            await player.post("install")
        group = await first[0].post("direct", **{"with": [one.id for one in first[1:]], "name": GROUP})
        secrets.direct[group["id"]] = ((GROUP, group["id"]), frozenset(one.id for one in first))
        hermit = people[1][2]
        await choose(hermit, await open_preferences(hermit, "Members"), "prefer:listed", "off")
        home = list(local.world.guilds)[1]
        secrets.elsewhere.append(Elsewhere(home, (hermit.name, hermit.id), "of a member who is not listed"))
        everywhere = [*people, [one.elsewhere(group["id"]) for one in first]]
        made_evening = Evening(
            local, bot, folder, url, everywhere, captured, Random(f"{seed} evening"), pages, secrets
        )
        yield made_evening
        secrets.unlogged += [one.token for one in local.world.interactions.values()]


async def spend(evening: Evening, steps: int, games: int) -> None:
    """Let so many things happen, and hide rows in so many games meanwhile."""
    lounges = [
        next(it["id"] for it in evening.local.world.channels_of(guild) if it["name"].endswith("lounge"))
        for guild in evening.local.world.guilds
    ]
    for number in range(games):
        here, there = (
            [it.elsewhere(lounges[index]) for it in evening.people[index]]
            for index in (number % 2, 1 - number % 2)
        )
        await evening.hide_rows(here[0], here[1], here[2:])
        await evening.foresee(here[0], here[1])
        match number % 5 if number in EVENTS else None:
            case 0:
                await evening.volunteer(here, there)
            case 1:
                await evening.play_cup(*here)
            case 2:
                await evening.play_league(*here)
            case 3:
                await evening.play_match(here, there)
            case 4:
                await evening.volunteer(here)
        for _ in range(steps // games):
            await evening.anything.once()
