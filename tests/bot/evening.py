"""Members who do anything at any time: a state machine that drives the host and looks at all after each step."""

import asyncio
import random
import shutil
import sqlite3
from collections.abc import Awaitable, Callable, Sequence
from contextlib import closing
from datetime import timedelta
from itertools import count
from pathlib import Path
from typing import Any

from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule, run_state_machine_as_test

from bot.app.clocks import out_of_time
from bot.app.errors import Refused
from bot.app.paces import read_pace
from bot.app.table import Table
from db.engine import open_store
from db.values import Challenge, Matter, Order, Place, Proposal, Reply, Terms
from rules.core.errors import RuleError
from rules.core.game import Game
from rules.core.match import LEAVING, VOID, Ply
from rules.games import GAMES
from tests.bot.conftest import LIFETIME, DrivenClock, Host
from tests.bot.witness import Witness, World
from tests.rules.hostile import NASTY
from tests.rules.walks import texts

MEMBERS = (101, 102, 103, 104)
STRANGER = 999
PLACES = (Place(1, 11), Place(1, 12), Place(2, 21), Place(None, 31))
CLOCKS = ("none", "none", "24h", "1m", "10m+5s")
SPANS = tuple(timedelta(seconds=seconds) for seconds in (1, 20, 61, 600, 3600, 86400))
NOWHERE = 10**6
"""The number of a match, a challenge and a proposal that there is not."""

numbers = st.integers(0, 60)
"""Which of some things, counted round."""
members, places, games = map(st.sampled_from, (MEMBERS, PLACES, GAMES))
seeds = st.integers(0, 9999)
clocks, spans, orders = st.sampled_from(CLOCKS), st.sampled_from(SPANS), st.sampled_from(Order)
groups = st.permutations(MEMBERS)

Run = Callable[[Awaitable[Any]], Any]


def terms(game: Game[Any, Any], more: int, players: int, order: Order, clock: str) -> Terms:
    """A board on which games end soon: the smallest, or a little more."""
    options = {option.key: min(option.low + more, option.high) for option in game.options}
    setup = game.check(options, players)
    return Terms(game.key, tuple(setup.items()), players, players, order, read_pace(clock))


