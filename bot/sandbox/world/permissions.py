"""Permission bits, and the permission overwrites of channels."""

from bot.sandbox.errors import DiscordError, missing_access, missing_permissions
from bot.sandbox.json_types import Object

BITS = {
    "create_instant_invite": 0,
    "manage_channels": 4,
    "manage_guild": 5,
    "add_reactions": 6,
    "view_channel": 10,
    "send_messages": 11,
    "manage_messages": 13,
    "embed_links": 14,
    "attach_files": 15,
    "read_message_history": 16,
    "mention_everyone": 17,
    "use_external_emojis": 18,
    "manage_roles": 28,
    "use_application_commands": 31,
    "manage_threads": 34,
    "create_public_threads": 35,
    "create_private_threads": 36,
    "use_external_stickers": 37,
    "send_messages_in_threads": 38,
    "use_external_apps": 50,
    "pin_messages": 51,
}
"""The number of the bit of each permission that the local Discord knows, by Discord's name in lower case."""

EVERYTHING = sum(1 << bit for bit in BITS.values())
EVERYONE = EVERYTHING & ~sum(
    1 << BITS[name]
    for name in (
        "manage_channels",
        "manage_guild",
        "manage_messages",
        "manage_roles",
        "manage_threads",
        "mention_everyone",
    )
)
"""The permissions of every member. The owner of the server has all permissions."""
OF_BOT = EVERYTHING & ~(1 << BITS["manage_threads"])
"""The permissions of the bot. Manage Threads must be allowed, since a bot that has it is refused nothing in threads."""
AMONG_MEMBERS = sum(1 << BITS[name] for name in ("attach_files", "embed_links", "mention_everyone"))
"""The permissions of an application for its answers in direct messages among members."""


def bit(permission: str) -> int:
    """Return the mask of a permission. Raises ValueError with all names if the name is unknown."""
    if permission not in BITS:
        raise ValueError(f"There is no permission {permission!r}; there are: {', '.join(BITS)}.")
    return 1 << BITS[permission]


def permissions_in(channel: Object, user_id: str, base: int) -> int:
    """Return the permissions `base` after the channel's overwrites for this user."""
    for overwrite in channel.get("permission_overwrites", ()):
        if overwrite["id"] == user_id:
            base = base & ~int(overwrite["deny"]) | int(overwrite["allow"])
    return base


def permit(channel: Object, user_id: str, permission: str, *, denied: bool) -> None:
    """Deny or allow a user a permission in a channel."""
    overwrite = _overwrite(channel, user_id)
    for kind in ("allow", "deny"):
        others = int(overwrite[kind]) & ~bit(permission)
        overwrite[kind] = str(others | bit(permission) if denied is (kind == "deny") else others)


def _overwrite(channel: Object, user_id: str) -> Object:
    for overwrite in channel["permission_overwrites"]:
        if overwrite["id"] == user_id:
            found: Object = overwrite
            return found
    made: Object = {"id": user_id, "type": 1, "allow": "0", "deny": "0"}
    channel["permission_overwrites"].append(made)
    return made


def refusal(held: int, *needed: str) -> DiscordError | None:
    """Return Discord's refusal for a user with the permissions `held` who needs all of `needed`, or None."""
    if not held & bit("view_channel"):
        return missing_access()
    if any(not held & bit(name) for name in needed):
        return missing_permissions()
    return None
