"""An interaction between a member and the bot, as the local Discord stores it."""

from dataclasses import asdict, dataclass, field
from enum import IntEnum

from bot.sandbox.json_types import Object

ANSWER_WITHIN = 3.0
"""Seconds in which the bot must give its first answer."""
TOKEN_LIVES = 15 * 60.0
"""Seconds for which an answered interaction's token may be used."""
MOST_FOLLOWUPS = 5
"""The largest number of followups if the application is not installed by the server of the interaction."""

COMMAND, COMPONENT, AUTOCOMPLETE, MODAL_SUBMIT = 2, 3, 4, 5


class Callback(IntEnum):
    """The types of the first answer."""

    MESSAGE = 4
    DEFERRED = 5
    DEFERRED_UPDATE = 6
    UPDATE = 7
    CHOICES = 8
    MODAL = 9


CALLBACKS = {
    COMMAND: (Callback.MESSAGE, Callback.DEFERRED, Callback.MODAL),
    COMPONENT: (
        Callback.MESSAGE,
        Callback.DEFERRED,
        Callback.DEFERRED_UPDATE,
        Callback.UPDATE,
        Callback.MODAL,
    ),
    AUTOCOMPLETE: (Callback.CHOICES,),
    MODAL_SUBMIT: (Callback.MESSAGE, Callback.DEFERRED, Callback.DEFERRED_UPDATE, Callback.UPDATE),
}
"""The first answers that each type of interaction may get."""
OF_A_MESSAGE = (Callback.DEFERRED_UPDATE, Callback.UPDATE)
"""First answers that need the message whose component was used."""


@dataclass(slots=True)
class Interaction:
    """One interaction.

    `created` is in seconds since 1970. `data` is what the member chose, as Discord writes it. `source` is the id of
    the message whose component was used, `cause` that of the interaction whose modal this one submits. `answered` is
    the type of the first answer, `original` the id of its message ("@original"). `thinking` is True until a deferred
    answer gets its text. `modal` is the modal that was opened, `choices` the answer to an autocomplete. `owners` is
    the installation, as in `authorizing_integration_owners`: under "0" the server ("0" in direct messages with the
    bot), under "1" the member. `followups` is the number of followups so far.
    """

    id: str
    token: str
    type: int
    channel_id: str
    user_id: str
    created: float
    data: Object = field(default_factory=dict)
    source: str | None = None
    cause: str | None = None
    answered: int | None = None
    original: str | None = None
    thinking: bool = False
    modal: Object | None = None
    choices: list[Object] | None = None
    owners: Object = field(default_factory=dict)
    followups: int = 0

    def missed_deadline(self, now: float) -> bool:
        """True if the bot did not answer in time."""
        return self.answered is None and now - self.created >= ANSWER_WITHIN

    def token_expired(self, now: float) -> bool:
        """True if the token no longer works for followups and edits."""
        return now - self.created >= TOKEN_LIVES

    @property
    def followups_used_up(self) -> bool:
        """True if no further followup is allowed."""
        return "0" not in self.owners and self.followups >= MOST_FOLLOWUPS

    def dump(self) -> Object:
        return asdict(self)
