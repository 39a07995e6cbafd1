"""Posts that Discord refused: each is tried again once the permissions of the bot at its place have changed."""

from bot.ui.kit.posts.permissions import PermissionAlerts
from db.api.places import Place


class RefusedPosts:
    """The posts that were refused, by number, each with the permissions that the bot lacked then."""

    def __init__(self, alerts: PermissionAlerts, *, pictures: bool) -> None:
        self._alerts = alerts
        self._pictures = pictures
        self._lacked: dict[int, str] = {}

    def __bool__(self) -> bool:
        return bool(self._lacked)

    def add(self, number: int, place: Place) -> None:
        """Note that a post was refused at a place."""
        self._lacked[number] = self._missing(place)

    def remove(self, number: int) -> None:
        """Note that a post was taken."""
        self._lacked.pop(number, None)

    def still(self, number: int, place: Place) -> bool:
        """True if a post was refused at a place, and the bot lacks the same permissions there as it did then."""
        return number in self._lacked and self._lacked[number] == self._missing(place)

    def _missing(self, place: Place) -> str:
        return self._alerts.missing_at(place, pictures=self._pictures)
