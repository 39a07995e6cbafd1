"""Processes of the bot that are killed while cups, matches between servers and vote games start, go on and end.

Nothing is missing or doubled afterwards.
"""

import asyncio
import os
import re
from abc import ABC, abstractmethod
from collections import Counter, defaultdict
from datetime import timedelta
from itertools import combinations, count
from typing import Any

import pytest
from sqlalchemy import select, update

from bot.app.events.line_ups import boards_of, score_of
from bot.app.events.pairings import TWICE
from bot.app.events.standing import groups_of, podium
from bot.app.matches.loaded import LoadedMatch
from bot.app.votes import tally
from bot.sandbox.world import objects
from bot.sandbox.world.records import Message
from bot.startup.system import SystemClock
from db.models import EventRow, MatchRow, PlyRow, PostRow, VolunteerRow, VoteGameRow, VoteRow
from db.values.events import Event, EventState, Pairing, Terms, TitleKind
from db.values.members import GUESTS, VOTERS
from db.values.places import Place
from db.values.posts import PostKind
from db.values.votes import VoteGame, VoteTerms
from rules.core.prompt import RowPrompt
from tests.app.conftest import Host
from tests.db.given import post_of
from tests.db.postgres import PostgresServer
from tests.many_processes.deployment import Deployment, Size, deployment
from tests.seeds import chance_for

KILLS = int(os.environ.get("PENCILBOX_KILLS", "100"))
SIZES = (3, 3, 3, 17)
"""The numbers of players of the cups, in turn. The last one has three groups and a final."""
PEOPLE = tuple(f"Member {number}" for number in range(1, max(SIZES) + 1))
BOARDS = 2
"""The boards of a match between servers."""
_BOARD = re.compile(r"### .*#([0-9]+)")
"""The heading of the board of a game."""
_TIMES: dict[Any, tuple[str, ...]] = {
    VoteGameRow: ("first_at", "due_at"),
    PlyRow: ("played_at",),
    VolunteerRow: ("drawn_at", "out_at"),
    VoteRow: ("voted_at",),
}
"""The columns that hold times of a vote game."""
ATTEMPTS = 25
"""Lives after which a step that has not been taken is a fault."""

pytestmark = [
    pytest.mark.soak,
    pytest.mark.takes_long(reason="the bot is killed and started again many times"),
]


class Played(ABC):
    """Events or vote games whose steps are left to the bot's processes: they become due while none, or all, run."""

    def __init__(self, there: Deployment) -> None:
        self.there = there
        self.host = Host(there.store, SystemClock())  # type: ignore[arg-type]  # the time of the processes
        self.random = chance_for("killed events")
        self.places = [
            Place(int(guild), int(there.channel(number, "general")))
            for number, guild in enumerate(there.local.world.guilds)
        ]
        self.people = [
            [int(it["id"]) for it in there.local.world.members_of(str(place.guild))] for place in self.places
        ]
        self.all: list[int] = []
        self.steps: Counter[str] = Counter()
        self.number = count()
        self.waits = 0

    @abstractmethod
    async def prepare(self) -> None:
        """Let the next step be due, once the step before has been taken."""

    @abstractmethod
    async def over(self) -> bool:
        """Return True if the last one has ended."""

    @abstractmethod
    async def check(self) -> None:
        """Nothing is missing or there twice."""

    async def finish(self) -> None:
        """Let the last one come to its end, and wait until everything is shown."""
        try:
            async with asyncio.timeout(600):
                while not await self.over():
                    self.waits, steps = 0, self.steps.total()
                    await self.prepare()
                    if self.steps.total() > steps:
                        await self._restart()
                    await asyncio.sleep(1)
                while await self._late():
                    await asyncio.sleep(1)
        except TimeoutError:
            logs = "\n".join(process.log[-20_000:] for process in self.there.processes.values())
            pytest.fail(f"{self.all[-1]} over: {await self.over()}, late: {await self._late()}\n{logs}")

    async def _restart(self) -> None:
        """Kill the processes and start others, which remember no times of moves from before `prepare`."""
        names = list(self.there.processes)
        for name in names:
            await self.there.kill(name)
        await self.there.start_bots(len(names))

    async def _late(self) -> list[Any]:
        """Return the posts and titles that are not shown yet."""
        late = select(PostRow.kind, PostRow.subject, PostRow.version, PostRow.shown, PostRow.tried_at).where(
            PostRow.shown.is_distinct_from(PostRow.version) | PostRow.tried_at.is_not(None)
        )
        async with self.there.store.sessions.read() as session:
            posts = (await session.execute(late)).all()
        return [*posts, *await self.there.store.titles.due(self.host.clock.now(), 1)]

    def messages(self, place: Place) -> list[Message]:
        """Return the messages that everybody sees at a place."""
        world = self.there.local.world
        return [it for it in world.messages[str(place.channel)].values() if it.ephemeral_for is None]


