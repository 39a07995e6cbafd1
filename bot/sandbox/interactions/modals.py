"""The modals that members submit, checked as Discord's own client checks them."""

from typing import Any

from bot.sandbox.checks import components as kinds
from bot.sandbox.checks.components import walk
from bot.sandbox.errors import Refused
from bot.sandbox.interactions.components import chosen
from bot.sandbox.json_types import Object
from bot.sandbox.world.world import World


def modal_data(world: World, channel: Object, modal: Object, fields: Any) -> Object:
    """Return the `data` of a modal's submission.

    `fields` are the values by custom id: a text, a list of values, one value, or a boolean, as the component needs.
    Raises Refused.
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
