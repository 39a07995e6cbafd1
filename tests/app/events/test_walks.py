"""Cups in which members do anything at any time, served by two processes that may be interrupted.

After every step the tables must be the sums of the games, by an account that is kept apart from the code under test.
"""

from collections import Counter
from collections.abc import Awaitable, Callable
from contextlib import suppress
from itertools import combinations
from random import Random

import pytest

from bot.app.clocks.time_controls import read_time_control
from bot.app.errors import Refused
from bot.app.events.events import Events
from bot.app.events.pairings import TWICE
from bot.app.events.schedule import stage_span
from bot.app.events.standing import groups_of
from bot.app.tasks.rounds import FIRST_DELAY
from db.values.events import Correction, Event, EventState, Terms
from db.values.matches import Outcome
from db.values.places import former
from db.values.posts import PostKind
from rules.core.errors import RuleError
from tests.app.conftest import HERE, Host
from tests.db.given import event_of, post_of

ORGANISER, MODERATOR = 100, 99
HALVES = {Outcome.WON: 2, Outcome.DRAWN: 1, Outcome.LOST: 0}
CORRECTED = {Correction.FIRST: 2, Correction.DRAWN: 1, Correction.SECOND: 0}


class Killed(Exception):
    """A process ends between two steps."""


class Walk:
    """A cup, what members may do to it, and what must hold after each step."""

    def __init__(self, host: Host, random: Random, people: int) -> None:
        self.host, self.random = host, random
        self.processes = host, Host(host.store, host.clock)
        self.people = [*range(101, 101 + people)]
        self.clock = random.choice(("", "1h", "3d"))
        self.late = False
        self.cup = 0
        self.seen: tuple[object, int] = (None, 0)

    async def open(self) -> None:
        terms = Terms("alaric", (("size", 9),), read_time_control(self.clock), True, len(self.people))
        self.cup = (await self.host.services.events.open(HERE, ORGANISER, terms, None)).id
        events = self.host.store.events
        events.change = self._interrupted(events.change)  # type: ignore[assignment, method-assign]  # killed within
        for user in self.people if self.random.random() < 0.7 else self.people[:-1]:
            with suppress(Killed):
                await self.events.join(self.cup, user)

    def _interrupted(self, change: Callable[..., Awaitable[Event]]) -> Callable[..., Awaitable[Event]]:
        """Let a process end before or after some of its transactions."""

        async def changing(*arguments: object) -> Event:
            if self.random.random() < 0.05:
                raise Killed
            after = await change(*arguments)
            if self.random.random() < 0.05:
                raise Killed
            return after

        return changing

    @property
    def events(self) -> Events:
        return self.random.choice(self.processes).services.events

    async def load(self) -> Event:
        return await event_of(self.host.store, self.cup)

    async def step(self) -> None:
        """Somebody does something, or time passes."""
        event, random = await self.load(), self.random
        services = random.choice(self.processes).services
        user = random.choice([*self.people, 777])
        by = random.choice((ORGANISER, MODERATOR, user))
        moderator = by == MODERATOR
        running = [it.match for it in event.pairings if it.running]
        over = [it.match for it in event.pairings if not it.running]
        span = stage_span(read_time_control(self.clock))

        async def play() -> None:
            match = await services.matches.load(random.choice(running))
            moves = match.match.legal()
            await services.matches.play(match.id, match.waiting_for[0], random.choice(moves or ["?"]))

        async def resign() -> None:
            match = await services.matches.load(random.choice(running))
            await services.matches.resign(match.id, random.choice(match.stored.users))

        async def void() -> None:
            await services.matches.break_off(random.choice([*running, *over]), HERE, "two accounts")

        async def correct() -> None:
            result = random.choice([*Correction, None])
            await services.events.correct(self.cup, by, random.choice(over), result, moderator=moderator)

        async def forget() -> None:
            await services.privacy.forget(user)

        async def pass_time() -> None:
            await self.host.pass_time(span * random.choice((0.02, 0.1, 0.3)))

        deeds: list[tuple[int, Callable[[], Awaitable[object]]]] = [
            (3, lambda: services.events.join(self.cup, user)),
            (1, lambda: services.events.leave(self.cup, user)),
            (1, lambda: services.events.remove(self.cup, by, user, moderator=moderator)),
            (1, lambda: services.events.start(self.cup, by, moderator=moderator)),
            (2, lambda: services.events.let_late_in(self.cup, by, moderator=moderator)),
            (6, services.events.round),
            (2, pass_time),
            (2, services.timekeeper.round),
        ]
        if running:
            deeds += [(12, play), (8, resign)]
        if over:
            deeds += [(3, correct), (1, void)]
        if event.state is EventState.RUNNING:
            deeds.append((1, forget))
        (deed,) = random.choices([it for _, it in deeds], [weight for weight, _ in deeds])
        with suppress(Refused, RuleError, Killed):
            await deed()

    async def check(self) -> None:
        """Every pairing exists once, and every table is the sum of its games."""
        event = await self.load()
        pairs = Counter((it.stage, it.first, it.second) for it in event.pairings)
        assert set(pairs.values()) <= {1}
        assert len({it.match for it in event.pairings}) == len(event.pairings)
        for stage in event.stages:
            for group in groups_of(event, stage.number):
                await self._check_group(event, stage.number, group.number)
        post = await post_of(self.host.store, PostKind.EVENT, self.cup)
        shown = (event.state, event.entrants, event.pairings, event.deeds), post.version
        assert (shown[0] == self.seen[0]) or shown[1] > self.seen[1], "a change is not shown"
        self.seen = shown
        await self.host.posted(PostKind.EVENT, self.cup, 5)

    async def _check_group(self, event: Event, stage: int, number: int) -> None:
        group = groups_of(event, stage)[number]
        gone = {it.number for it in event.entrants if it.annulled}
        points, met = Counter[int](), Counter[frozenset[int]]()
        users = event.users
        for pairing in event.of_stage(stage):
            if pairing.group != number:
                continue
            match = (await self.host.services.matches.load(pairing.match)).stored
            assert (match.finished_at is None) == pairing.running
            assert match.users == (users[pairing.first], users[pairing.second]) or any(
                map(former, match.users)
            )
            met[frozenset((pairing.first, pairing.second))] += 1
            if gone & {pairing.first, pairing.second}:
                continue
            halves = None if match.outcomes is None else HALVES[match.outcomes[0]]
            halves = CORRECTED.get(pairing.corrected) if pairing.corrected else halves
            if halves is not None:
                points[pairing.first] += halves
                points[pairing.second] += 2 - halves
        assert {it.entrant: it.points for it in group.rows} == {
            it.entrant: points[it.entrant] for it in group.rows
        }
        entrants = sorted({it for pair in met for it in pair})
        if all(it.number < len(self.people) for it in event.entrants) and not event.late:
            # Nobody came late, so that everybody meets everybody as often.
            often = 2 if len(entrants) <= TWICE else 1
            assert met == {frozenset(it): often for it in combinations(entrants, 2)}

    async def finish(self) -> None:
        """Let all time pass. The cup must be over, with no game left running."""
        span = stage_span(read_time_control(self.clock))
        for _ in range(6):
            await self.host.pass_time(span / 2)
            for _ in range(8):
                self.host.clock.push(FIRST_DELAY * 2**8)
                await self.processes[0].services.events.round()
        event = await self.load()
        assert event.state in (EventState.OVER, EventState.CANCELLED)
        assert not any(it.running for it in event.pairings)
        await self.check()


@pytest.mark.parametrize(
    ("seed", "people", "steps"),
    [
        (4, 3, 8),
        *(pytest.param(it, (3, 5, 6, 7, 17)[it % 5], 60, marks=pytest.mark.soak) for it in range(40)),
    ],
)
async def test_anything_may_happen_in_a_cup(host: Host, seed: int, people: int, steps: int) -> None:
    walk = Walk(host, Random(seed), people)
    await walk.open()
    for _ in range(steps):
        await walk.step()
        await walk.check()
    await walk.finish()
