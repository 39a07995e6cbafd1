"""Users, channels, servers and the application in Discord's format."""

import re

from bot.sandbox.checks.commands import ENTRY_POINT, LAUNCHED_BY_DISCORD
from bot.sandbox.json_types import Object
from bot.sandbox.world.permissions import EVERYONE, OF_BOT

TEXT, DM, VOICE, GROUP, ANNOUNCEMENT, FORUM = 0, 1, 2, 3, 5, 15
ANNOUNCEMENT_THREAD, PUBLIC_THREAD, PRIVATE_THREAD = THREADS = (10, 11, 12)
KINDS = {"text": TEXT, "voice": VOICE, "announcement": ANNOUNCEMENT, "forum": FORUM}
"""The types of a server's channels, by name."""
THREADS_IN = {
    TEXT: (PUBLIC_THREAD, PRIVATE_THREAD),
    ANNOUNCEMENT: (ANNOUNCEMENT_THREAD,),
    FORUM: (PUBLIC_THREAD,),
}
"""The types of threads that each type of channel can have."""

IN_GUILD, WITH_BOT, AMONG_MEMBERS = 0, 1, 2
"""Discord's interaction contexts: in a server, in direct messages with the bot, in direct messages without it."""


def context(channel: Object) -> int:
    if channel["type"] not in (DM, GROUP):
        return IN_GUILD
    return WITH_BOT if channel["type"] == DM and len(channel["recipients"]) == 1 else AMONG_MEMBERS


def server_of(channel: Object) -> Object:
    """Return the field `guild_id` of what belongs to a channel: {} for direct messages."""
    return {"guild_id": channel["guild_id"]} if "guild_id" in channel else {}


DELETED = "deleted_user_"
"""The beginning of the user names of deleted accounts."""


def user(id_: str, name: str, *, bot: bool = False) -> Object:
    """Return a user with the display name `name`, from which the user name is made."""
    username = re.sub(r"[^a-z0-9_.]+", "_", name.lower()).strip("_") or f"user{id_[-4:]}"
    found: Object = {
        "id": id_,
        "username": username,
        "global_name": None if bot else name,
        "avatar": None,
        "discriminator": "0",
        "public_flags": 0,
        "flags": 0,
        "banner": None,
        "accent_color": None,
        "avatar_decoration_data": None,
        "collectibles": None,
        "primary_guild": None,
    }
    return found | {"username": name, "bot": True} if bot else found


def delete_account(of: Object) -> None:
    """Change a user as Discord changes a deleted account: a new user name, no display name and no picture."""
    of |= {"username": f"{DELETED}{int(of['id']) % 16**12:012x}", "global_name": None, "avatar": None}


def account_deleted(of: Object) -> bool:
    """Return whether the account of a user was deleted, which only the user name shows."""
    return str(of["username"]).startswith(DELETED)


def member(of: Object, roles: list[str], joined: str) -> Object:
    return {
        "user": of,
        "nick": None,
        "avatar": None,
        "avatar_decoration_data": None,
        "banner": None,
        "collectibles": None,
        "roles": roles,
        "joined_at": joined,
        "premium_since": None,
        "communication_disabled_until": None,
        "flags": 0,
        "pending": False,
        "mute": False,
        "deaf": False,
    }


def role(
    id_: str, name: str, permissions: int, position: int, *, bot: str | None = None, mentionable: bool = False
) -> Object:
    made: Object = {
        "id": id_,
        "name": name,
        "permissions": str(permissions),
        "position": position,
        "color": 0,
        "colors": {"primary_color": 0, "secondary_color": None, "tertiary_color": None},
        "hoist": False,
        "managed": bot is not None,
        "mentionable": mentionable,
        "icon": None,
        "unicode_emoji": None,
        "flags": 0,
    }
    return made | {"tags": {"bot_id": bot}} if bot else made