class Evening(RuleBasedStateMachine):
    """Whatever members do, whether they may or not, and when."""

    def __init__(self, prepared: Path, folder: Path, run: Run) -> None:
        super().__init__()
        shutil.copytree(prepared, folder)
        self.folder, self.run = folder, run
        self.witness = Witness()
        self.clock = DrivenClock()
        self.messages = 0
        self.challenges: list[int] = []
        self.proposals: list[int] = []
        self.open()

    def open(self) -> None:
        """A process begins, with nothing but what is stored."""
        self.opened = open_store(None, self.folder)
        self.host = Host(self.run(self.opened.__aenter__()), self.clock)

    def teardown(self) -> None:
        self.run(self.opened.__aexit__(None, None, None))

    @invariant()
    def look(self) -> None:
        self.run(self.witness.look(self.host.store, self.clock.now()))

    # What the rules are made of

    def world(self) -> World:
        found: World = self.run(self.witness.world(self.host.store))
        return found

    def stored(self) -> dict[str, list[Any]]:
        """Every row of every table, but for when the host was last there."""
        with closing(sqlite3.connect(self.folder / "pencilbox.sqlite3")) as db:
            names = db.execute("SELECT name FROM sqlite_master WHERE type = 'table' AND name != 'alive'")
            return {name: db.execute(f"SELECT * FROM {name}").fetchall() for (name,) in names.fetchall()}

    def attempt(self, what: Callable[[], Awaitable[Any]], *, may: bool | None = None) -> Any:
        """What the host answers; None where it says no, in a sentence, and nothing has changed.

        `may` is whether it has to say yes, where that is known.
        """
        if not may:  # else a refusal is wrong anyway
            self.run(self.host.matches.ledger.presence.here())
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

    def pick(self, number: int) -> Table | None:
        """Mostly a running match, sometimes one that is over or that there is not, as its members see it."""
        known = self.witness.seen.values()
        running = [match.id for match in known if match.finished_at is None]
        over = [match.id for match in known if match.finished_at is not None]
        choice = [*running * 5, *over[-2:], NOWHERE]
        match = choice[number % len(choice)]
        if match == NOWHERE:
            self.attempt(lambda: self.host.matches.table(NOWHERE), may=False)
            return None
        return self.shown(match)

    def shown(self, match: int) -> Table:
        """The match, once the client has shown it, with all that comes with it."""

        async def show() -> Table:
            await self.host.matches.table(match)
            await self.host.proposals.settle(match)
            return await self.host.matches.table(match)

        table: Table = self.run(show())
        return table

    def late(self, table: Table) -> bool:
        """Whether time has decided the match already, with all given back that was lost."""
        if table.stored.pace is None:
            return False
        self.run(self.host.matches.ledger.presence.here())
        stored = self.run(self.host.store.load(table.id))
        return bool(out_of_time(stored.clocks, self.clock.now()))

    def begin(self, offer: Challenge, table: Table | None) -> None:
        if table is not None:
            self.witness.begun[table.id] = offer
            self.shown(table.id)

    def message(self) -> int:
        self.messages += 1
        return self.messages

    # Finding opponents

    @initialize(
        users=groups, seats=st.integers(2, 4), begun=st.lists(games, min_size=2, max_size=3), clock=clocks
    )
    def arrive(self, users: Sequence[int], seats: int, begun: Sequence[Game[Any, Any]], clock: str) -> None:
        """Some games have begun when everything else does."""
        for game in begun:
            self.challenge(users, seats, game, 1, PLACES[0], Order.LISTED, clock, all_accept=True)

    @rule(
        users=groups, seats=st.integers(2, 4), game=games, more=st.integers(0, 2),
        place=places, order=orders, clock=clocks, all_accept=st.booleans(),
    )  # fmt: skip
    def challenge(
        self, users: Sequence[int], seats: int, game: Game[Any, Any], more: int,
        place: Place, order: Order, clock: str, all_accept: bool,
    ) -> None:  # fmt: skip
        """Sometimes all who are asked accept at once, if they may."""
        players = min(seats, game.seats[1])
        wanted = terms(game, more, players, order, clock)
        challenger, *asked = users[:players]
        offer: Challenge | None = self.attempt(
            lambda: self.host.challenges.make(place, challenger, wanted, asked)
        )
        if offer is None:
            return
        self.challenges.append(offer.id)
        for user in asked if all_accept else ():
            self.answer(-1, offer.users(*Reply).index(user), True)

    @rule(user=members, place=places, game=games)
    def challenge_oneself(self, user: int, place: Place, game: Game[Any, Any]) -> None:
        wanted = terms(game, 0, 2, Order.LOT, "none")
        self.attempt(lambda: self.host.challenges.make(place, user, wanted, [user]), may=False)

    @rule(number=numbers, who=numbers, yes=st.booleans())
    def answer(self, number: int, who: int, yes: bool) -> None:
        """One who was asked, the challenger or a stranger answers a challenge, open or not."""
        known = self.challenges[number % len(self.challenges)] if self.challenges else NOWHERE
        offer: Challenge | None = self.run(self.host.challenges.find(known))
        users = (*offer.users(*Reply), STRANGER) if offer is not None else (STRANGER,)
        user = users[who % len(users)]
        now = self.clock.now()
        stands = offer is not None and offer in self.world().challenges and now < offer.expires_at
        reply = offer.reply_of(user) if offer is not None else None
        if not yes:
            done = self.attempt(
                lambda: self.host.challenges.refuse(known, user), may=stands and reply is not None
            )
            assert done is None or done not in self.world().challenges
            return
        may = None if stands and reply is Reply.ASKED else False
        done = self.attempt(lambda: self.host.challenges.accept(known, user), may=may)
        if done is not None:
            self.begin(*done)

    @rule(number=numbers, who=numbers, place=places)
    def rematch(self, number: int, who: int, place: Place) -> None:
        table = self.pick(number)
        if table is None:
            return
        users = (*table.stored.users, STRANGER)
        user = users[who % len(users)]
        may = table.match.over and user != STRANGER and place.guild == table.stored.place.guild
        done = self.attempt(
            lambda: self.host.rematches.ask(table.id, user, place), may=None if may else False
        )
        if done is not None:
            self.challenges.append(done[0].id)
            self.begin(*done)

    # Playing

    @rule(number=numbers, seed=seeds, moves=st.sampled_from((2, 5, 12, 40)))
    def play(self, number: int, seed: int, moves: int) -> None:
        """Members on turn make legal moves."""
        chance, table = random.Random(seed), self.pick(number)
        while table is not None and moves and not table.match.over:
            if not self.move(table, chance):
                return
            table, moves = self.shown(table.id), moves - 1

    def move(self, table: Table, chance: random.Random) -> bool:
        seat = chance.choice(table.match.to_move)
        assert seat is not None
        text = chance.choice(texts(table.match, seat, chance))
        user, may = table.stored.users[seat], not self.late(table)
        plies = chance.choice([None, table.shown])
        if self.attempt(lambda: self.host.matches.play(table.id, user, text, plies), may=may) is None:
            return False
        self.witness.confirmed.append((table.id, Ply(seat, text)))
        return True

    @rule(
        number=numbers, who=numbers, seed=seeds, text=st.sampled_from(NASTY) | st.none() | st.text(max_size=6)
    )
    def stumble(self, number: int, who: int, seed: int, text: str | None) -> None:
        """Anybody types anything, or what was a move once."""
        table, chance = self.pick(number), random.Random(seed)
        if table is None:
            return
        played = [ply.text for ply in table.match.log] or ["a1"]
        typed = chance.choice(played) if text is None else text
        users = (*table.stored.users, STRANGER)
        user = users[who % len(users)]
        may = None if user in table.waiting_for and not self.late(table) and typed not in LEAVING else False
        done = self.attempt(lambda: self.host.matches.play(table.id, user, typed), may=may)
        if done is not None:
            entry = done.stored.log[-1]
            legal = table.match.legal()
            assert entry.seat == table.seat_of(user)
            assert legal is None or entry.text in legal
            self.witness.confirmed.append((table.id, entry))
            self.shown(table.id)

    @rule(number=numbers, seed=seeds, behind=st.sampled_from((-1, 1, 2, 3)))
    def press_an_old_board(self, number: int, seed: int, behind: int) -> None:
        table, chance = self.pick(number), random.Random(seed)
        if table is None or table.secret or table.match.over:
            return
        seat = chance.choice(table.match.to_move)
        assert seat is not None
        text, user = chance.choice(texts(table.match, seat, chance)), table.stored.users[seat]
        plies = table.shown - behind
        self.attempt(lambda: self.host.matches.play(table.id, user, text, plies), may=False)

    @rule(number=numbers, who=numbers)
    def resign(self, number: int, who: int) -> None:
        table = self.pick(number)
        if table is None:
            return
        users = (*table.stored.users, STRANGER)
        user = users[who % len(users)]
        seat = table.seat_of(user)
        may = seat in table.match.playing and not table.match.over and not self.late(table)
        if self.attempt(lambda: self.host.matches.resign(table.id, user), may=may) is not None:
            self.witness.confirmed.append((table.id, Ply(seat, "resign")))
            self.shown(table.id)

    @rule(number=numbers, place=places)
    def break_off(self, number: int, place: Place) -> None:
        """A moderator of some server, maybe of another."""
        table = self.pick(number)
        if table is None:
            return
        guild = table.stored.place.guild
        may = guild is not None and guild == place.guild and not table.match.over
        done = self.attempt(lambda: self.host.matches.break_off(table.id, place, "too  loud"), may=may)
        if done is not None:
            self.witness.confirmed.append((table.id, Ply(None, VOID)))
            self.shown(table.id)

    # Agreeing

    @rule(
        number=numbers, who=numbers, matter=st.sampled_from(Matter), posted=st.booleans(), at_once=st.integers(0, 4)
    )  # fmt: skip
    def propose(self, number: int, who: int, matter: Matter, posted: bool, at_once: int) -> None:
        """Then the first `at_once` of the players say yes, as far as they may."""
        table = self.pick(number)
        if table is None:
            return
        users = (*table.stored.users, STRANGER)
        user = users[who % len(users)]
        may = None if table.seat_of(user) in table.match.playing and not table.match.over else False
        made: Proposal | None = self.attempt(
            lambda: self.host.proposals.propose(table.id, user, matter), may=may
        )
        if made is None:
            return
        self.witness.consented(made, user)
        self.proposals.append(made.id)
        if posted and made.message is None:
            self.run(self.host.store.show_proposal(made.id, table.stored.place.channel, self.message()))
        self.shown(table.id)
        for other in range(min(at_once, len(users) - 1)):
            self.reply(0, other, True)

    @rule(number=numbers, who=numbers, yes=st.booleans())
    def reply(self, number: int, who: int, yes: bool) -> None:
        """Anybody answers a proposal, open or not, the newest first."""
        known = self.proposals[-1 - number % len(self.proposals)] if self.proposals else NOWHERE
        found: Proposal | None = self.run(self.host.proposals.find(known))
        if found is None:
            self.attempt(lambda: self.host.proposals.agree(known, STRANGER), may=False)
            return
        table = self.shown(found.match)
        users = (*table.stored.users, STRANGER)
        user = users[who % len(users)]
        open_now = any(it.id == known for it in self.world().proposals)
        may = open_now and table.seat_of(user) in table.match.playing
        service = self.host.proposals
        if not yes:
            self.attempt(lambda: service.refuse(known, user), may=may)
            return
        own = table.seat_of(user) == found.seat
        agreed = self.attempt(
            lambda: service.agree(known, user),
            may=may and not own and (None if self.late(table) else True),
        )
        if agreed is not None:
            self.witness.consented(agreed, user)
            self.shown(found.match)

    # All at once, and everything else

    @rule(number=numbers, seed=seeds, clicks=st.integers(2, 4))
    def all_at_once(self, number: int, seed: int, clicks: int) -> None:
        """Several members of a match act in the same moment; whoever is told yes has done it."""
        table, chance = self.pick(number), random.Random(seed)
        if table is None or table.match.over or self.late(table):
            return
        doing = [self.click(table, chance) for _ in range(clicks)]

        async def all_of_them() -> None:
            await asyncio.gather(*(click() for click in doing))

        self.run(all_of_them())
        self.shown(table.id)

    def click(self, table: Table, chance: random.Random) -> Callable[[], Awaitable[None]]:
        host, witness = self.host, self.witness
        seat = chance.choice(table.match.playing)
        user = table.stored.users[seat]
        opened = [it.id for it in self.world().proposals if it.match == table.id]
        kind = chance.choice(["play", "play", "play", "resign", "propose", "agree"])
        text = "resign"
        if kind == "play":
            mover = chance.choice(table.match.to_move)
            assert mover is not None
            seat, user = mover, table.stored.users[mover]
            text = chance.choice(texts(table.match, seat, chance))

        async def act() -> None:
            try:
                if kind == "play":
                    await host.matches.play(table.id, user, text, table.shown)
                    witness.confirmed.append((table.id, Ply(seat, text)))
                elif kind == "resign":
                    await host.matches.resign(table.id, user)
                    witness.confirmed.append((table.id, Ply(seat, text)))
                elif kind == "agree" and opened:
                    witness.consented(await host.proposals.agree(opened[0], user), user)
                else:
                    made = await host.proposals.propose(table.id, user, Matter.DRAW)
                    self.proposals.append(made.id)
                    witness.consented(made, user)
            except (Refused, RuleError) as refusal:
                check_refusal(refusal)

        return act

    @rule(user=members, on=st.booleans())
    def force(self, user: int, on: bool) -> None:
        self.run(self.host.preferences.forced(user, on=on))
        (self.witness.forced.add if on else self.witness.forced.discard)(user)

    @rule(user=members, other=members, kind=st.sampled_from(("block", "unblock", "unblock", "away", "back")))
    def prefer(self, user: int, other: int, kind: str) -> None:
        does = self.host.preferences
        match kind:
            case "block":
                self.attempt(lambda: does.block(user, other), may=None if user != other else False)
            case "unblock":
                self.attempt(lambda: does.unblock(user, other))
            case "away":
                self.run(does.away(user, for_good=False))
            case _:
                self.run(does.back(user))

    @rule(span=spans, there=st.booleans())
    def tick(self, span: timedelta, there: bool) -> None:
        """Time passes while the host is there, or is not."""
        self.run(self.host.pass_time(span)) if there else self.clock.push(span)

    @rule(expiring=st.booleans())
    def sweep(self, expiring: bool) -> None:
        """The timekeeper and the client go round; what they look after is then in time."""
        if expiring:
            self.run(self.host.pass_time(LIFETIME))
        self.run(self.host.timekeeper.round())
        self.run(self.host.challenges.expire())
        for proposal in self.run(self.host.proposals.open()):
            self.run(self.host.proposals.settle(proposal.match))
        world, now = self.world(), self.clock.now()
        assert not any(out_of_time(match.clocks, now) for match in world.matches.values())
        assert all(challenge.expires_at > now for challenge in world.challenges)
        self.look()
        assert not self.run(self.host.timekeeper.round()).decided
        assert self.world() == world, "a second round has changed something"

    @rule()
    def restart(self) -> None:
        before = self.stored()
        self.teardown()
        self.open()
        assert self.stored() == before


def evenings(folder: Path, examples: int, steps: int) -> None:
    """Runs so many evenings of at most so many steps; each begins with an empty database of its own."""
    with asyncio.Runner(loop_factory=asyncio.new_event_loop) as runner:

        async def wait(it: Awaitable[Any]) -> Any:
            return await it

        def run(it: Awaitable[Any]) -> Any:
            return runner.run(wait(it))

        prepared, evening = folder / "prepared", count(1)
        prepared.mkdir()
        run(empty(prepared))
        run_state_machine_as_test(
            lambda: Evening(prepared, folder / str(next(evening)), run),  # type: ignore[arg-type]  # takes a factory
            settings=settings(
                max_examples=examples,
                stateful_step_count=steps,
                deadline=None,
                suppress_health_check=list(HealthCheck),
            ),
        )


async def empty(folder: Path) -> None:
    """Makes the tables."""
    async with open_store(None, folder):
        pass


def check_refusal(refusal: Exception) -> None:
    said = str(refusal)
    assert 0 < len(said) < 400, said
    assert said.isprintable(), said
    assert said.endswith("."), said
