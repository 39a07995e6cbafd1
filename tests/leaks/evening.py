"""A random evening in two servers and in direct messages: members use everything that they see, and hide rows."""

import re
import sqlite3
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager, closing, suppress
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from random import Random

from bot.sandbox import Sandbox
from db.address import FILE_NAME
from db.values.places import Place
from tests.activity.pages import SECRET, Page, Pages
from tests.contract.player import Player, players_by_server
from tests.e2e import secret_rows
from tests.e2e.bot_process import BotProcess, bot_at
from tests.e2e.messages import choose, components, found_in, open_preferences, open_settings
from tests.e2e.panels import Panel, boards_in, panel_at
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
GAMES_BETWEEN = 11
"""Games of members after which a vote game is played, too, whose deadline is put forward in the file of SQLite."""
NO_TABLE = "no such table: plies"
"""Words of the database's error."""


@dataclass
class Evening:
    """Members, the bot, and what has left it."""

    local: Sandbox
    bot: BotProcess
    folder: Path
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
        first = await challenge(one, other, "palindromes", LONG_ROWS)
        async with AsyncExitStack() as stack:
            opened = [await self._page(stack, player, first) for player in (one, other, *others)]
            await self._lay_rows(one, other, others, first, since)
            shown = [page.counts["board"] for page in opened]
        assert min(shown) > 0, shown

    async def _page(self, stack: AsyncExitStack, player: Player, panel: Panel) -> Page:
        """Open the page of a member at a game, and let it ask for more than it may know."""
        channel = self.local.world.channels[player.channel]
        place = Place(int(channel["guild_id"]), int(channel["id"]))
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

    async def _lay_rows(
        self, one: Player, other: Player, others: list[Player], first: Panel, since: int
    ) -> None:
        rows, panel = [], first
        for plies, player in enumerate((one, other), 1):
            message = await _hand(player, panel)
            reds, blacks = secret_rows.held(message)
            row = "".join(self.chance.sample("R" * reds + "B" * blacks, reds + blacks))
            message = await secret_rows.type_row(player, message, row)
            if plies == 1:
                await self._fail_to_store(player, message)
            # Each member looks at one of the two moments at least.
            await self._look_around([other, *others] if plies == 2 else [one, other], first.match)
            # `/board` has posted the board again.
            panel = await panel_at(player, panel.match, panel.plies)
            message = await secret_rows.type_row(player, await _hand(player, panel), row)
            until = self.captured.at
            await secret_rows.seal(player, message)
            rows.append((player.id, row))
            panel = await panel_at(player, first.match, first.plies + plies)
        # What is sent from the second seal on may show both rows. The log may tell neither, ever.
        self.secrets.rows += [HiddenRow(row, owner, since, until) for owner, row in rows]
        self.anything.done["rows hidden"] += 1

    async def volunteer(self, manager: Player, player: Player, other: Player) -> None:
        """A volunteer lays the row of a vote game against a computer player; meanwhile all look at it."""
        since = self.captured.at
        page = await open_settings(manager, "Events")
        opened = await manager.press(page, secret_rows.buttons(page)["Start a vote game"])
        terms = {"level": ["1"], "every": ["10"], "hour": ["after"], "shown": ["names"]}
        await manager.submit(opened, game=["palindromes"], **terms)
        panel = await found_in(player, partial(_board_saying, words="Nobody has volunteered yet."))
        for one in (player, other):
            await one.press(panel.message, panel.buttons["Volunteer"])
        await found_in(player, partial(_board_saying, words="2 members have volunteered."))
        self._change_database(
            "UPDATE vote_games SET due_at = datetime(due_at, '-1 hour') || '.000000',"
            f" first_at = datetime(first_at, '-1 hour') || '.000000' WHERE match_id = {panel.match}"
        )
        panel = await found_in(player, partial(_board_saying, words="was drawn by lot"))
        drawn, others = player, [manager, other]
        if f"<@{player.id}> was drawn" not in panel.text:
            drawn, others = other, [manager, player]
        async with AsyncExitStack() as stack:
            opened_pages = [await self._page(stack, one, panel) for one in (drawn, *others)]
            for one in others:
                await one.press(panel.message, panel.buttons["Lay my cards"])
            message = await _hand(drawn, panel)
            reds, blacks = secret_rows.held(message)
            row = "".join(self.chance.sample("R" * reds + "B" * blacks, reds + blacks))
            message = await secret_rows.type_row(drawn, message, row)
            await self._look_around([drawn, *others], panel.match)
            until = self.captured.at
            await secret_rows.seal(drawn, message)
            assert min(it.counts["board"] for it in opened_pages) > 0
        self.secrets.rows.append(HiddenRow(row, drawn.id, since, until))
        self.anything.done["volunteers' rows hidden"] += 1

    async def foresee(self, one: Player, other: Player) -> None:
        """A member enters a conditional move in a game with another, who then looks at everything and moves so."""
        panel = await challenge(one, other, "alaric", "quick")
        mover, waiter = (one, other) if panel.turn == one.id else (other, one)
        await by_more(waiter, panel.match, "conditional")
        for plies, text in enumerate(("3", "5")):
            message = await found_in(waiter, partial(foreseeing, match=panel.match, plies=plies))
            await waiter.press(message, foreseen_id(message, text))
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
        if not (self.folder / FILE_NAME).exists():
            return
        errors = self.bot.log.count(NO_TABLE)
        self._change_database("ALTER TABLE plies RENAME TO plies_away")
        try:
            await player.press(message, secret_rows.buttons(message)["Seal it"])
            await wait_while(lambda: self.bot.log.count(NO_TABLE) == errors)
        finally:
            self._change_database("ALTER TABLE plies_away RENAME TO plies")

    def _change_database(self, statement: str) -> None:
        with closing(sqlite3.connect(self.folder / FILE_NAME, timeout=20)) as database:
            database.execute(statement)
            database.commit()


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


