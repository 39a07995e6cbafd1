"""The buttons, select menus and modals that members use, with the checks of Discord's client."""

from typing import Any

from bot.sandbox.checks import components as kinds
from bot.sandbox.checks.components import (
    CHANNEL_SELECT,
    MENTIONABLE_SELECT,
    ROLE_SELECT,
    STRING_SELECT,
    USER_SELECT,
    walk,
)
from bot.sandbox.errors import Refused
from bot.sandbox.gateway import payloads
from bot.sandbox.json_types import Object
from bot.sandbox.world.people import has_channel, has_role, has_user
from bot.sandbox.world.records import Message
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
    """Return the `values` and `resolved` objects of the chosen values of a select menu. Raises Refused."""
    if not isinstance(values, list) or not all(isinstance(one, str) for one in values):
        raise Refused('"values" must be a list of texts.')
    least, most = select.get("min_values", 1), select.get("max_values", 1)
    if not least <= len(values) <= most or len(set(values)) < len(values):
        raise Refused(f"Choose {least if least == most else f'{least} to {most}'} of the values, none twice.")
    kind = select["type"]
    ids: dict[str, list[str]] = {"users": [], "roles": [], "channels": []}
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


def modal_data(world: World, channel: Object, modal: Object, fields: Any) -> Object:
    """Return the `data` of a modal's submission.

    `fields` are the values by custom id: a text, a list of values, one value, or a boolean, depending on the
    component. Raises Refused.
    """
    if not isinstance(fields, dict):
        raise Refused('"fields" must be an object of custom ids and values.')
    known = {one["custom_id"] for one in walk(modal["components"]) if "custom_id" in one}
    for custom_id in fields:
        if custom_id not in known:
            raise Refused(f"The form has no field {custom_id!r}.")
    resolved: Object = {}
    filled = [_filled(world, channel, one, fields, resolved) for one in modal["components"]]
    data: Object = {"custom_id": modal["custom_id"], "components": filled}
    return data | ({"resolved": resolved} if resolved else {})


def _filled(world: World, channel: Object, component: Object, fields: Object, resolved: Object) -> Object:
    made: Object = {"type": component["type"], "id": component["id"]}
    match component["type"]:
        case kinds.ROW:
            inner = component["components"]
            return made | {
                "components": [
                    _value(world, channel, one, one.get("label"), fields, resolved) for one in inner
                ]
            }
        case kinds.LABEL:
            one = component["component"]
            return made | {"component": _value(world, channel, one, component["label"], fields, resolved)}
    return made


def _value(
    world: World, channel: Object, component: Object, label: Any, fields: Object, resolved: Object
) -> Object:
    custom_id, kind = component["custom_id"], component["type"]
    given = fields.get(custom_id)
    made: Object = {"type": kind, "id": component["id"], "custom_id": custom_id}
    name = label or custom_id
    if kind == kinds.CHECKBOX:
        if not isinstance(given, bool | None):
            raise Refused(f"{name!r} is a box: true or false.")
        return made | {"value": bool(component.get("default")) if given is None else given}
    if component.get("required", True) and given in (None, "", []):
        raise Refused(f"{name!r} must be filled in.")
    if kind == kinds.TEXT_INPUT:
        return made | {"value": _text(component, name, "" if given is None else given)}
    if kind == kinds.RADIO_GROUP:
        return made | {"value": None if given is None else _among(component, name, [given])[0]}
    if kind == kinds.CHECKBOX_GROUP:
        values = _among(component, name, given or [])
        most = component.get("max_values", len(component["options"]))
        if values and not component.get("min_values", 1) <= len(values) <= most:
            raise Refused(f"{name!r} takes {component.get('min_values', 1)} to {most} values.")
        return made | {"values": values}
    if kind == kinds.FILE_UPLOAD and given:
        raise Refused(f"{name!r} takes a file, which cannot be given here.")
    if not given:
        return made | {"values": []}
    found = chosen(world, channel, component, given)
    for what, objects_ in found.get("resolved", {}).items():
        resolved.setdefault(what, {}).update(objects_)
    return made | {"values": found["values"]}


def _text(component: Object, name: str, given: Any) -> str:
    least, most = component.get("min_length", 0), component.get("max_length", 4000)
    if not isinstance(given, str) or (given and not least <= len(given) <= most) or len(given) > most:
        raise Refused(f"{name!r} must be a text of {least} to {most} characters.")
    return given


def _among(component: Object, name: str, given: Any) -> list[str]:
    there = [option["value"] for option in component["options"]]
    if not isinstance(given, list) or any(one not in there for one in given) or len(set(given)) < len(given):
        raise Refused(f"{name!r} takes values among {', '.join(there)}, none twice.")
    return given
