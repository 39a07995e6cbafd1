"""The buttons and select menus that members use, checked as Discord's own client checks them."""

from typing import Any

from bot.sandbox.checks.components import (
    CHANNEL_SELECT,
    MENTIONABLE_SELECT,
    ROLE_SELECT,
    STRING_SELECT,
    USER_SELECT,
)
from bot.sandbox.errors import Refused
from bot.sandbox.gateway import payloads
from bot.sandbox.json_types import Object
from bot.sandbox.world.choices import has_channel, has_role, has_user
from bot.sandbox.world.message import Message
from bot.sandbox.world.world import World


def component_of(world: World, message: Message, custom_id: str, wanted: tuple[int, ...]) -> Object:
    """Return the button or select menu with this custom id. Raises Refused if it is missing or disabled."""
    found = message.component(custom_id)
    if found is None or found["type"] not in wanted:
        raise Refused(f"The message has no such component {custom_id!r}.", 404)
    if found.get("disabled"):
        raise Refused("This component is disabled.")
    return found


def chosen(world: World, channel: Object, select: Object, values: Any) -> Object:
    """Return the `values` and `resolved` of a select menu for these values. Raises Refused."""
    if not isinstance(values, list) or not all(isinstance(one, str) for one in values):
        raise Refused('"values" must be a list of texts.')
    least, most = select.get("min_values", 1), select.get("max_values", 1)
    if not least <= len(values) <= most or len(set(values)) < len(values):
        raise Refused(f"Choose {least if least == most else f'{least} to {most}'} of the values, none twice.")
    kind, ids = select["type"], _no_ids()
    for value in values:
        if kind == STRING_SELECT and value in [option["value"] for option in select["options"]]:
            continue
        if kind in (USER_SELECT, MENTIONABLE_SELECT) and has_user(world, channel, value):
            ids["users"].append(value)
        elif kind in (ROLE_SELECT, MENTIONABLE_SELECT) and has_role(world, channel, value):
            ids["roles"].append(value)
        elif kind == CHANNEL_SELECT and has_channel(world, channel, value, select.get("channel_types")):
            ids["channels"].append(value)
        else:
            raise Refused(f"{value!r} is not among the values to choose from.")
    found: Object = {"values": values}
    if kind != STRING_SELECT:
        found["resolved"] = payloads.resolved(world, channel, ids)
    return found


def _no_ids() -> dict[str, list[str]]:
    return {"users": [], "roles": [], "channels": []}
