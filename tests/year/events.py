"""`python -m tests.year.events`: a year of cups, a league and matches, with dropouts, interruptions and corrections.

Thirty cups of 3 to 40 players, a league of every month and twelve matches against another server, which removes the bot
before or during some of them, are played by members who forget, leave, or never move. Two processes serve them, and
some of their transactions fail before or after they are committed, as if the process had been killed. After every step
each table is compared with the sum of its games, which is read by queries of its own.
"""

import argparse
import asyncio
import logging
import sys
import tempfile
from collections import Counter, defaultdict
from collections.abc import Awaitable, Callable
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from itertools import combinations
from pathlib import Path
from random import Random
from time import process_time
from typing import Any

from sqlalchemy import func, select

from bot.app.clocks.time_controls import read_time_control
from bot.app.errors import Refused
from bot.app.events.line_ups import boards_of
from bot.app.events.pairings import TWICE
from bot.app.events.standing import groups_of
from bot.app.tasks.rounds import FIRST_DELAY, MOST
from db.engine import open_store
from db.models import EventRow, PairingRow, PlyRow, SeatRow
from db.store import Store
from db.values.events import Correction, Event, EventState, Terms
from db.values.matches import Outcome
from db.values.places import Place
from rules.core.errors import RuleError
from tests.app.conftest import DrivenClock, Host
from tests.app.events.test_walks import CORRECTED, HALVES, Killed
from tests.db.given import event_of
from tests.db.migrated import lay

GUILD, OTHER, MODERATOR = 1, 2, 99
STEP = timedelta(hours=6)
"""The time after which members act again."""
ROUND = timedelta(minutes=1)
"""The time from a deadline of an event or a clock to the next round of the bot, which looks every 15 seconds."""
LATE = timedelta(minutes=30)
"""The time after its announced end for which an event may run: its last step may have been interrupted repeatedly."""
CUPS, MEETINGS = 30, 12
PEOPLE, OTHERS = [*range(201, 241)], [*range(301, 341)]
"""The members of the server, and of the other server that it plays matches against."""
CLOCKS = ("1d", "3d", "12h", "")
KILLED = 0.02
"""The part of transactions that fail, half of them after their commit."""
ACTS, RESIGNS, LEAVES, CORRECTS = 0.2, 0.3, 0.003, 0.02
"""Chances in a step: that a player acts in a game, that this is a resignation, that a player leaves an event, and that
a result is corrected in an event."""
BOARDS = (1, 4, 8, 16)
"""The boards of the matches, in turn."""
GHOSTS = 0.08
"""The part of players of an event who never move."""


