"""Rematches: the same players at the same game, everybody one seat further."""

from datetime import datetime, timedelta

from bot.app.challenges import Challenges
from bot.app.errors import Refused
from bot.app.matches import Matches
from bot.app.ports import Clock, Store
from bot.app.table import Table
from db.values import (
    Answer,
    Challenge,
    DiscordId,
    NewChallenge,
    Order,
    Participant,
    Rematched,
    Reply,
    StoredMatch,
    Terms,
)


class Rematches:
    """Challenges to play a finished match again. One is asked for once; asking for it too is accepting it."""

    def __init__(
        self, store: Store, clock: Clock, matches: Matches, challenges: Challenges, lifetime: timedelta
    ) -> None:
        self._store = store
        self._clock = clock
        self._matches = matches
        self._challenges = challenges
        self._lifetime = lifetime

    async def ask(self, match: int, user: DiscordId) -> tuple[Challenge, Table | None]:
        """`user` wants a rematch: the challenge as it then stands, and the match once it has begun.

        Raises Refused; then nothing was changed.
        """
        table = await self._matches.table(match)
        if table.seat_of(user) is None:
            raise Refused(f"Only those who played {table.name} can ask for a rematch.")
        if not table.match.over:
            raise Refused(f"{table.name} is not over yet.")
        now = self._clock.now()
        new = _again(table.stored, user, self._lifetime, now)
        try:
            return await self._store.add_challenge(new), None
        except Rematched as rematched:
            asked = rematched.challenge
        if asked.answer is Answer.OPEN and asked.challenger == user and asked.message is None:
            return asked, None
        return await self._challenges.accept(asked.id, user)


def _again(played: StoredMatch, challenger: DiscordId, lifetime: timedelta, now: datetime) -> NewChallenge:
    """On the same terms; the first seat goes to who had the second, and so on round."""
    seats = (*played.users[1:], played.users[0])
    participants = tuple(Participant(user, Reply.IN if user == challenger else Reply.ASKED) for user in seats)
    setup = played.setup
    terms = Terms(setup.game, setup.options, len(seats), len(seats), Order.LISTED, played.pace)
    return NewChallenge(
        terms, played.place, challenger, participants, False, now, now + lifetime, rematch_of=played.id
    )
