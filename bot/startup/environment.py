"""The environment of the processes that the bot starts."""

import os

KEPT = ("PATH", "HOME", "LANG", "TMPDIR")


def bare_environment() -> dict[str, str]:
    """Return what a program needs to run, and no settings: they hold the token and the password of the database."""
    return {name: value for name, value in os.environ.items() if name in KEPT}
