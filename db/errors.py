"""Errors at the start, before there is a store."""


class StoreUnavailable(Exception):
    """The database cannot be used. Its text is one sentence for the operator, without a password."""
