"""Exchanges that keep the contract, to plant violations in."""

from typing import Any

from bot.sandbox.exchange import Exchange
from tests.contract.checker import Contract

APP, CHANNEL, MESSAGE, MEMBER = "1001", "1002", "1003", "1004"
TOKEN = "a-token"
CALLBACK = f"/interactions/1005/{TOKEN}/callback"
MESSAGES = f"/channels/{CHANNEL}/messages"
COMMANDS = f"/applications/{APP}/commands"
V2 = 1 << 15
Json = dict[str, Any]
Planted = tuple[Exchange, str, str]
"""An exchange, the end of the place that is wrong in it, and a part of the report."""


def exchange(
    method: str,
    path: str,
    body: object = None,
    answer: object = None,
    *,
    status: int = 200,
    files: tuple[str, ...] = (),
    query: dict[str, str] | None = None,
) -> Exchange:
    return Exchange(method, "", path, query or {}, {}, body, files, status, answer)


def user(name: str = "Ada") -> Json:
    return {
        "id": MEMBER,
        "username": name.lower(),
        "avatar": None,
        "discriminator": "0",
        "public_flags": 0,
        "flags": 0,
        "global_name": name,
        "primary_guild": None,
    }


def message(**fields: object) -> Json:
    """Return a message in the form in which the API answers it."""
    return {
        "type": 0,
        "content": "",
        "mentions": [],
        "mention_roles": [],
        "attachments": [],
        "embeds": [],
        "timestamp": "2026-01-02T03:04:05.678000+00:00",
        "edited_timestamp": None,
        "flags": 0,
        "components": [],
        "id": MESSAGE,
        "channel_id": CHANNEL,
        "author": user("Bot") | {"bot": True},
        "pinned": False,
        "mention_everyone": False,
        "tts": False,
        **fields,
    }


def button(custom_id: str = "press", **fields: object) -> Json:
    return {"type": 2, "style": 1, "custom_id": custom_id, "label": "Press", **fields}


def row(*inner: Json) -> Json:
    return {"type": 1, "components": list(inner)}


def text(content: str) -> Json:
    return {"type": 10, "content": content}


def container(*inner: Json) -> Json:
    return {"type": 17, "components": list(inner)}


def select(**fields: object) -> Json:
    return {"type": 3, "custom_id": "pick", "options": [{"label": "One", "value": "1"}], **fields}


def gallery(url: str, description: str = "A board") -> Json:
    return {"type": 12, "items": [{"media": {"url": url}, "description": description}]}


def label(component: Json, **fields: object) -> Json:
    return {"type": 18, "label": "A question", "component": component, **fields}


def text_input(custom_id: str = "answer", **fields: object) -> Json:
    return {"type": 4, "style": 1, "custom_id": custom_id, **fields}


def modal(*components: Json, **fields: object) -> Json:
    body = {"custom_id": "ask", "title": "Your move", "components": list(components), **fields}
    return {"type": 9, "data": body}


def command(**fields: object) -> Json:
    return {"type": 1, "name": "move", "description": "Make a move", **fields}


def option(name: str = "where", **fields: object) -> Json:
    return {"type": 3, "name": name, "description": "A cell", **fields}


def as_answered(component: Json, first_id: int = 1) -> Json:
    """Return a component of a request in the form in which the API answers it, with ids and resolved media."""
    numbers = iter(range(first_id, first_id + 1000))

    def shown(body: Json) -> Json:
        answered: Json = {"id": next(numbers), **body}
        if answered["type"] == 17:
            answered |= {"accent_color": None, "spoiler": False}
        if answered["type"] == 12:
            answered["items"] = [
                {"media": _media(item["media"]["url"]), "description": item["description"], "spoiler": False}
                for item in answered["items"]
            ]
        if "components" in answered:
            answered["components"] = [shown(inner) for inner in answered["components"]]
        return answered

    return shown(component)


def _media(url: str) -> Json:
    return {"id": "1006", "url": url, "proxy_url": url, "width": 9, "height": 9, "content_type": "image/png"}


def sent(body: Json, **answer: object) -> Exchange:
    """Return the exchange of a posted message, with an answer that keeps the contract."""
    return exchange("POST", MESSAGES, body, message(**answer))


def called_back(body: Json, files: tuple[str, ...] = ()) -> Exchange:
    """Return the exchange of an answered interaction whose result is not asked for."""
    return exchange("POST", CALLBACK, body, status=204, files=files)


def assert_caught(exchange: Exchange, where: str, what: str, *, side: str, contract: Contract) -> None:
    """Assert that the contract reports `what` at the place `where`, and nothing on the other side of the exchange."""
    contract(exchange)
    found = [violation.where for violation in contract.violations if what in violation.what]
    assert found, contract.report() or "nothing was found"
    assert any(place.endswith(where) for place in found), contract.report()
    assert all(f" {side}" in violation.where for violation in contract.violations), contract.report()
