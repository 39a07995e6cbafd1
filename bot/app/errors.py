"""The application's refusals. Like the referee's errors, each is one sentence for the member who acted."""


class Refused(Exception):
    """The bot does not do that; nothing was changed."""