class Events(Played):
    """Cups, or matches between servers."""

    async def event(self) -> Event:
        return await self.host.services.events.load(self.all[-1])

    async def prepare(self) -> None:
        """Let the next step of an event be due, once the step before has been taken."""
        event = await self.event() if self.all else None
        if event is None or event.state is EventState.OVER:
            await self._open()
            return
        running = [it for it in event.newest if it.running]
        if event.state is EventState.OPEN or not running:
            self.waits += 1
            assert self.waits < ATTEMPTS, f"event {event.id} waits: {event.state}"
            return
        self.waits = 0
        users = event.users
        for pairing in running:
            await self.host.services.matches.resign(pairing.match, users[self.loser(pairing)])
        self.steps["final" if len(event.stages) == 1 and len(event.entrants) > 16 else "end"] += 1

    @abstractmethod
    def loser(self, pairing: Pairing) -> int:
        """Return the number of the entrant who loses a game."""

    @abstractmethod
    async def opened(self) -> int:
        """Open an event that starts much later, and let its players join. Return its id."""

    async def _open(self) -> None:
        self.waits = 0
        self.all.append(await self.opened())
        now = self.host.clock.now()
        async with self.there.store.sessions.write() as session:
            # No process may have started it before everybody has joined.
            opened = update(EventRow).where(EventRow.id == self.all[-1])
            await session.execute(opened.values(starts_at=now, due_at=now, version=EventRow.version + 1))
        self.steps["start"] += 1

    async def over(self) -> bool:
        return (await self.event()).state is EventState.OVER

    async def whole(self) -> list[Event]:
        """Return all events, once every game belongs to one of their pairings and no task has failed."""
        events = [await self.host.services.events.load(it) for it in self.all]
        async with self.there.store.sessions.read() as session:
            matches = set(await session.scalars(select(MatchRow.id)))
        paired = [it.match for event in events for it in event.pairings]
        assert len(paired) == len(set(paired))
        assert set(paired) == matches, "a game is missing or belongs to no event"
        assert (await self.there.store.failed_items.listed(9)) == []
        return events