def guild(id_: str, name: str, owner: str, application: Object, *, first_role: str | None = None) -> Object:
    """Return a server with a role of the installed `application` and the role Players.

    All members have the role Players, which everybody may mention. The ids of the roles follow `first_role`, or the
    application's id.
    """
    before = int(first_role or application["id"])
    own = role(str(before + 1), application["name"], OF_BOT, 1, bot=application["bot"]["id"])
    players = role(str(before + 2), "Players", 0, 2, mentionable=True)
    return {
        "id": id_,
        "name": name,
        "owner_id": owner,
        "roles": [role(id_, "@everyone", EVERYONE, 0), own, players],
        "icon": None,
        "description": None,
        "home_header": None,
        "splash": None,
        "discovery_splash": None,
        "features": [],
        "banner": None,
        "application_id": None,
        "region": "local",
        "afk_channel_id": None,
        "afk_timeout": 300,
        "system_channel_id": None,
        "system_channel_flags": 0,
        "widget_enabled": False,
        "widget_channel_id": None,
        "verification_level": 0,
        "default_message_notifications": 0,
        "mfa_level": 0,
        "explicit_content_filter": 0,
        "max_presences": None,
        "max_members": 500_000,
        "max_stage_video_channel_users": 50,
        "max_video_channel_users": 25,
        "vanity_url_code": None,
        "premium_tier": 0,
        "premium_subscription_count": 0,
        "preferred_locale": "en-US",
        "rules_channel_id": None,
        "safety_alerts_channel_id": None,
        "public_updates_channel_id": None,
        "premium_progress_bar_enabled": False,
        "premium_progress_bar_enabled_user_updated_at": None,
        "nsfw": False,
        "nsfw_level": 0,
        "emojis": [],
        "stickers": [],
        "incidents_data": None,
    }


def guild_channel(id_: str, guild_id: str, name: str, position: int, kind: int = TEXT) -> Object:
    made: Object = {
        "id": id_,
        "type": kind,
        "guild_id": guild_id,
        "name": name,
        "position": position,
        "permission_overwrites": [],
        "last_message_id": None,
        "parent_id": None,
        "topic": None,
        "rate_limit_per_user": 0,
        "nsfw": False,
        "flags": 0,
    }
    if kind == VOICE:
        del made["topic"]
        return made | {"bitrate": 64000, "user_limit": 0, "rtc_region": None, "video_quality_mode": 1}
    if kind == FORUM:
        return made | {
            "available_tags": [],
            "default_reaction_emoji": None,
            "default_sort_order": None,
            "default_forum_layout": 0,
        }
    return made


def thread(
    id_: str, parent: Object, name: str, owner: str, kind: int, made: str, archive_minutes: int
) -> Object:
    return {
        "id": id_,
        "type": kind,
        "guild_id": parent["guild_id"],
        "parent_id": parent["id"],
        "owner_id": owner,
        "name": name,
        "last_message_id": None,
        "rate_limit_per_user": 0,
        "flags": 0,
        "message_count": 0,
        "member_count": 1,
        "total_message_sent": 0,
        "thread_metadata": {
            "archived": False,
            "archive_timestamp": made,
            "auto_archive_duration": archive_minutes,
            "locked": False,
            "create_timestamp": made,
        }
        | ({"invitable": True} if kind == PRIVATE_THREAD else {}),
    }


def thread_member(thread_id: str, user_id: str, joined: str) -> Object:
    return {"id": thread_id, "user_id": user_id, "join_timestamp": joined, "flags": 0}


def dm(id_: str, people: list[Object]) -> Object:
    """Return a channel of direct messages between the bot and one person, or between two persons."""
    return {"id": id_, "type": DM, "last_message_id": None, "flags": 0, "recipients": people}


def group(id_: str, people: list[Object], name: str | None) -> Object:
    """Return a group channel of several members, the first of whom is the owner."""
    about = {"type": GROUP, "name": name, "icon": None, "owner_id": people[0]["id"]}
    return dm(id_, people) | about


def entry_point(id_: str, application_id: str, version: str) -> Object:
    """Return the command that Discord adds to an application when Activities are enabled."""
    return {
        "id": id_,
        "application_id": application_id,
        "type": ENTRY_POINT,
        "name": "launch",
        "description": "",
        "default_member_permissions": None,
        "dm_permission": True,
        "contexts": [IN_GUILD, WITH_BOT, AMONG_MEMBERS],
        "integration_types": [0, 1],
        "nsfw": False,
        "handler": LAUNCHED_BY_DISCORD,
        "version": version,
    }


def application(id_: str, name: str, owner: Object, flags: int) -> Object:
    return {
        "id": id_,
        "name": name,
        "icon": None,
        "description": "",
        "type": None,
        "bot": user(id_, name, bot=True),
        "bot_public": True,
        "bot_require_code_grant": False,
        "verify_key": "0" * 64,
        "flags": flags,
        "flags_new": str(flags),
        "redirect_uris": [],
        "interactions_endpoint_url": None,
        "role_connections_verification_url": None,
        "owner": owner,
        "approximate_guild_count": 1,
        "approximate_user_install_count": 0,
        "approximate_user_authorization_count": 0,
        "explicit_content_filter": 0,
        "team": None,
        "eligible_oauth2_scopes": [],
        "integration_types_config": {},
    }
