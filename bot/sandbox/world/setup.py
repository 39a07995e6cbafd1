"""The contents of a new world, and the updates of a stored one when it is opened again."""

from collections.abc import Sequence

from bot.sandbox.json_types import Object
from bot.sandbox.world import objects
from bot.sandbox.world.clock import Clock, iso
from bot.sandbox.world.snowflake import snowflake
from bot.sandbox.world.store import Store

FIRST_IDS = 1_577_836_800.0
"""The time in the ids of the server, its first channels, the application and the members (1 January 2020, in seconds
since 1970), so that these ids are the same in every world."""
APPLICATION, GUILD, CHANNELS, MEMBERS = (snowflake(FIRST_IDS, block * 4096) for block in range(1, 5))

GATEWAY_INTENTS_LIMITED = 1 << 13 | 1 << 15 | 1 << 19
"""Application flags that allow the intents for presences, members and message content."""


def set_up(
    store: Store, clock: Clock, address: str, *,
    guild: str, application: str, channels: Sequence[str], members: Sequence[str], privileged: bool,
) -> None:  # fmt: skip
    """Fill an empty store with a new world, or add missing members and channels to a stored one."""
    with store.transaction():
        if store.get("meta", "founded") is None:
            store.save("meta", "founded", iso(clock.time()))
        else:
            old = store.get("meta", "address")
            for folder in ("/attachments/", "/ephemeral-attachments/"):
                store.rebase(old + folder, address + folder)
        store.save("meta", "address", address)
        people = _people(store, members)
        flags = GATEWAY_INTENTS_LIMITED if privileged else 0
        made = objects.application(APPLICATION, application, people[0], flags)
        store.save("user", APPLICATION, made["bot"])
        store.save("meta", "application", made)
        store.save("meta", "guild", objects.guild(GUILD, guild, people[0]["id"], made))
        _channels(store, channels)


def _people(store: Store, names: Sequence[str]) -> list[Object]:
    people = [user for _, user in store.all("user") if not user.get("bot")]
    known = {user["global_name"] for user in people}
    for name in names:
        if name not in known:
            user = objects.user(str(int(MEMBERS) + len(people)), name)
            store.save("user", user["id"], user)
            people.append(user)
            known.add(name)
    if not people:
        raise ValueError("The local Discord needs at least one member.")
    return people


def _channels(store: Store, names: Sequence[str]) -> None:
    there = [channel for _, channel in store.all("channel") if channel["type"] == objects.TEXT]
    known = {channel["name"] for channel in there}
    for name in names:
        if name not in known:
            channel = objects.text_channel(str(int(CHANNELS) + len(there)), GUILD, name, len(there))
            store.save("channel", channel["id"], channel)
            there.append(channel)
            known.add(name)
    if not there:
        raise ValueError("The local Discord needs at least one channel.")
