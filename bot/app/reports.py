"""The limit on reports to moderators and feedback to the operator, which are stored nowhere."""

from datetime import timedelta

from bot.app.errors import Refused
from bot.app.system import Clock
from db.values.places import DiscordId

MOST = 3
"""Reports and feedback of one member within WINDOW."""
WINDOW = timedelta(minutes=10)


class Reports:
    """The times of the newest reports and feedback of each member, in memory only."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._times: dict[DiscordId, list[timedelta]] = {}

    def check(self, user: DiscordId) -> None:
        """Check that a member may send a report or feedback now. Raises Refused."""
        if len(self._recent(user)) >= MOST:
            raise Refused(
                f"You have sent {MOST} reports or feedback messages within ten minutes; try again later."
            )

    def count(self, user: DiscordId) -> None:
        """Count a report or feedback that was sent."""
        recent = self._recent(user)
        oldest = self._clock.monotonic() - WINDOW
        self._times = {it: times for it, times in self._times.items() if times[-1] > oldest}
        self._times[user] = [*recent, self._clock.monotonic()]

    def _recent(self, user: DiscordId) -> list[timedelta]:
        now = self._clock.monotonic()
        return [at for at in self._times.get(user, ()) if at > now - WINDOW]
