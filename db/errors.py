"""What can go wrong before there is a store."""


class StoreUnavailable(Exception):
    """The database cannot be used. Its text is one sentence for whoever runs the bot, without a password."""
