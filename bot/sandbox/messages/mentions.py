"""Who is mentioned in a message, and who of them is pinged by it."""

import re
from collections.abc import Iterable
from dataclasses import dataclass

from bot.sandbox.json_types import Object

USER, ROLE = re.compile(r"<@!?(\d+)>"), re.compile(r"<@&(\d+)>")
EVERYONE = re.compile(r"@(?:everyone|here)\b")


@dataclass(frozen=True, slots=True)
class Mentions:
    """Ids of the users and roles that a text mentions with effect, and whether it addresses everyone."""

    users: tuple[str, ...] = ()
    roles: tuple[str, ...] = ()
    everyone: bool = False


def find(
    texts: Iterable[str], allowed: Object | None, *, may_everyone: bool, replied_to: str | None = None
) -> Mentions:
    """The mentions in `texts` that `allowed` (a request's allowed_mentions; None allows all) lets through."""
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
