"""Rematches: the same players on the same terms, everybody one seat further; of two games, two games again."""

from datetime import timedelta

from bot.app.challenges.challenges import Challenges
from bot.app.challenges.eligibility import check_asking, check_place, check_running_games
from bot.app.challenges.terms import open_for
from bot.app.errors import Refused
from bot.app.matches.matches import Matches
from bot.app.matches.table import Table
from bot.app.system import Clock
from db.store import Store
from db.values.challenges import Answer, Challenge, NewChallenge, Order, Participant, Rematched, Reply, Terms
from db.values.matches import StoredMatch
from db.values.members import is_computer
from db.values.places import DiscordId, Place, former


class Rematches:
    """Challenges to play a finished match again. There is one for each match; the others accept it by asking too."""

    def __init__(
        self, store: Store, clock: Clock, matches: Matches, challenges: Challenges, lifetime: timedelta
    ) -> None:
        self._store = store
        self._clock = clock
        self._matches = matches
        self._challenges = challenges
        self._lifetime = lifetime

    async def ask(self, match: int, user: DiscordId, place: Place) -> tuple[Challenge, Table | None]:
        """Ask for a rematch at `place`. Return the challenge as it then stands, and the match once it has begun.

        Asking for a rematch of the first game of two means both, so the second must be over.

        Raises Refused; then nothing was changed.
        """
        table = await self._matches.near(match, place)
        if (second := await self._store.matches.second_game(match)) is not None:
            match, table = second, await self._matches.table(second)
        if table.seat_of(user) is None:
            raise Refused(f"Only those who played {table.name} can ask for a rematch.")
        if not table.match.over:
            raise Refused(f"{table.name} is not over yet.")
        if any(map(former, table.stored.users)):
            raise Refused(f"One who played {table.name} is gone; start another game with `/challenge`.")
        asked = await self._store.challenges.rematch_of(match)
        if asked is None:
            others = [other for other in table.stored.users if other != user and not is_computer(other)]
            await check_place(self._store, place, table.stored.setup.game)
            await check_asking(self._store, self._clock, user, others)
            await check_running_games(self._store, place, (user,), user)
            try:
                made = await self._store.challenges.add(self._again(table.stored, user, place))
            except Rematched as rematched:
                asked = rematched.challenge
            else:
                if made.users(Reply.ASKED):
                    return made, None
                asked = made
        if asked.answer is Answer.OPEN and asked.challenger == user and not asked.users(Reply.ASKED):
            # Only computer players are asked, and they agree at once.
            return asked, await self._challenges.begin(asked.id)
        if asked.answer is Answer.OPEN and asked.challenger == user and asked.message is None:
            return asked, None
        return await self._challenges.accept(asked.id, user)

    def _again(self, played: StoredMatch, challenger: DiscordId, place: Place) -> NewChallenge:
        """On the same terms; the first seat goes to who had the second, and so on round."""
        seats = (*played.users[1:], played.users[0])
        participants = tuple(
            Participant(user, Reply.IN if user == challenger or is_computer(user) else Reply.ASKED)
            for user in seats
        )
        setup, now = played.setup, self._clock.now()
        terms = Terms(setup.game, setup.options, len(seats), len(seats), Order.LISTED, **played.by_name())
        late = now + open_for(terms, self._lifetime)
        return NewChallenge(terms, place, challenger, participants, False, now, late, rematch_of=played.id)
