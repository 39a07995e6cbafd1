"""The data of a member: exported to them, or deleted."""

from collections.abc import Iterable
from dataclasses import dataclass

import structlog

from bot.app.challenges.replies import gone
from bot.app.errors import Refused
from bot.app.matches.matches import Matches
from bot.app.matches.move_log import TimeIsOver
from bot.app.system import Clock
from db.store import Store
from db.values.challenges import Answer, ChallengeChanged
from db.values.failures import StoreFailed
from db.values.members import StillNeeded
from db.values.places import DiscordId

log = structlog.get_logger()


@dataclass(frozen=True, slots=True)
class Forgotten:
    """The matches and challenges whose messages still name a deleted member, the newest first.

    Those that the member has just left are separate from older ones.
    """

    matches_left: tuple[int, ...]
    challenges_left: tuple[int, ...]
    matches: tuple[int, ...]
    challenges: tuple[int, ...]


class Privacy:
    """The service that exports and deletes what is stored about a member."""

    def __init__(self, store: Store, clock: Clock, matches: Matches) -> None:
        self._store = store
        self._clock = clock
        self._matches = matches

    async def export(self, user: DiscordId) -> dict[str, object]:
        """Everything stored about `user`, their own hidden moves included, without the secrets of others."""
        tables = await self._store.privacy.export(user)
        return {"member": str(user), "at": self._clock.now().isoformat(timespec="seconds"), **tables}

    async def still_in(self, user: DiscordId) -> tuple[int, int]:
        """Return the numbers of running matches and open challenges that `user` would leave."""
        return len(await self._matches.mine(user)), len(await self._store.challenges.open(user=user))

    async def forget(self, user: DiscordId) -> Forgotten:
        """Let `user` leave everything that is open, and delete what is stored about them. Doing it again finds nothing.

        Every round closes what is open at that moment; another process may have closed it, or played on, meanwhile.
        """
        matches: list[int] = []
        challenges: list[int] = []
        while True:
            try:
                erased = await self._store.privacy.erase(user)
            except StillNeeded as needed:
                log.info("member.left_matches", challenges=needed.challenges, matches=needed.matches)
                challenges += (it for it in needed.challenges if it not in challenges)
                matches += (it for it in needed.matches if it not in matches)
                await self.leave(user, needed.matches, needed.challenges)
            else:
                return Forgotten(
                    matches_left=tuple(matches),
                    challenges_left=tuple(challenges),
                    matches=tuple(it for it in erased.matches if it not in matches),
                    challenges=tuple(it for it in erased.challenges if it not in challenges),
                )

    async def leave(self, user: DiscordId, matches: Iterable[int], challenges: Iterable[int]) -> None:
        """Let `user` leave these challenges and matches, as far as they are still open.

        One that cannot be left does not keep the user in the others. Then its error is raised in the end.
        """
        failures: list[Exception] = []
        for leave, numbers in ((self._leave_challenge, challenges), (self._leave_match, matches)):
            for number in numbers:
                try:
                    await leave(number, user)
                except StoreFailed:
                    raise
                except Exception as error:
                    failures.append(error)
        if failures:
            raise failures[0]

    async def _leave_challenge(self, challenge: int, user: DiscordId) -> None:
        offer = await self._store.challenges.get(challenge)
        if offer is None or offer.answer is not Answer.OPEN or offer.reply_of(user) is None:
            return
        try:
            await self._store.challenges.change(offer, gone(offer, user), self._clock.now())
        except ChallengeChanged:
            log.info("challenge.changed_before_leaving", challenge=challenge)

    async def _leave_match(self, match: int, user: DiscordId) -> None:
        try:
            await self._matches.resign(match, user)
        except TimeIsOver:
            await self._matches.time_out(match)
        except Refused:
            log.info("match.ended_before_leaving", match=match)
