"""What can go wrong before there is a store."""


class StoreUnavailable(Exception):  # noqa: N818 - says what is the case, as the others here do
    """The database cannot be used. Its text is one sentence for whoever runs the bot, without a password."""