class Year:
    """The server, its members, and what was found wrong."""

    def __init__(self, store: Store, seed: int) -> None:
        self.random = Random(seed)
        clock = DrivenClock()
        clock.push(datetime(2026, 12, 28, tzinfo=UTC) - clock.now())
        self.processes = [Host(store, clock), Host(store, clock)]
        self.host, self.store, self.clock = self.processes[0], store, clock
        self.wrong: list[str] = []
        self.counts: Counter[str] = Counter()
        self.sizes: list[int] = []
        self.left_in: set[int] = set()
        """The matches during which the other server is to remove the bot."""
        self.checks = 0
        self.served_at = clock.now()
        """The time of the last round of a process."""
        store.events.change = self._interrupted(store.events.change)  # type: ignore[method-assign, assignment]  # killed within
        store.matches.append = self._interrupted(store.matches.append)  # type: ignore[method-assign, assignment]  # the same

    def _interrupted(self, work: Callable[..., Awaitable[Any]]) -> Callable[..., Awaitable[Any]]:
        async def doing(*arguments: object, **named: object) -> object:
            if self.random.random() < KILLED / 2:
                self.counts["transactions interrupted"] += 1
                raise Killed
            after = await work(*arguments, **named)
            if self.random.random() < KILLED / 2:
                self.counts["transactions interrupted"] += 1
                raise Killed
            return after

        return doing

    async def attempt(self, what: str, doing: Callable[[], Awaitable[object]]) -> bool:
        """Let somebody do something, which may be refused or interrupted. Return True if it was done."""
        with suppress(Refused, RuleError, Killed):
            await doing()
            self.counts[what] += 1
            return True
        return False

    @property
    def services(self) -> Any:
        return self.random.choice(self.processes).services

    async def run(self, days: int, cups: int, meetings: int) -> None:
        await self.host.services.store.servers.change(GUILD, league_channel=10, leagues=("skull",))
        await self.host.services.leagues.follow(await self.host.services.preferences.guild(GUILD))
        steps = days * DAY_STEPS
        last = steps - 70 * DAY_STEPS
        opens = sorted(self.random.sample(range(last), cups))
        met = [number * last // meetings for number in range(meetings)]
        for step in range(steps + 40 * DAY_STEPS):
            if step == steps:
                await self.host.services.store.servers.change(GUILD, leagues=())
            while opens and opens[0] == step:
                opens.pop(0)
                await self._open(len(opens))
            if step in met:
                await self._meet(met.index(step))
            await self._pass(self.clock.now() + STEP)
            for event in await self._running():
                await self._live(event)
            await self._serve()
            await self._check()
            if step % (28 * DAY_STEPS) == 0:
                sys.stderr.write(
                    f"day {step // DAY_STEPS}, {process_time():.0f} CPU s: {dict(self.counts)}\n"
                )

    async def _pass(self, end: datetime) -> None:
        """Let time pass, with a round after each deadline."""
        while (now := self.clock.now()) < end:
            # Other deadlines may have passed since the last round, which is waited for after an interruption.
            at = min(end, await self._next_deadline(self.served_at) + ROUND)
            await self._wait(max(at - now, timedelta(0)))
            await self._serve()

    async def _next_deadline(self, after: datetime) -> datetime:
        """Return the next time at which an event is due or a clock runs out."""
        due = select(func.min(EventRow.due_at)).where(EventRow.ended_at.is_(None), EventRow.due_at > after)
        clock = select(func.min(SeatRow.deadline)).where(SeatRow.deadline > after)
        async with self.store.sessions.read() as session:
            found = [await session.scalar(it) for it in (due, clock)]
        return min((it for it in found if it is not None), default=after + STEP)

    async def _serve(self) -> None:
        """Run the rounds of both processes until nothing waits for a retry."""
        for host in self.processes:
            for attempt in range(6):
                await host.services.timekeeper.round()
                await host.services.events.round()
                await host.services.leagues.round()
                self.served_at = now = self.clock.now()
                # An item that the other process has completed stays listed until the next day.
                if all((it.retry_at or now) <= now for it in await self.store.failed_items.listed(MOST)):
                    break
                await self._wait(FIRST_DELAY * 2**attempt)

    async def _wait(self, span: timedelta) -> None:
        """Let time pass in which the bot is connected, so that it is not given back to the clocks."""
        self.clock.push(span)
        await self.store.clocks.alive(self.clock.now(), timedelta.max)

    async def _open(self, number: int) -> None:
        """Open a cup and let members join it."""
        size = 3 + number * (len(PEOPLE) - 3) // (CUPS - 1)
        clock = CLOCKS[number % len(CLOCKS)]
        terms = Terms("skull", (("width", 4), ("height", 4)), read_time_control(clock), True, size)
        organiser = self.random.choice(PEOPLE)
        event = await self.host.services.events.open(Place(GUILD, 1000 + number), organiser, terms, None)
        self.sizes.append(size)
        for user in self.random.sample(PEOPLE, size):
            while not await self.attempt("joined", lambda: self.services.events.join(event.id, user)):  # noqa: B023 - called at once
                if (await self._load(event.id)).entrant(user) is not None:
                    break
        if number % 5 == 0:
            await self.attempt("organisers who left", lambda: self.services.events.leave(event.id, organiser))
        if number % 10 == 3:
            await self.attempt("organisers who deleted data", lambda: self.services.privacy.forget(organiser))

    async def _meet(self, number: int) -> None:
        """Open a match against the other server, let it accept, and let members of both join."""
        await self.store.servers.come_back(OTHER)
        boards, clock = BOARDS[number % len(BOARDS)], read_time_control(CLOCKS[number % len(CLOCKS)])
        terms = Terms("skull", (("width", 4), ("height", 4)), clock, clock is not None, 2 * boards)
        matches, there = self.host.services.server_matches, Place(OTHER, 3000 + number)
        event = await matches.propose(Place(GUILD, 2000 + number), MODERATOR, terms, 1 + number % 2, None)
        assert event.versus is not None
        code = event.versus.code or ""
        while (await self._load(event.id)).servers != (GUILD, OTHER):
            await self.attempt("matches accepted", lambda: matches.accept(code, there))
        if number % 6 == 5:
            await self.store.servers.depart(self.clock.now(), OTHER)
        if number % 4 == 2:
            self.left_in.add(event.id)
        for guild, people in ((GUILD, PEOPLE), (OTHER, OTHERS)):
            # The last one to join begins it, so the hosts' reserves join before.
            for user in self.random.sample(people, boards + (guild == GUILD and number % 3 == 0)):

                async def joining(user: int = user, guild: int = guild) -> None:
                    await self.services.server_matches.side(guild).join(event.id, user)

                while not await self.attempt("joined", joining):
                    if user in {it.user for it in (await self._load(event.id)).entrants}:
                        break

    async def _load(self, event: int) -> Event:
        return await event_of(self.store, event)

    async def _running(self) -> list[Event]:
        query = select(EventRow.id).where(EventRow.ended_at.is_(None)).order_by(EventRow.id)
        async with self.store.sessions.read() as session:
            ids = (await session.scalars(query)).all()
        return [await self._load(it) for it in ids]

    async def _live(self, event: Event) -> None:
        """Let the players of an event act or not, and moderators correct results."""
        chance, users = self.random, event.users
        if event.state is EventState.OPEN:
            if event.season is not None and chance.random() < 0.5:
                user = chance.choice(PEOPLE[:26])
                await self.attempt("joined", lambda: self.services.events.join(event.id, user))
            return
        if event.id in self.left_in:
            self.left_in.remove(event.id)
            await self.store.servers.depart(self.clock.now(), OTHER)
            self.counts["matches during which a server left"] += 1
        ghosts = {it for it in users if Random(f"{event.id} {it}").random() < GHOSTS}
        for pairing in event.newest:
            if not pairing.running or chance.random() >= ACTS:
                continue

            async def act(
                match: int = pairing.match, seats: tuple[int, int] = (pairing.first, pairing.second)
            ) -> None:
                loaded = await self.services.matches.load(match)
                seat = chance.randrange(2) if chance.random() < RESIGNS else None
                if seat is not None and seats[seat] not in ghosts:
                    await self.services.matches.resign(match, users[seats[seat]])
                elif seats[loaded.match.to_move[0]] not in ghosts:
                    moves = loaded.match.legal()
                    await self.services.matches.play(match, loaded.waiting_for[0], chance.choice(moves))

            await self.attempt("moves and resignations", act)
        if chance.random() < LEAVES * len(event.present):
            user = chance.choice(event.present).user
            await self.attempt("left", lambda: self.services.events.leave(event.id, user))
        over = [it.match for it in event.newest if not it.running]
        if over and chance.random() < CORRECTS:
            match, result = chance.choice(over), chance.choice([*Correction, None])
            service = self.services.events
            if event.versus is not None:
                service = self.services.server_matches.side(chance.choice((GUILD, OTHER)))
            await self.attempt(
                "corrections", lambda: service.correct(event.id, MODERATOR, match, result, moderator=True)
            )

    async def _check(self) -> None:
        """Compare every event that is not over, and those that ended in this step, with its games."""
        query = select(EventRow.id).where(
            EventRow.ended_at.is_(None) | (EventRow.ended_at >= self.clock.now() - 2 * STEP)
        )
        async with self.store.sessions.read() as session:
            ids = (await session.scalars(query)).all()
        for number in ids:
            event = await self._load(number)
            if event.stages:
                await self._check_event(event)

    async def _check_event(self, event: Event) -> None:
        self.checks += 1
        results = (
            select(PairingRow, SeatRow.outcome)
            .join(SeatRow, (SeatRow.match_id == PairingRow.match_id) & (SeatRow.seat == 0))
            .where(PairingRow.event_id == event.id)
        )
        async with self.store.sessions.read() as session:
            rows = (await session.execute(results)).all()
        # Who is removed from a match loses instead.
        gone = {it.number for it in event.entrants if it.annulled and event.versus is None}
        points: defaultdict[tuple[int, int, int], int] = defaultdict(int)
        met: defaultdict[tuple[int, int], Counter[frozenset[int]]] = defaultdict(Counter)
        for row, outcome in rows:
            met[row.stage, row.group_number][frozenset((row.first, row.second))] += 1
            halves = CORRECTED.get(row.corrected) if row.corrected else _halves(outcome)
            if halves is None or {row.first, row.second} & gone:
                continue
            points[row.stage, row.group_number, row.first] += halves
            points[row.stage, row.group_number, row.second] += 2 - halves
        for board in boards_of(event) if event.versus is not None else ():
            pairs = met.pop((0, board.number))
            if pairs != {frozenset((board.host, board.guest)): event.versus.games if event.versus else 0}:
                self.wrong.append(f"event {event.id}: pairings of board {board.number}")
            if board.score != (points[0, board.number, board.host], points[0, board.number, board.guest]):
                self.wrong.append(f"event {event.id}: the score of board {board.number}")
        for (stage, group), pairs in met.items():
            entrants = sorted({it for pair in pairs for it in pair})
            often = 2 if len(entrants) <= TWICE else 1
            if pairs != {frozenset(it): often for it in combinations(entrants, 2)}:
                self.wrong.append(f"event {event.id}: pairings of group {group} of stage {stage}")
            table = {it.entrant: it.points for it in groups_of(event, stage)[group].rows}
            if table != {it: points[stage, group, it] for it in entrants if it not in gone}:
                self.wrong.append(f"event {event.id}: the table of group {group} of stage {stage}")
        end = event.stages[-1].ends_at
        if event.state is EventState.RUNNING and self.clock.now() > end + LATE:
            self.wrong.append(f"event {event.id} has not ended in time")
        if event.state is EventState.OVER and any(it.running for it in event.pairings):
            self.wrong.append(f"event {event.id} is over, but not its games")

    async def figures(self) -> dict[str, str]:
        """Return what is published of the year."""
        found: Counter[str] = Counter()
        late = timedelta(0)
        async with self.store.sessions.read() as session:
            ids = (await session.scalars(select(EventRow.id))).all()
        waits: defaultdict[str, timedelta] = defaultdict(timedelta)
        games = 0
        for number in ids:
            event = await self._load(number)
            kind = "matches" if event.versus else "months of leagues" if event.season else "cups"
            found[f"{kind} {event.state}"] += 1
            games += len(event.pairings)
            found["players removed because they made no move"] += sum(
                it.deed == "absent" for it in event.deeds
            )
            found["finals"] += len(event.stages) > 1
            if event.stages:
                async with self.store.sessions.read() as session:
                    ended = await session.scalar(select(EventRow.ended_at).where(EventRow.id == number))
                late = max(late, (ended or self.clock.now()) - event.stages[-1].ends_at)
                wait = await self._longest_wait(event)
                name = {read_time_control(it): it or "no clock" for it in CLOCKS}[event.terms.time_control]
                waits[name] = max(waits[name], wait)
        return {
            **{it: str(number) for it, number in found.items()},
            "sizes of the cups": f"{min(self.sizes)} to {max(self.sizes)}",
            "games": f"{games:,}",
            **{it: f"{number:,}" for it, number in self.counts.items()},
            "tables compared with their games": f"{self.checks:,}",
            "latest end of an event after its announced end, in minutes": f"{late / timedelta(minutes=1):.1f}",
            **{
                f"longest wait for one move, {name}, in hours": f"{wait / timedelta(hours=1):.1f}"
                for name, wait in sorted(waits.items())
            },
            "faults": str(len(self.wrong)),
        }

    async def _longest_wait(self, event: Event) -> timedelta:
        query = (
            select(PlyRow.match_id, PlyRow.played_at)
            .join(PairingRow, PairingRow.match_id == PlyRow.match_id)
            .where(PairingRow.event_id == event.id)
            .order_by(PlyRow.match_id, PlyRow.ply)
        )
        stages = {it.match: event.stages[it.stage].started_at for it in event.pairings}
        longest = timedelta(0)
        async with self.store.sessions.read() as session:
            for match, at in await session.execute(query):
                longest = max(longest, at - stages[match])
                stages[match] = at
        return longest


DAY_STEPS = timedelta(days=1) // STEP


def _halves(outcome: Outcome | None) -> int | None:
    return None if outcome is None else HALVES[outcome]


async def simulate(days: int, cups: int, meetings: int, seed: int) -> tuple[dict[str, str], list[str]]:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        lay(folder)
        async with open_store(None, folder, prepared=True) as store:
            year = Year(store, seed)
            await year.run(days, cups, meetings)
            return await year.figures(), year.wrong


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.year.events", description=__doc__)
    parser.add_argument("--days", type=int, default=365)
    parser.add_argument("--cups", type=int, default=CUPS)
    parser.add_argument("--matches", type=int, default=MEETINGS)
    parser.add_argument("--seed", type=int, default=1)
    chosen = parser.parse_args()
    logging.disable(logging.CRITICAL)
    figures, wrong = asyncio.run(simulate(chosen.days, chosen.cups, chosen.matches, chosen.seed))
    sys.stdout.write("".join(f"| {what} | {figure} |\n" for what, figure in figures.items()))
    sys.stdout.write("".join(f"{it}\n" for it in wrong[:50]))
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
