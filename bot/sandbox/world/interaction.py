"""One interaction between a member and the bot, as the local Discord keeps it."""

from dataclasses import asdict, dataclass, field
from enum import IntEnum

from bot.sandbox.json_types import Object

ANSWER_WITHIN = 3.0
"""Seconds in which the bot must give its first answer."""
TOKEN_LIVES = 15 * 60.0
"""Seconds for which an answered interaction's token may be used."""
MOST_FOLLOWUPS = 5
"""Followups to one interaction of an application that is not installed where the interaction was."""

COMMAND, COMPONENT, AUTOCOMPLETE, MODAL_SUBMIT = 2, 3, 4, 5


class Callback(IntEnum):
    """The types of a first answer."""

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
"""Those that need a message whose component was used."""


@dataclass(slots=True)
class Interaction:
    """`created` is in seconds since 1970. `data` is what the member chose, in Discord's form. `source` is the id of
    the message whose component was used. `answered` is the type of the first answer, `original` the message id that
    "@original" means, `modal` the form that was shown, `choices` what autocomplete proposed. `thinking` holds until a
    deferred answer gets its text. `cause` is the id of the interaction whose modal this one submits. `owners` are who
    installed the application that it is for: under "0" the server ("0" where the bot itself is written to), under "1"
    a member. `followups` counts those that were made."""

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

    def overdue(self, now: float) -> bool:
        """The bot has missed its time to answer."""
        return self.answered is None and now - self.created >= ANSWER_WITHIN

    def dead(self, now: float) -> bool:
        """The token is no longer good for followups and edits."""
        return now - self.created >= TOKEN_LIVES

    @property
    def exhausted(self) -> bool:
        """No further followup is allowed."""
        return "0" not in self.owners and self.followups >= MOST_FOLLOWUPS

    def dump(self) -> Object:
        return asdict(self)