class Cups(Events):
    """Cups of one server. Who joined earlier wins, so the tables are known."""

    async def opened(self) -> int:
        size = SIZES[next(self.number) % len(SIZES)]
        terms = Terms("skull", (("width", 4), ("height", 4)), None, False, size)
        soon = self.host.clock.now() + timedelta(days=1)
        event = await self.host.services.events.open(self.places[0], self.people[0][0], terms, soon)
        for user in self.people[0][:size]:
            await self.host.services.events.join(event.id, user)
        return event.id

    def loser(self, pairing: Pairing) -> int:
        return max(pairing.first, pairing.second)

    async def check(self) -> None:
        events = await self.whole()
        for event in events:
            for stage in event.stages:
                for group in groups_of(event, stage.number):
                    entrants = sorted(it.entrant for it in group.rows)
                    met = Counter(
                        frozenset((it.first, it.second))
                        for it in event.of_stage(stage.number)
                        if it.group == group.number
                    )
                    often = 2 if len(entrants) <= TWICE else 1
                    assert met == {frozenset(it): often for it in combinations(entrants, 2)}
                    assert [it.points for it in sorted(group.rows, key=lambda it: it.entrant)] == [
                        2 * often * (len(entrants) - 1 - place) for place in range(len(entrants))
                    ]
            assert [it.entrant for it, _ in podium(event)] == [0, 1, 2]
        titles = await self.there.store.titles.of(self.people[0][0], self.guild)
        assert sorted(it.event or 0 for it in titles) == sorted(self.all)
        await self._check_messages(events)

    async def _check_messages(self, events: list[Event]) -> None:
        """Each cup and each game has one message, and the winner has the role once."""
        world, users, there = self.there.local.world, self.people[0], self.messages(self.places[0])
        ids = {str(it.id) for it in there}
        for event in events:
            post = await post_of(self.there.store, PostKind.EVENT, event.id)
            assert str(post.message) in ids
        cups = [it for it in there if "Cup: The Amazon Skull Game" in "".join(it.texts())]
        assert len(cups) == len(events)
        boards = Counter(await self._boards())
        assert set(boards.values()) == {1}
        winner = world.member(str(self.guild), str(users[0]))
        assert winner["roles"].count(self.role) == 1
        others = [world.member(str(self.guild), str(it))["roles"] for it in users[1:]]
        assert not any(self.role in it for it in others)

    async def _boards(self) -> list[Any]:
        query = select(PostRow.message).where(PostRow.kind == PostKind.BOARD)
        async with self.there.store.sessions.read() as session:
            return list(await session.scalars(query))

    async def give_roles(self) -> None:
        guild = self.there.local.world.guild
        self.role = str(int(guild["id"]) + 900)
        guild["roles"].append(objects.role(self.role, "Winner", 0, 0))
        await self.there.store.titles.choose(self.guild, TitleKind.CUP, int(self.role))

    @property
    def guild(self) -> int:
        assert self.places[0].guild is not None
        return self.places[0].guild


class Meetings(Events):
    """Matches between two servers on two boards with two games each; every third has a reserve in each server.

    Who wins depends on the number of the game, so the scores are known.
    """

    async def opened(self) -> int:
        hosts, guests = self.places
        service = self.host.services.server_matches
        terms = Terms("skull", (("width", 4), ("height", 4)), None, False, 2 * BOARDS)
        event = await service.propose(hosts, self.people[0][0], terms, 2, timedelta(days=1))
        assert event.versus is not None
        await service.accept(event.versus.code or "", guests)
        size = BOARDS + (next(self.number) % 3 == 0)
        for place, people in zip(self.places, self.people, strict=True):
            for user in people[:size]:
                await service.side(place.guild).join(event.id, user)
        return event.id

    def loser(self, pairing: Pairing) -> int:
        return pairing.first if pairing.match % 3 else pairing.second

    async def check(self) -> None:
        for event in (events := await self.whole()):
            guests = {it.number for it in event.entrants if it.guest}
            met = Counter((it.first, it.second) for it in event.pairings)
            assert set(met.values()) == {1}
            assert len(met) == 2 * BOARDS
            assert all((it.first in guests) is not (it.second in guests) for it in event.pairings)
            won = [it.first + it.second - self.loser(it) in guests for it in event.pairings]
            assert score_of(boards_of(event)) == (2 * won.count(False), 2 * won.count(True))
        games = {it.match for event in events for it in event.pairings}
        for place in self.places:
            texts = ["".join(it.texts()) for it in self.messages(place)]
            assert sum("Match: The Amazon Skull Game" in it for it in texts) == len(events)
            boards = [int(found[1]) for it in texts if (found := _BOARD.match(it))]
            assert sorted(boards) == sorted(games), "a board is missing or doubled"


