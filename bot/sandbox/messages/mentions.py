"""Mentions in the texts of a message."""

import re
from collections.abc import Iterable
from dataclasses import dataclass

from bot.sandbox.json_types import Object

USER, ROLE = re.compile(r"<@!?(\d+)>"), re.compile(r"<@&(\d+)>")
EVERYONE = re.compile(r"@(?:everyone|here)\b")


@dataclass(frozen=True, slots=True)
class Mentions:
    """The ids of the users and roles that a message mentions. `everyone` is True if it mentions everyone."""

    users: tuple[str, ...] = ()
    roles: tuple[str, ...] = ()
    everyone: bool = False


def find(
    texts: Iterable[str], allowed: Object | None, *, may_everyone: bool, replied_to: str | None = None
) -> Mentions:
    """Return the mentions in `texts` that `allowed` permits: a request's allowed_mentions, where None permits all."""
    text = "\n".join(texts)
    users = [one for one in USER.findall(text) if _let(allowed, "users", one)]
    if replied_to and (allowed is None or allowed.get("replied_user")):
        users.append(replied_to)
    everyone = may_everyone and (allowed is None or "everyone" in allowed.get("parse", []))
    return Mentions(
        tuple(dict.fromkeys(users)),
        tuple(dict.fromkeys(one for one in ROLE.findall(text) if _let(allowed, "roles", one))),
        everyone and EVERYONE.search(text) is not None,
    )


def _let(allowed: Object | None, kind: str, id_: str) -> bool:
    return allowed is None or kind in allowed.get("parse", []) or id_ in allowed.get(kind, [])
