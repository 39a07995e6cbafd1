"""Naming members in messages: by a mention, as a former member once their data was deleted, or as a computer player."""

from collections.abc import Iterable

from bot.app.personas import persona_name
from db.api.computers import is_computer
from db.api.places import FORMER, DiscordId, former


def mention(user: DiscordId) -> str:
    """A member in a sentence: `<@1>`, "a former member", or "Crayon (computer)": no such id is ever mentioned."""
    name = persona_name(user)
    if name is not None:
        return f"{name} (computer)"
    return FORMER if former(user) else f"<@{user}>"


def named(user: DiscordId, *, computer: bool) -> str:
    """A member in a list: `<@1>`, or `<@1> (computer)` of a computer player."""
    return f"{mention(user)} (computer)" if computer and not is_computer(user) else mention(user)


def mentions(users: Iterable[DiscordId]) -> str:
    """Members in a sentence: `<@1>, <@2> and <@3>`."""
    names = [mention(user) for user in users]
    return " and ".join([", ".join(names[:-1]), names[-1]] if len(names) > 1 else names)


def capital(sentence: str) -> str:
    """A sentence with a capital letter, even if it begins with a seat's name."""
    return sentence[:1].upper() + sentence[1:]


def against(users: Iterable[DiscordId]) -> str:
    """The players of a match: `<@1> against <@2>`."""
    return " against ".join(mention(user) for user in users)