class VoteGames(Played):
    """In turn a game of two servers whose moves are secret, and one of the hosts against a computer player.

    All of a game is due at once: the time of its deadline is put forward.
    """

    async def game(self) -> LoadedMatch:
        return await self.host.services.matches.load(self.all[-1])

    async def over(self) -> bool:
        return (await self.game()).match.over

    async def prepare(self) -> None:
        votes, services = self.there.store.votes, self.host.services
        if not self.all or await self.over():
            terms = VoteTerms(timedelta(days=1), self.host.clock.now() + timedelta(days=1), named=True)
            if next(self.number) % 2 == 0:
                code = await services.votes.invite(self.places[0], "palindromes", terms)
                begun = await services.votes.accept(code, self.places[1])
            else:
                begun = await services.votes.start(self.places[0], "skull", 1, terms)
            self.all.append(begun.id)
        loaded, game = await self.game(), await votes.get(self.all[-1])
        assert game is not None
        assert game.due_at is not None
        self.waits += 1
        assert self.waits < ATTEMPTS, f"vote game {loaded.id} waits at {loaded.plies}"
        if game.due_at <= self.host.clock.now():
            return
        if loaded.secret:
            await self._play_in_secret(loaded, game)
        elif VOTERS in loaded.waiting_for:
            moves = () if self._silent(loaded.id, loaded.plies) else loaded.match.legal() or ()
            for user in self.people[0][:3] if moves else ():
                move = self.random.choice(moves)
                await services.votes.cast(loaded.id, user, self.places[0].guild, move, None)
            await self._end(game)
            self.steps["votes" if moves else "votes without a vote"] += 1

    @staticmethod
    def _silent(match: int, ply: int) -> bool:
        """Return True if nobody votes for an entry of a game."""
        return (match + ply // 2) % 2 == 0

    @staticmethod
    def _course(match: int, seat: int, phase: str) -> str:
        """Return what happens in a secret part of a game: who is drawn is `willing` or not, or `nobody` is drawn."""
        return ("willing", "nobody", "unwilling")[(match + 2 * seat + (phase == "search")) % 3]

    async def _play_in_secret(self, loaded: LoadedMatch, game: VoteGame) -> None:
        services = self.host.services
        for duty in await services.volunteers.duties(loaded, game):
            server = loaded.stored.users[duty.seat] == GUESTS
            course = self._course(loaded.id, duty.seat, duty.phase)
            if duty.player is None:
                for user in () if duty.gone or course == "nobody" else self.people[server][:2]:
                    await services.volunteers.offer(loaded.id, user, self.places[server].guild)
            elif course == "willing":
                prompt = loaded.match.observe(duty.seat).prompt
                assert prompt is not None
                move = prompt.example if isinstance(prompt, RowPrompt) else "done"
                await services.matches.play(loaded.id, duty.player.user, move)
                self.steps["secret moves"] += 1
        if not (await self.game()).match.over:
            await self._end(game)
            self.steps["ends of secret parts"] += 1

    async def _end(self, game: VoteGame) -> None:
        """Let so much time pass in a game that its vote is over."""
        assert game.due_at is not None
        self.waits, passed = 0, game.due_at - self.host.clock.now()
        async with self.there.store.sessions.write() as session:
            for kind, names in _TIMES.items():
                for row in await session.scalars(select(kind).where(kind.match_id == game.match)):
                    for name in names:
                        if (at := getattr(row, name)) is not None:
                            setattr(row, name, at - passed)

    async def check(self) -> None:
        """Each vote has one move, and each secret part was drawn and played once, or the strongest hints were."""
        store, services = self.there.store, self.host.services
        assert (await store.failed_items.listed(9)) == []
        for number, match in enumerate(self.all):
            loaded = await services.matches.load(match)
            if number % 2 == 0:
                await self._check_parts(loaded)
                continue
            for ply, entry in enumerate(loaded.stored.log):
                votes = await store.votes.votes(match, ply)
                voted = loaded.stored.users[entry.seat or 0] == VOTERS
                assert bool(votes) == (voted and not self._silent(match, ply))
                assert not votes or entry.text == tally(votes)[0][0]
        for number, place in enumerate(self.places):
            texts = ["".join(it.texts()) for it in self.messages(place)]
            boards = [int(found[1]) for it in texts if (found := _BOARD.match(it))]
            assert sorted(boards) == (self.all[::2] if number else self.all), "a board is missing or doubled"

    async def _check_parts(self, loaded: LoadedMatch) -> None:
        """Who was drawn has played, unless they were silent; then the strongest hints were played."""
        moves: defaultdict[tuple[int, str], list[str]] = defaultdict(list)
        for ply, entry in enumerate(loaded.stored.log):
            if entry.seat is not None:
                before = loaded.back_to(ply).match
                moves[entry.seat, before.game.phase(before.state)].append(entry.text)
        parts = {(seat, phase) for seat in (0, 1) for phase in ("arrange", "search")}
        assert set(moves) == parts
        volunteers = await self.there.store.votes.volunteers(loaded.id)
        for seat, phase in parts:
            texts, course = moves[seat, phase], self._course(loaded.id, seat, phase)
            drawn = [
                it.out_at is None for it in volunteers if (it.seat, it.phase) == (seat, phase) and it.drawn_at
            ]
            assert drawn == {"willing": [True], "nobody": [], "unwilling": [False, False]}[course]
            assert len(texts) == len(set(texts))
            assert len(texts) == 1 or (course != "willing" and phase == "search")
        hints = await self.host.services.volunteers.played_by_hints(loaded)
        expected = {it for it in parts if self._course(loaded.id, *it) != "willing"}
        assert {(loaded.stored.users.index(team), phase) for team, phase in hints} == expected


async def killed(kind: type[Played], kills: int, bots: int, postgres: PostgresServer | None = None) -> None:
    """Kill a process so many times while events are played, and check what is left."""
    servers = 1 if kind is Cups else 2
    size = Size(servers=servers, shards=bots, at_once=bots, members=PEOPLE)
    made = deployment(size, forked=True, postgres=postgres, sqlite=postgres is None)
    async with made as there:
        events = kind(there)
        if isinstance(events, Cups):
            await events.give_roles()
        else:
            shards = {tuple(there.servers_of({shard})) for shard in range(bots)}
            assert len(shards) == bots, "each process serves one of the servers"
        for life in range(kills):
            await events.prepare()
            if not there.processes:
                await there.start("bot")
            for _ in range(bots - len(there.processes)):
                await there.start("bot")
            if events.random.random() < 0.7:
                await there.all_served()
            # A busy machine may need longer for a step than the bot lived so far.
            await asyncio.sleep(events.random.uniform(0, 3 + 2 * events.waits))
            await there.kill(events.random.choice(list(there.processes)))
            if life % 10 == 9:
                print(f"{life + 1} kills, {dict(events.steps)}", flush=True)
        await there.start_bots(bots - len(there.processes))
        await events.finish()
        await events.check()
        print(f"{kills} kills of {bots} on {'PostgreSQL' if postgres else 'SQLite'}: {dict(events.steps)}")
        await there.stop_all()


KINDS = pytest.mark.parametrize("kind", [Cups, Meetings, VoteGames])


@KINDS
async def test_events_on_sqlite(kind: type[Played]) -> None:
    await killed(kind, KILLS, 1)


@KINDS
@pytest.mark.parametrize("bots", [1, 2])
async def test_events_on_postgresql(postgres_server: PostgresServer, bots: int, kind: type[Played]) -> None:
    await killed(kind, KILLS, bots, postgres_server)
