"""Challenges: made, accepted, declined, withdrawn, or out of time."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import timedelta

from bot.app.clocks import started
from bot.app.errors import Refused
from bot.app.ports import Chance, Clock, Store
from bot.app.replies import accepted, refused, stands
from bot.app.table import Table
from bot.app.terms import open_for
from bot.app.willing import check_asking, check_joining, check_place
from db.values import (
    Answer,
    Answered,
    Challenge,
    DiscordId,
    NewChallenge,
    Order,
    Participant,
    Place,
    Reply,
    Terms,
)
from rules.core.match import Match
from rules.games import find

MOST_OPEN = 10
"""Open challenges that one member may have out in one channel."""


class Challenges:
    """Offers of a game to one or several members. Methods raise Refused; then nothing was changed."""

    def __init__(self, store: Store, clock: Clock, chance: Chance, lifetime: timedelta) -> None:
        self._store = store
        self._clock = clock
        self._chance = chance
        self._lifetime = lifetime

    async def make(
        self, place: Place, challenger: DiscordId, terms: Terms, asked: Sequence[DiscordId]
    ) -> Challenge:
        """Challenge all who are `asked` to one game on these terms."""
        if challenger in asked:
            raise Refused("You cannot challenge yourself; name somebody else.")
        if len(set(asked)) < len(asked):
            raise Refused("You have named somebody twice; name each member once.")
        await check_place(self._store, place, terms.game)
        await check_asking(self._store, self._clock, challenger, asked)
        out = [
            other
            for other in await self._store.challenges(user=challenger, place=place)
            if other.challenger == challenger
        ]
        if any((other.terms, set(other.others)) == (terms, set(asked)) for other in out):
            raise Refused("You have already sent this challenge; it waits for an answer.")
        if len(out) >= MOST_OPEN:
            raise Refused(f"You have {MOST_OPEN} challenges open here; withdraw one or wait for an answer.")
        now = self._clock.now()
        participants = (
            Participant(challenger, Reply.IN),
            *(Participant(user, Reply.ASKED) for user in asked),
        )
        late = now + open_for(terms, self._lifetime)
        new = NewChallenge(terms, place, challenger, participants, False, now, late)
        return await self._store.add_challenge(new)

    async def posted(self, challenge: Challenge, message: DiscordId) -> None:
        """Remember the message that shows a challenge."""
        await self._store.show_challenge(challenge.id, message)

    async def accept(self, challenge: int, user: DiscordId) -> tuple[Challenge, Table | None]:
        """`user` accepts. With the last who does, the seats are given and the match begins."""
        offer = await self.find(challenge)
        if offer is not None:
            players = [other for other in offer.users(Reply.IN) if other != user]
            await check_joining(self._store, user, players)
        return await self._settle(challenge, lambda offer: accepted(offer, user))

    async def refuse(self, challenge: int, user: DiscordId) -> Challenge:
        """One who was asked declines, or the challenger withdraws."""
        closed, _ = await self._settle(challenge, lambda offer: refused(offer, user))
        return closed

    async def waiting(self, user: DiscordId) -> list[Challenge]:
        """Open challenges that concern `user`, oldest first."""
        return await self._store.challenges(user=user)

    async def find(self, challenge: int) -> Challenge | None:
        """The challenge with this number, if there is one."""
        return await self._store.challenge(challenge)

    async def expire(self) -> list[Challenge]:
        """Close all challenges whose time is over, and answer those just closed."""
        return await self._store.expire(self._clock.now())

    async def _settle(
        self, challenge: int, reply: Callable[[Challenge], Challenge]
    ) -> tuple[Challenge, Table | None]:
        """Store what `reply` makes of a challenge that stands as it was shown to it; once accepted, with its match."""
        offer = await self.find(challenge)
        if offer is None:
            raise Refused("This challenge is gone; make a new one with `/challenge`.")
        while True:
            now = self._clock.now()
            if offer.answer is Answer.OPEN and now >= offer.expires_at:
                offer = replace(offer, answer=Answer.EXPIRED)
            if offer.answer is not Answer.OPEN:
                raise Refused(stands(offer))
            after = reply(offer)
            try:
                if after.answer is not Answer.ACCEPTED:
                    await self._store.change(offer, after, now)
                    return after, None
                game = find(offer.terms.game)
                users = self._seats(after)
                first = Match.start(game, dict(offer.terms.options), len(users))
                clocks = started(offer.terms.pace, first, now)
                stored = await self._store.accept(offer, after, users, game.version, now, clocks)
                return replace(after, match=stored.id), Table.of(stored)
            except Answered as answered:
                # Somebody else was first: this reply is judged again by how it stands now.
                offer = answered.challenge

    def _seats(self, offer: Challenge) -> tuple[DiscordId, ...]:
        """Who plays, by seat."""
        players = offer.users(Reply.IN)
        others = tuple(user for user in players if user != offer.challenger)
        match offer.terms.order:
            case Order.LOT:
                return self._chance.shuffled(players)
            case Order.FIRST:
                return (offer.challenger, *self._chance.shuffled(others))
            case Order.LAST:
                return (*self._chance.shuffled(others), offer.challenger)
            case Order.LISTED:
                return players
