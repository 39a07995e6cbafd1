"""Challenges: made, accepted, declined, withdrawn, or out of time."""

from dataclasses import replace
from datetime import timedelta

from bot.app.errors import Refused
from bot.app.ports import Chance, Clock, Store
from bot.app.table import Table
from db.values import Answer, Answered, Challenge, DiscordId, NewChallenge, Place
from rules.core.match import setup_of
from rules.core.sizes import read_size
from rules.games import find

MOST_OPEN = 10
"""Open challenges that one member may have out in one channel."""


class Challenges:
    """Offers from one member to another. Methods raise Refused or BadSetup; then nothing was changed."""

    def __init__(self, store: Store, clock: Clock, chance: Chance, lifetime: timedelta) -> None:
        self._store = store
        self._clock = clock
        self._chance = chance
        self._lifetime = lifetime

    async def make(
        self, place: Place, challenger: DiscordId, opponent: DiscordId, game: str, size: str
    ) -> Challenge:
        """Challenge `opponent` to `game` on a board of `size` (a name, numbers, or options by name)."""
        if challenger == opponent:
            raise Refused("You cannot challenge yourself; name somebody else.")
        found = find(game)
        setup = setup_of(found, read_size(found, size), 2)
        out = [
            other
            for other in await self._store.challenges(user=challenger, place=place)
            if other.challenger == challenger
        ]
        if any((other.opponent, other.setup) == (opponent, setup) for other in out):
            raise Refused("You have already sent this challenge; it waits for an answer.")
        if len(out) >= MOST_OPEN:
            raise Refused(f"You have {MOST_OPEN} challenges open here; withdraw one or wait for an answer.")
        now = self._clock.now()
        new = NewChallenge(setup, place, challenger, opponent, now, now + self._lifetime)
        return await self._store.add_challenge(new)

    async def posted(self, challenge: Challenge, message: DiscordId) -> None:
        """Remember the message that shows a challenge."""
        await self._store.show_challenge(challenge.id, message)

    async def accept(self, challenge: int, user: DiscordId) -> tuple[Challenge, Table]:
        """`user` accepts; the seats are drawn by lot and the match begins."""
        offer = await self._find(challenge)
        if offer.answer is not Answer.OPEN:
            raise Refused(stands(offer.answer))
        if user == offer.challenger:
            raise Refused(f"This challenge waits for <@{offer.opponent}>; you made it.")
        if user != offer.opponent:
            raise Refused(f"This challenge is for <@{offer.opponent}>.")
        now = self._clock.now()
        if now >= offer.expires_at:
            raise Refused(stands(Answer.EXPIRED))
        users = self._chance.shuffled((offer.challenger, offer.opponent))
        version = find(offer.setup.game).version
        try:
            stored = await self._store.accept(challenge, users, version, now)
        except Answered as answered:
            raise Refused(stands(answered.challenge.answer)) from None
        closed = replace(offer, answer=Answer.ACCEPTED, match=stored.id)
        return closed, Table.of(stored)

    async def refuse(self, challenge: int, user: DiscordId) -> Challenge:
        """The opponent declines, or the challenger withdraws."""
        offer = await self._find(challenge)
        if user == offer.challenger:
            answer = Answer.WITHDRAWN
        elif user == offer.opponent:
            answer = Answer.DECLINED
        else:
            raise Refused(f"This challenge is between <@{offer.challenger}> and <@{offer.opponent}>.")
        try:
            return await self._store.refuse(challenge, answer, self._clock.now())
        except Answered as answered:
            raise Refused(stands(answered.challenge.answer)) from None

    async def waiting(self, user: DiscordId) -> list[Challenge]:
        """Open challenges made by or to `user`, oldest first."""
        return await self._store.challenges(user=user)

    async def find(self, challenge: int) -> Challenge | None:
        """The challenge with this number, if there is one."""
        return await self._store.challenge(challenge)

    async def expire(self) -> list[Challenge]:
        """Close all challenges whose time is over, and answer those just closed."""
        return await self._store.expire(self._clock.now())

    async def _find(self, challenge: int) -> Challenge:
        offer = await self.find(challenge)
        if offer is None:
            raise Refused("This challenge is gone; make a new one with `/challenge`.")
        return offer


def stands(answer: Answer) -> str:
    """Why a challenge that is not open cannot be answered."""
    match answer:
        case Answer.ACCEPTED:
            return "This challenge was accepted already; the game is on."
        case Answer.DECLINED:
            return "This challenge was declined."
        case Answer.WITHDRAWN:
            return "This challenge was withdrawn."
        case _:
            return "This challenge has expired; make a new one with `/challenge`."
