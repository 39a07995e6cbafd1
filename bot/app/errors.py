"""Why the host says no. Like the referee's errors, each is one sentence for the person who asked."""


class Refused(Exception):
    """The host cannot do that; nothing was changed."""
