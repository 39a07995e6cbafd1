"""The data of gateway events in Discord's format."""

from bot.sandbox.checks.media import ATTACHMENT_LIMIT
from bot.sandbox.json_types import Object
from bot.sandbox.world import objects
from bot.sandbox.world.records import COMPONENT, MODAL_SUBMIT, Interaction, Message
from bot.sandbox.world.world import World


def guild_create(world: World, guild: Object) -> Object:
    here = world.channels_of(guild["id"])
    channels = [one for one in here if one["type"] not in objects.THREADS]
    threads = [
        one
        for one in here
        if one["type"] in objects.THREADS
        and not one["thread_metadata"]["archived"]
        and world.sees(world.bot["id"], one)
    ]
    members = [world.member(guild["id"], one["id"]) for one in (world.bot, *world.members_of(guild["id"]))]
    return guild | {
        "joined_at": members[0]["joined_at"],
        "large": False,
        "unavailable": False,
        "member_count": len(members),
        "members": members,
        "channels": channels,
        "threads": threads,
        "presences": [],
        "voice_states": [],
        "stage_instances": [],
        "guild_scheduled_events": [],
        "soundboard_sounds": [],
    }


def message_event(world: World, message: Message, *, read: bool) -> Object:
    """Return a message in the form of gateway events.

    If `read` is False the contents are omitted, because the bot lacks the message content intent.
    """
    channel = world.channels[message.channel_id]
    event = world.view(message) | objects.server_of(channel)
    guild = channel.get("guild_id")
    if guild is not None and (message.author_id == world.bot["id"] or world.is_in(message.author_id, guild)):
        member = world.member(guild, message.author_id)
        event["member"] = {name: value for name, value in member.items() if name != "user"}
    return event if read else event | {"content": "", "embeds": [], "attachments": [], "components": []}


def readable(world: World, message: Message) -> bool:
    """Return whether the bot may read this message without the message content intent."""
    bot = world.bot["id"]
    direct = objects.context(world.channels[message.channel_id]) == objects.WITH_BOT
    return direct or message.author_id == bot or any(user["id"] == bot for user in message.body["mentions"])


def partial_channel(world: World, channel: Object, user_id: str) -> Object:
    """Return a channel in the form of interactions, with the permissions of this user."""
    if "guild_id" not in channel:
        return channel
    left_out = ("permission_overwrites",)
    return {name: value for name, value in channel.items() if name not in left_out} | {
        "permissions": str(world.permissions(user_id, channel))
    }


def interaction_member(world: World, user_id: str, channel: Object) -> Object:
    return world.member(channel["guild_id"], user_id) | {
        "permissions": str(world.permissions(user_id, channel))
    }


def resolved(world: World, channel: Object, ids: dict[str, list[str]]) -> Object:
    """Return the objects with these ids, by kind: users, members, roles, channels, messages, attachments."""
    found: Object = {}
    for id_ in ids.get("users", ()):
        found.setdefault("users", {})[id_] = world.users[id_]
        if "guild_id" in channel:
            member = interaction_member(world, id_, channel)
            found.setdefault("members", {})[id_] = {
                name: value for name, value in member.items() if name not in ("user", "mute", "deaf")
            }
    for id_ in ids.get("roles", ()):
        role = next(role for role in world.guild_of(channel)["roles"] if role["id"] == id_)
        found.setdefault("roles", {})[id_] = role
    for id_ in ids.get("channels", ()):
        found.setdefault("channels", {})[id_] = partial_channel(world, world.channels[id_], world.bot["id"])
    for id_ in ids.get("attachments", ()):
        found.setdefault("attachments", {})[id_] = world.uploads[id_]["attachment"]
    for id_ in ids.get("messages", ()):
        message = world.find_message(id_)
        if message is not None:
            found.setdefault("messages", {})[id_] = world.view(message)
    return found


def owners(
    world: World, channel: Object, user_id: str, data: Object, source: str | None, cause: str | None
) -> Object:
    """Return the `authorizing_integration_owners` of an interaction.

    They are taken from the message of a component, from the interaction that opened a modal, or from the channel and
    the user of a command.
    """
    if cause in world.interactions:
        return world.interactions[cause].owners
    if source is not None:
        message = world.find_message(source)
        made: Object = {} if message is None else message.body.get("interaction_metadata", {})
        found: Object = made.get("authorizing_integration_owners", _installed(world, channel))
        return found
    types = world.commands.get(data.get("id", ""), {}).get("integration_types", [0])
    found = _installed(world, channel) if 0 in types else {}
    return found | {"1": user_id} if 1 in types and user_id in world.installed else found


def _installed(world: World, channel: Object) -> Object:
    """Return the owner "0" of an installation by a server: its id, or "0" in direct messages with the bot."""
    match objects.context(channel):
        case objects.IN_GUILD:
            return {"0": channel["guild_id"]} if world.bot_is_in(channel["guild_id"]) else {}
        case objects.WITH_BOT:
            return {"0": "0"}
    return {}


def interaction_create(world: World, interaction: Interaction) -> Object:
    channel = world.channels[interaction.channel_id]
    context = objects.context(channel)
    event: Object = {
        "id": interaction.id,
        "application_id": world.application["id"],
        "type": interaction.type,
        "token": interaction.token,
        "version": 1,
        "data": interaction.data,
        "channel_id": channel["id"],
        "channel": partial_channel(world, channel, interaction.user_id),
        "app_permissions": str(world.permissions(world.bot["id"], channel)),
        "locale": "en-US",
        "entitlements": [],
        "entitlement_sku_ids": [],
        "authorizing_integration_owners": interaction.owners,
        "context": context,
        "attachment_size_limit": ATTACHMENT_LIMIT,
    }
    if context != objects.IN_GUILD:
        event["user"] = world.users[interaction.user_id]
    else:
        guild = world.guild_of(channel)
        event["guild_id"] = guild["id"]
        event["guild"] = {"id": guild["id"], "locale": "en-US", "features": guild["features"]}
        event["guild_locale"] = "en-US"
        event["member"] = interaction_member(world, interaction.user_id, channel)
    if interaction.type in (COMPONENT, MODAL_SUBMIT) and interaction.source is not None:
        message = world.find_message(interaction.source)
        if message is not None:
            event["message"] = world.view(message)
    return event


def metadata(world: World, interaction: Interaction, *, first: str | None = None) -> Object:
    """Return the `interaction_metadata` of a response.

    `first` is the id of the first response if the message is a followup, otherwise None.
    """
    made: Object = {
        "id": interaction.id,
        "type": interaction.type,
        "user": world.users[interaction.user_id],
        "authorizing_integration_owners": interaction.owners,
    }
    if first is not None:
        made["original_response_message_id"] = first
    if interaction.type == COMPONENT:
        made["interacted_message_id"] = interaction.source
    elif interaction.type == MODAL_SUBMIT:
        cause = world.interactions.get(interaction.cause or "")
        if cause is not None:
            made["triggering_interaction_metadata"] = metadata(world, cause)
    elif interaction.data.get("type") == 2:
        made["target_user"] = world.users[interaction.data["target_id"]]
    elif interaction.data.get("type") == 3:
        made["target_message_id"] = interaction.data["target_id"]
    return made