async def _hand(player: Player, panel: Panel) -> Json:
    """The message that shows a player their hand; late answers to what they did before may come meanwhile."""
    before = {message["id"] for message in await player.messages()}
    await player.press(panel.message, panel.buttons["Lay my cards"])
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
        people = await stack.enter_async_context(players_by_server(local.url, local.world))
        secrets = Secrets(never=[TOKEN, SECRET])
        for number, (id_, guild) in enumerate(local.world.guilds.items()):
            guild["name"] = SERVERS[number]
            channels = [one for one in local.world.channels.values() if one.get("guild_id") == id_]
            for channel in channels:
                channel["name"] = f"{'amber' if number else 'cobalt'}-{channel['name']}"
            words = [SERVERS[number], id_, *(one[key] for one in channels for key in ("id", "name"))]
            secrets.servers.append(Elsewhere(id_, tuple(words)))
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
        secrets.unlisted[hermit.id] = ((hermit.name, hermit.id), list(local.world.guilds)[1])
        everywhere = [*people, [one.elsewhere(group["id"]) for one in first]]
        made_evening = Evening(
            local, bot, folder, everywhere, captured, Random(f"{seed} evening"), pages, secrets
        )
        yield made_evening
        secrets.unlogged += [one.token for one in local.world.interactions.values()]


async def spend(evening: Evening, steps: int, games: int) -> None:
    """Let so many things happen, and hide rows in so many games meanwhile."""
    for number in range(games):
        server = evening.people[number % 2]
        guild = list(evening.local.world.guilds)[number % 2]
        lounge = next(
            one["id"]
            for one in evening.local.world.channels.values()
            if one.get("guild_id") == guild and one["name"].endswith("lounge")
        )
        one, other, third = (player.elsewhere(lounge) for player in server)
        await evening.hide_rows(one, other, [third])
        await evening.foresee(one, other)
        if number % GAMES_BETWEEN == 1 and (evening.folder / FILE_NAME).exists():
            await evening.volunteer(one, other, third)
        for _ in range(steps // games):
            await evening.anything.once()
