"""The base of all rules: two processes on one store, and what the test knows of it."""

import asyncio
import shutil
import sqlite3
from collections.abc import Awaitable, Callable
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import Any

from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, rule

from bot.app.clocks.arithmetic import out_of_time
from bot.app.errors import Refused
from bot.app.matches.loaded import LoadedMatch
from bot.operators.check import check
from db.engine import open_store
from db.inspection import Finding
from db.store import Store
from db.values.challenges import Challenge
from db.values.places import DiscordId, Place, former
from db.values.servers import ServerSettings
from rules.core.errors import RuleError
from tests.app.conftest import DrivenClock, Host
from tests.app.stateful.checks import check_variations
from tests.app.stateful.oracle import Oracle
from tests.app.stateful.snapshot import Snapshot
from tests.app.stateful.strategies import GUILDS, STRANGER
from tests.state_machines import Run

PROCESSES = 2

Rows = dict[str, list[Any]]


def served(**drawn: st.SearchStrategy[Any]) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Make a rule of a HostMachine that one of the processes serves."""

    def made(does: Callable[..., None]) -> Callable[..., None]:
        def serve(self: "Base", process: int, **given: Any) -> None:
            self.served_by(process)
            does(self, **given)

        serve.__name__, serve.__doc__ = does.__name__, does.__doc__
        deciding: Callable[..., Callable[..., Callable[..., None]]] = rule
        return deciding(process=st.integers(0, PROCESSES - 1), **drawn)(serve)

    return made


@dataclass
class Choices:
    """The choices that members and managers were told are stored."""

    blocks: set[tuple[DiscordId, DiscordId]] = field(default_factory=set)
    """Pairs of a member and a member they blocked."""
    away: dict[DiscordId, datetime] = field(default_factory=dict)
    guilds: dict[DiscordId, ServerSettings] = field(
        default_factory=lambda: {guild: ServerSettings(guild) for guild in GUILDS}
    )

    def together(self, user: DiscordId, others: tuple[DiscordId, ...]) -> bool:
        return not any({(user, other), (other, user)} & self.blocks for other in others)

    def asking(self, user: DiscordId, others: tuple[DiscordId, ...], now: datetime) -> bool:
        """True if a member may challenge others, limits aside."""
        there = all(other not in self.away or self.away[other] <= now for other in others)
        return there and self.together(user, others)

    def playing(self, place: Place, game: str) -> bool:
        """True if a game may begin at a place."""
        if place.guild is None:
            return True
        found = self.guilds[place.guild]
        return game not in found.withheld and (not found.channels or place.channel in found.channels)


class Base(RuleBasedStateMachine):
    """A machine without rules."""

    host: Host
    """The process that serves this step."""

    def __init__(self, prepared: Path, folder: Path, run: Run) -> None:
        super().__init__()
        shutil.copytree(prepared, folder)
        self.folder, self.run = folder, run
        self.clock = DrivenClock()
        self.oracle = Oracle()
        self.choices = Choices()
        self.boards: list[LoadedMatch] = []
        """Every board that was ever shown, as it stood then."""
        self.promised: dict[int, list[int]] = {}
        """The matches that began by each standing offer."""
        self.messages = 0
        self.file = sqlite3.connect(folder / "pencilbox.sqlite3")
        self.opened: dict[int, AbstractAsyncContextManager[Store]] = {}
        self.hosts = [self.begun(process) for process in range(PROCESSES)]
        self.served_by(0)

    def begun(self, process: int) -> Host:
        """Start a process, which knows nothing but what is stored."""
        self.opened[process] = open_store(None, self.folder, prepared=True)
        return Host(self.run(self.opened[process].__aenter__()), self.clock)

    def teardown(self) -> None:
        self.run(self.oracle.close(self.host.store))
        findings: list[Finding] = []
        checked = self.run(check(None, self.folder, findings.append, self.clock.now()))
        assert not findings, "\n".join(map(str, findings))
        assert checked.matches
        for opened in self.opened.values():
            self.run(opened.__aexit__(None, None, None))
        self.file.close()

    def served_by(self, process: int) -> None:
        self.host, self.other = self.hosts[process], self.hosts[process - 1]

    @invariant()
    def look(self) -> None:
        """Look through the process that did not do it."""
        self.run(self.oracle.look(self.other.store, self.clock.now(), self.stored()))

    # What is known

    @property
    def snapshot(self) -> Snapshot:
        """Everything as it stands now, read again where it has changed since the last look."""
        found: Snapshot = self.run(self.oracle.snapshot(self.other.store, self.stored()))
        return found

    def stored(self) -> Rows:
        """Every row of every table, except the time at which the host was last connected."""
        names = self.file.execute("SELECT name FROM sqlite_master WHERE type = 'table' AND name != 'alive'")
        return {name: self.file.execute(f"SELECT * FROM {name}").fetchall() for (name,) in names.fetchall()}

    def attempt(self, what: Callable[[], Awaitable[Any]], *, may: bool | None = None) -> Any:
        """The host's answer; None if it refuses, in a sentence, and nothing has changed.

        `may` says if it must accept, where that is known.
        """
        if not may:  # else a refusal is wrong anyway
            self.here()
        before = None if may else self.stored()
        try:
            done = self.run(what())
        except (Refused, RuleError) as error:
            refusal = error
        else:
            assert may is not False, "done, and not refused"
            return done
        check_refusal(refusal)
        assert may is not True, f"refused: {refusal}"
        assert self.stored() == before, f"refused, and yet done: {refusal}"
        return None

    async def told(self, doing: Awaitable[Any]) -> Any:
        """The host's answer to one of several members; None if it refuses, in a sentence."""
        try:
            return await doing
        except (Refused, RuleError) as refusal:
            check_refusal(refusal)
            return None

    def here(self) -> None:
        """Let this process give back lost time now, if it is to do that."""
        self.run(self.host.services.matches.move_log.shard_clocks.note_connected())

    def shown(self, match: int) -> LoadedMatch:
        """The match, after the client has shown it and done what goes with that; after the first game of two the
        second is shown too."""

        async def show() -> LoadedMatch:
            await self.host.services.matches.load(match)
            await self.host.services.proposals.close_decided(match)
            await self.host.services.conditional_moves.settle(await self.host.services.matches.load(match))
            return await self.host.services.matches.load(match)

        loaded: LoadedMatch = self.run(show())
        if not any((board.id, board.shown) == (match, loaded.shown) for board in self.boards):
            self.boards.append(loaded)
        check_variations(loaded, self.run(self.host.store.variations.of_match(match)), late=self.late(loaded))
        if loaded.stored.games == 2 and loaded.stored.first is None and loaded.match.over:
            second = self.run(self.host.store.matches.second_game(match))
            if second is not None:
                self.shown(second)
        return loaded

    def late(self, loaded: LoadedMatch) -> bool:
        """True if time has decided the match already, after lost time was given back."""
        if loaded.stored.time_control is None:
            return False
        self.here()
        stored = self.run(self.host.store.matches.load(loaded.id))
        return bool(out_of_time(stored.clocks, self.clock.now()))

    def begin(self, offer: Challenge, loaded: LoadedMatch | None) -> None:
        """Do what the client does after a challenge was answered: show a match that has begun, perhaps in a thread."""
        if loaded is None:
            return
        assert loaded.id not in self.oracle.begun, "a challenge has begun two games, or one game twice"
        self.oracle.begun[loaded.id] = offer
        place = loaded.stored.place
        if place.guild is not None and self.run(self.host.services.preferences.guild(place.guild)).threads:
            self.run(self.host.store.matches.move(loaded.id, 100_000 + loaded.id, place.channel))
        self.shown(loaded.id)

    def message(self) -> int:
        """The id of a new message."""
        self.messages += 1
        return self.messages


def anybody(users: tuple[DiscordId, ...], who: int) -> DiscordId:
    """One of these members, or a stranger."""
    everybody = (*(user for user in users if not former(user)), STRANGER)
    return everybody[who % len(everybody)]


def check_refusal(refusal: Exception) -> None:
    said = str(refusal)
    assert 0 < len(said) < 400, said
    assert said.isprintable(), said
    assert said.endswith("."), said


async def together(*doing: Callable[[], Awaitable[None]]) -> None:
    """Do all of it at the same moment."""
    await asyncio.gather(*(does() for does in doing))
