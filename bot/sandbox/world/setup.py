"""The contents of a new world, and the updates of a stored one when it is opened again."""

from collections import defaultdict
from collections.abc import Sequence

from bot.sandbox.json_types import Object
from bot.sandbox.world import objects
from bot.sandbox.world.clock import Clock, iso, snowflake
from bot.sandbox.world.store import Store

FIRST_IDS = 1_577_836_800.0
"""The time in the ids of the server, its first channels, the application and the members (1 January 2020, in seconds
since 1970), so that these ids are the same in every world."""
APPLICATION, GUILD, CHANNELS, MEMBERS = (snowflake(FIRST_IDS, block * 4096) for block in range(1, 5))
MOST_SERVERS = 1_000_000
"""The largest number of servers. The times in their ids are consecutive milliseconds, so that all shards get equal
numbers of servers."""

GATEWAY_INTENTS_LIMITED = 1 << 13 | 1 << 15 | 1 << 19
"""Application flags that allow the intents for presences, members and message content."""


def set_up(
    store: Store, clock: Clock, address: str, *,
    guild: str, application: str, channels: Sequence[str | tuple[str, str]], members: Sequence[str], privileged: bool,
    servers: int = 1,
) -> None:  # fmt: skip
    """Fill an empty store with a new world, or add missing servers, members and channels to a stored one.

    All servers have the same channels, and each has its own members.
    """
    if not 1 <= servers <= MOST_SERVERS:
        raise ValueError(f"The local Discord has 1 to {MOST_SERVERS} servers, not {servers}.")
    with store.transaction():
        if store.get("meta", "founded") is None:
            store.save("meta", "founded", iso(clock.time()))
        else:
            old = store.get("meta", "address")
            for folder in ("/attachments/", "/ephemeral-attachments/"):
                store.rebase(old + folder, address + folder)
        store.save("meta", "address", address)
        there = _channels(store)
        people = _people(store, GUILD, members)
        flags = GATEWAY_INTENTS_LIMITED if privileged else 0
        made = objects.application(APPLICATION, application, people[0], flags)
        store.save("user", APPLICATION, made["bot"])
        store.save("meta", "application", made)
        store.save("guild", GUILD, objects.guild(GUILD, guild, people[0]["id"], made))
        _add_channels(store, GUILD, channels, there[GUILD])
        for number in range(2, servers + 1):
            id_ = _later(GUILD, number)
            own = _people(store, id_, [f"{name} {number}" for name in members], number)
            name = f"{guild} {number}"
            store.save("guild", id_, objects.guild(id_, name, own[0]["id"], made, first_role=id_))
            _add_channels(store, id_, channels, there[id_], number)


def _later(id_: str, number: int) -> str:
    """Return the id for the server with this number, counted from 1, that corresponds to `id_` of the first server."""
    return str(int(id_) + (number - 1 << 22))


def _people(store: Store, guild_id: str, names: Sequence[str], number: int = 1) -> list[Object]:
    """Add the missing members to a server, and return all its members."""
    ids: list[str] = store.get("guild_members", guild_id) or []
    people = [store.get("user", id_) for id_ in ids]
    known = {user["global_name"] for user in people}
    for name in dict.fromkeys(names):
        if name not in known:
            user = objects.user(_later(str(int(MEMBERS) + len(people)), number), name)
            store.save("user", user["id"], user)
            people.append(user)
    if not people:
        raise ValueError("The local Discord needs at least one member.")
    store.save("guild_members", guild_id, [user["id"] for user in people])
    return people


def _channels(store: Store) -> dict[str, list[str]]:
    """Return the names of the channels, by server, without those of threads."""
    found: dict[str, list[str]] = defaultdict(list)
    for _, channel in store.all("channel"):
        if channel["type"] in objects.KINDS.values():
            found[channel["guild_id"]].append(channel["name"])
    return found


def _add_channels(
    store: Store,
    guild_id: str,
    wanted: Sequence[str | tuple[str, str]],
    there: Sequence[str],
    number: int = 1,
) -> None:
    """Add the missing channels to a server. `wanted` are names of text channels, or pairs of name and kind."""
    kinds = dict((one, "text") if isinstance(one, str) else one for one in wanted)
    new = [name for name in kinds if name not in there]
    for place, name in enumerate(new, start=len(there)):
        id_ = _later(str(int(CHANNELS) + place), number)
        store.save(
            "channel", id_, objects.guild_channel(id_, guild_id, name, place, objects.KINDS[kinds[name]])
        )
    if not (there or new):
        raise ValueError("The local Discord needs at least one channel.")
