"""Limits of answers to interactions: modals, choices, and messages under `data`."""

import asyncio
from collections.abc import Awaitable
from typing import Any

import pytest

from tests.contract.player import Player
from tests.sandbox.checks.test_limits import Case, button, code_at, option, row
from tests.sandbox.raw_bot import Json, RawBot


async def refused_answer(
    raw: RawBot, doing: Awaitable[Json], kind: int, data: Json, path: str, code: str
) -> None:
    """Check that the bot's answer is refused at `path`, and that the interaction can still be answered."""
    waiting = asyncio.ensure_future(doing)
    asked = await raw.asked()
    status, refusal = await raw.answer(asked, kind, data)
    assert (status, refusal["code"]) == (400, 50035)
    assert code_at(refusal, path) == code
    good: Json = {"choices": []} if kind == 8 else {"content": "x"}
    await raw.answer(asked, 8 if kind == 8 else 4, good)
    await waiting


LABEL = {"type": 18, "label": "l", "component": {"type": 4, "style": 1, "custom_id": "t"}}


def modal(*components: Json, title: str = "t", custom_id: str = "m") -> Json:
    return {"title": title, "custom_id": custom_id, "components": list(components)}


def labelled(**more: Any) -> Json:
    return {"type": 18, "label": "l", "component": {"custom_id": "c", **more}}


MODALS: dict[str, Case] = {
    "title too long": (modal(LABEL, title="x" * 46), "data.title", "BASE_TYPE_BAD_LENGTH"),
    "custom id too long": (modal(LABEL, custom_id="x" * 101), "data.custom_id", "BASE_TYPE_BAD_LENGTH"),
    "six labels": (modal(*[LABEL] * 6), "data.components", "BASE_TYPE_BAD_LENGTH"),
    "nothing in it": (modal(), "data.components", "BASE_TYPE_BAD_LENGTH"),
    "label too long": (modal(LABEL | {"label": "x" * 46}), "data.components.0.label", "BASE_TYPE_BAD_LENGTH"),
    "custom id twice": (
        modal(LABEL, LABEL),
        "data.components.1.component.custom_id",
        "COMPONENT_CUSTOM_ID_DUPLICATED",
    ),
    "a button": (modal(labelled(type=2)), "data.components.0.component.type", "UNION_TYPE_CHOICES"),
    "one radio option": (
        modal(labelled(type=21, options=[option(1)])),
        "data.components.0.component.options",
        "BASE_TYPE_BAD_LENGTH",
    ),
    "eleven boxes": (
        modal(labelled(type=22, options=[option(n) for n in range(11)])),
        "data.components.0.component.options",
        "BASE_TYPE_BAD_LENGTH",
    ),
    "no style": (modal(labelled(type=4)), "data.components.0.component.style", "BASE_TYPE_REQUIRED"),
}


@pytest.mark.parametrize("case", MODALS)
async def test_a_modal_is_refused_where_it_is_wrong(case: str, raw: RawBot, ada: Player) -> None:
    body, path, code = MODALS[case]
    await refused_answer(raw, ada.command("ask"), 9, body, path, code)


async def test_a_deferral_s_data_is_checked(raw: RawBot, ada: Player) -> None:
    await refused_answer(raw, ada.command("ask"), 5, {"flags": "secret"}, "data.flags", "NUMBER_TYPE_COERCE")


CHOICES: dict[str, Case] = {
    "26 choices": (
        {"choices": [{"name": str(n), "value": str(n)} for n in range(26)]},
        "data.choices",
        "BASE_TYPE_MAX_LENGTH",
    ),
    "name too long": (
        {"choices": [{"name": "x" * 101, "value": "x"}]},
        "data.choices.0.name",
        "BASE_TYPE_BAD_LENGTH",
    ),
    "value too long": (
        {"choices": [{"name": "x", "value": "x" * 101}]},
        "data.choices.0.value",
        "BASE_TYPE_MAX_LENGTH",
    ),
    "no choices": ({}, "data.choices", "BASE_TYPE_REQUIRED"),
}


@pytest.mark.parametrize("case", CHOICES)
async def test_choices_are_refused_where_they_are_wrong(case: str, raw: RawBot, ada: Player) -> None:
    body, path, code = CHOICES[case]
    cell = {"type": 3, "name": "cell", "description": "c", "autocomplete": True}
    await raw.register({"name": "move", "description": "m", "options": [cell]})
    await refused_answer(raw, ada.autocomplete("move", "cell"), 8, body, path, code)


async def test_an_answer_s_faults_are_named_below_its_data(raw: RawBot, ada: Player) -> None:
    body = {"content": "x", "components": [row(button(label="x" * 81))]}
    await refused_answer(
        raw, ada.command("ask"), 4, body, "data.components.0.components.0.label", "BASE_TYPE_MAX_LENGTH"
    )
