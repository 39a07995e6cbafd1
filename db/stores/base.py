"""What every part of the store has."""

from db.sessions import Sessions


class Kept:
    """A part of what the bot keeps. Each public method is one transaction; what it raises, it has stored nothing of.

    An id that was never given out is a LookupError, except where a method answers None for it.
    """

    def __init__(self, sessions: Sessions) -> None:
        self._sessions = sessions
