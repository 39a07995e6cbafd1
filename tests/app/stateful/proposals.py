"""Draws and takebacks: proposed, agreed to, declined, withdrawn, by buttons new and old; and clicks that race."""

import random
from collections.abc import Awaitable, Callable, Sequence
from typing import Any

from hypothesis import strategies as st

from bot.app.matches.loaded import LoadedMatch
from db.values.challenges import Answer, Order
from db.values.places import Place, former
from db.values.proposals import Matter, Proposal
from rules.core.game import Game
from rules.core.match import Ply
from tests.app.conftest import Host
from tests.app.stateful.base import anybody, served, together
from tests.app.stateful.moves import MoveRules
from tests.app.stateful.strategies import (
    NOWHERE,
    STRANGER,
    clocks,
    crowded,
    groups,
    numbers,
    places,
    seeds,
)
from tests.rules.walks import texts

MATTERS = [it for it in Matter if it is not Matter.SEAT]
"""The matters that players propose. Seats are offered automatically."""
ACTS = ("move", "move", "move", "takeback", "draw", "agree", "agree", "disagree")


class ProposalRules(MoveRules):
    """Members of a match who want something of each other."""

    @served(number=numbers, who=numbers, matter=st.sampled_from(MATTERS), at_once=st.integers(0, 4))
    def propose(self, number: int, who: int, matter: Matter, at_once: int) -> None:
        """A player proposes something; then the first `at_once` players agree, if they may."""
        self.propose_in(number, who, matter, at_once=at_once)

    def propose_in(self, number: int, who: int, matter: Matter, *, at_once: int) -> None:
        loaded = self.pick(number)
        if loaded is None:
            return
        made = self.propose_by(anybody(loaded.stored.users, who), loaded, matter)
        if made is None:
            return
        for other in loaded.stored.users[:at_once]:
            if not former(other):
                self.agree(made.id, other)

    def propose_by(self, user: int, loaded: LoadedMatch, matter: Matter) -> Proposal | None:
        may = None if loaded.seat_of(user) in loaded.match.playing and not loaded.match.over else False
        proposing = self.host.services.proposals.propose
        made: Proposal | None = self.attempt(lambda: proposing(loaded.id, user, matter), may=may)
        if made is not None:
            self.oracle.consented(made, user)
            self.shown(loaded.id)
        return made

    @served(number=numbers, seed=seeds, acts=st.lists(st.sampled_from(ACTS), min_size=3, max_size=9))
    def argue(self, number: int, seed: int, acts: list[str]) -> None:
        """The players of one match move, propose and answer one after the other; everything is checked in between."""
        loaded, chance = self.pick(number), random.Random(seed)
        for act in acts:
            if loaded is None or loaded.match.over:
                return
            user = loaded.stored.users[chance.choice(loaded.match.playing)]
            made = [it.id for it in self.oracle.proposals.values() if it.match == loaded.id]
            match act:
                case "move":
                    self.move(loaded, chance)
                case "agree" if made:
                    self.agree(made[-1], user)
                case "disagree" if made:
                    self.disagree(made[-1], user)
                case _:
                    self.propose_by(user, loaded, Matter.TAKEBACK if act == "takeback" else Matter.DRAW)
            loaded = self.shown(loaded.id)
            self.look()

    @served(
        users=groups, seats=st.integers(3, 4), game=crowded, place=places, clock=clocks,
        number=numbers, who=numbers, agreeing=st.integers(0, 4),
    )  # fmt: skip
    def leave(
        self, users: Sequence[int], seats: int, game: Game[Any, Any], place: Place, clock: str,
        number: int, who: int, agreeing: int,
    ) -> None:  # fmt: skip
        """A player leaves a match for three and more; then the first `agreeing` others agree to the offer, if any."""
        self.ask(users, seats, game, 0, place, Order.LISTED, clock, all_accept=True, two=False)
        known = self.snapshot.matches.values()
        running = [it.id for it in known if it.finished_at is None and len(it.users) > 2]
        loaded = self.shown(running[number % len(running)]) if running else None
        if loaded is None or loaded.match.over or self.late(loaded):
            return
        seat = loaded.match.playing[who % len(loaded.match.playing)]
        leaver, match = loaded.stored.users[seat], loaded.id
        if self.attempt(lambda: self.host.services.matches.resign(match, leaver), may=True) is not None:
            self.oracle.confirmed.append((match, Ply(seat, "resign")))
        loaded = self.shown(match)
        self.look()
        offers = [it.id for it in self.snapshot.proposals if (it.match, it.matter) == (match, Matter.SEAT)]
        for other in [loaded.stored.users[it] for it in loaded.match.playing][:agreeing]:
            for offer in offers:
                self.agree(offer, other)

    @served(number=numbers, who=numbers)
    def end_pause(self, number: int, who: int) -> None:
        """Any member ends a pause, or presses the button when there is none."""
        loaded = self.pick(number)
        if loaded is not None:
            user = anybody(loaded.stored.users, who)
            may = None if loaded.seat_of(user) in loaded.match.playing and not loaded.match.over else False

            async def end() -> bool:
                await self.host.services.proposals.end_pause(loaded.id, user)
                return True

            if self.attempt(end, may=may):
                assert self.shown(loaded.id).stored.paused_until is None

    @served(number=numbers, who=numbers, yes=st.booleans())
    def reply(self, number: int, who: int, yes: bool) -> None:
        """Any member presses a button under a proposal, open or not."""
        if not any(it.answer is Answer.OPEN for it in self.oracle.proposals.values()):
            self.propose_in(number, number, Matter.DRAW if yes else Matter.TAKEBACK, at_once=0)
        made = list(self.oracle.proposals.values())
        if not made:
            self.attempt(lambda: self.host.services.proposals.agree(NOWHERE, STRANGER), may=False)
            return
        found = made[-1 - number // 2 % len(made)]
        user = anybody(self.shown(found.match).stored.users, who)
        if yes:
            self.agree(found.id, user)
        else:
            self.disagree(found.id, user)

    def answerable(self, proposal: int, user: int) -> tuple[LoadedMatch, Proposal, bool]:
        """True if `user` may answer a proposal after the client has shown its match."""
        found = self.oracle.proposals[proposal]
        loaded = self.shown(found.match)
        open_now = any(it.id == proposal for it in self.snapshot.proposals)
        return loaded, found, open_now and loaded.seat_of(user) in loaded.match.playing

    def agree(self, proposal: int, user: int) -> None:
        loaded, found, may = self.answerable(proposal, user)
        may = may and loaded.seat_of(user) != found.seat and not self.late(loaded)
        agreed = self.attempt(lambda: self.host.services.proposals.agree(proposal, user), may=may)
        if agreed is not None:
            self.oracle.consented(agreed, user)
            self.shown(found.match)

    def disagree(self, proposal: int, user: int) -> None:
        _, _, may = self.answerable(proposal, user)
        done = self.attempt(lambda: self.host.services.proposals.refuse(proposal, user), may=may)
        if done is not None:
            self.oracle.refusals.add(("proposal", proposal, done.answer))

    @served(number=numbers, seed=seeds, clicks=st.integers(2, 4))
    def click_at_once(self, number: int, seed: int, clicks: int) -> None:
        """Several members of a match act at the same moment, in both processes; each one who is told so has done it."""
        loaded, chance = self.pick(number), random.Random(seed)
        if loaded is None or loaded.match.over or self.late(loaded):
            return
        doing = [self.click(self.hosts[index % len(self.hosts)], loaded, chance) for index in range(clicks)]
        self.run(together(*doing))
        self.shown(loaded.id)

    def click(self, host: Host, loaded: LoadedMatch, chance: random.Random) -> Callable[[], Awaitable[None]]:
        oracle = self.oracle
        seat = chance.choice(loaded.match.playing)
        user = loaded.stored.users[seat]
        opened = [it.id for it in self.snapshot.proposals if it.match == loaded.id]
        kind = chance.choice(["play", "play", "play", "resign", "propose", "agree", "refuse"])
        text = "resign"
        if kind == "play":
            mover = chance.choice(loaded.match.to_move)
            assert mover is not None
            seat, user = mover, loaded.stored.users[mover]
            text = chance.choice(texts(loaded.match, seat, chance))

        async def act() -> None:
            match kind:
                case "play":
                    done = await self.told(host.services.matches.play(loaded.id, user, text, loaded.shown))
                case "resign":
                    done = await self.told(host.services.matches.resign(loaded.id, user))
                case "refuse" if opened:
                    refused = await self.told(host.services.proposals.refuse(opened[0], user))
                    if refused is not None:
                        oracle.refusals.add(("proposal", refused.id, refused.answer))
                    return
                case _:
                    made = await self.told(
                        host.services.proposals.agree(opened[0], user)
                        if kind == "agree" and opened
                        else host.services.proposals.propose(loaded.id, user, Matter.DRAW)
                    )
                    if made is not None:
                        oracle.consented(made, user)
                    return
            if done is not None:
                oracle.confirmed.append((loaded.id, Ply(seat, text)))

        return act
