"""The emojis of the application."""

import base64
import binascii
import re
from typing import Any

from bot.sandbox import errors
from bot.sandbox.checks.fields import Field, Problems, read, text
from bot.sandbox.checks.media import picture_size
from bot.sandbox.json_types import Object, Path
from bot.sandbox.rest.wire import Answer, Call, Routes
from bot.sandbox.services import Services

routes = Routes()
ALL = "/applications/{application_id}/emojis"

LARGEST_EMOJI = 256 * 1024
"""Bytes."""
_DATA = re.compile(r"data:image/(?:png|jpeg|gif|webp);base64,(?P<data>.*)", re.DOTALL)


@routes("GET", ALL)
def listed(services: Services, call: Call) -> Answer:
    _check_application(services, call)
    return Answer(200, {"items": [body for _, body in services.world.store.all("emoji")]})


@routes("POST", ALL)
def create(services: Services, call: Call) -> Answer:
    _check_application(services, call)
    problems = Problems()
    wanted = read(
        problems, (), call.body, {"name": Field(_name, required=True), "image": Field(_image, required=True)}
    )
    problems.raise_any()
    world = services.world
    emoji: Object = {
        "id": world.new_id(),
        "name": wanted["name"],
        "user": world.bot,
        "roles": [],
        "require_colons": True,
        "managed": False,
        "animated": False,
        "available": True,
    }
    world.store.save("emoji", emoji["id"], emoji)
    world.store.save_file(emoji["id"], wanted["image"])
    return Answer(201, emoji)


def _check_application(services: Services, call: Call) -> None:
    if call.params["application_id"] != services.world.application["id"]:
        raise errors.unknown_application()


def _name(problems: Problems, path: Path, value: Any) -> str:
    name: str = text(2, 32)(problems, path, value)
    if not re.fullmatch(r"\w*", name, re.ASCII):
        problems.add(path, "STRING_TYPE_REGEX", "String value did not match validation regex.")
    return name


def _image(problems: Problems, path: Path, value: Any) -> bytes:
    """Return the bytes of a picture that is written as a data URI."""
    found = _DATA.fullmatch(value) if isinstance(value, str) else None
    try:
        image = base64.b64decode(found["data"], validate=True) if found else b""
    except binascii.Error:
        image = b""
    if picture_size(image) is None:
        problems.add(path, "IMAGE_INVALID", "Invalid image data")
    elif len(image) > LARGEST_EMOJI:
        problems.add(path, "BINARY_TYPE_MAX_SIZE", "File cannot be larger than 256.0 kb.")
    return image
