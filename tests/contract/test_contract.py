"""Exchanges that keep the contract pass, and a test in which the contract has seen none fails."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from bot.sandbox.exchange import Exchange
from tests.contract.checker import Contract
from tests.contract.description import Description, MissingDescriptionError
from tests.contract.samples import (
    CALLBACK,
    CHANNEL,
    COMMANDS,
    MESSAGES,
    TOKEN,
    V2,
    as_answered,
    button,
    called_back,
    command,
    container,
    exchange,
    gallery,
    label,
    message,
    modal,
    option,
    row,
    select,
    sent,
    text,
    text_input,
)

BOARD = container(text("Your turn"), gallery("attachment://board.png"), row(button("a"), button("b")))
BOARD_SHOWN = message(
    flags=V2,
    components=[
        as_answered(
            container(
                text("Your turn"), gallery("http://127.0.0.1:1/b/board.png"), row(button("a"), button("b"))
            )
        )
    ],
)
FORM_ERROR = {
    "code": 50035,
    "message": "Invalid Form Body",
    "errors": {
        "components": {"0": {"_errors": [{"code": "BASE_TYPE_MAX_LENGTH", "message": "Must be 5 or fewer."}]}}
    },
}

CLEAN: dict[str, Exchange] = {
    "message": sent({"content": "Hi", "allowed_mentions": {"parse": []}}),
    "classic rows": sent({"content": "Hi", "components": [row(button("a"), button("b")), row(select())]}),
    "five full rows": sent({"components": [row(*(button(f"{n}{k}") for k in range(5))) for n in range(5)]}),
    "picture by its number": exchange(
        "POST",
        MESSAGES,
        {"flags": V2, "components": [BOARD], "attachments": [{"id": 0, "filename": "board.png"}]},
        BOARD_SHOWN,
        files=("board.png",),
    ),
    "picture of an embed": exchange(
        "POST",
        MESSAGES,
        {"embeds": [{"title": "Board", "image": {"url": "attachment://board.png"}}]},
        message(
            embeds=[{"type": "rich", "title": "Board", "image": {"url": "http://127.0.0.1:1/board.png"}}]
        ),
        files=("board.png",),
    ),
    "edit that keeps picture and flag": exchange(
        "PATCH", f"{MESSAGES}/1003", {"components": [BOARD]}, BOARD_SHOWN
    ),
    "edit by discord.py": exchange("PATCH", f"{MESSAGES}/1003", {"content": "Hi", "tts": False}, message()),
    "forty components": exchange(
        "POST",
        MESSAGES,
        {"flags": V2, "components": [text("x" * 100)] * 40},
        message(flags=V2, components=[as_answered(text("x" * 100), n + 1) for n in range(40)]),
    ),
    "button answered by an edit": called_back({"type": 7, "data": {"components": [BOARD]}}),
    "deferred": called_back({"type": 5, "data": {"flags": 64}}),
    "nothing to suggest": called_back({"type": 8, "data": {"choices": []}}),
    "modal": called_back(modal(*(label(text_input(str(n))) for n in range(5)))),
    "callback with an answer": exchange(
        "POST",
        CALLBACK,
        {"type": 4, "data": {"content": "Hi"}},
        {"interaction": {"id": "1005", "type": 2}, "resource": {"type": 4, "message": message()}},
        query={"with_response": "1"},
    ),
    "follow-up": exchange(
        "POST", f"/webhooks/1/{TOKEN}", {"content": "Hi"}, message(), query={"wait": "true"}
    ),
    "original answer": exchange("GET", f"/webhooks/1/{TOKEN}/messages/@original", answer=message()),
    "commands": exchange(
        "PUT",
        COMMANDS,
        [
            command(options=[option("a", required=True), option("b", autocomplete=True)]),
            command(name="Challenge", type=2, description=""),
            command(name="größe", options=[option("c", choices=[{"name": "One", "value": "1"}])]),
        ],
        [],
    ),
    "refused form": exchange("GET", f"{MESSAGES}/1003", answer=FORM_ERROR, status=400),
    "not found": exchange("GET", f"/channels/{CHANNEL}", answer={"code": 10003, "message": "No"}, status=404),
    "too many requests": exchange(
        "GET",
        MESSAGES,
        answer={"message": "Slow down", "code": 0, "retry_after": 0.5, "global": False},
        status=429,
    ),
    "deleted": exchange("DELETE", f"{MESSAGES}/1003", status=204),
}


@pytest.mark.parametrize("clean", CLEAN)
def test_a_clean_exchange_passes(clean: str, description: Description) -> None:
    contract = Contract(description)
    contract(CLEAN[clean])
    assert contract.report() == ""
    assert contract.seen.total() == 1


def test_an_id_of_the_path_does_not_hide_a_route_of_its_own(description: Description) -> None:
    match = description.match("PATCH", f"/webhooks/1/{TOKEN}/messages/@original")
    assert match is not None
    assert match.operation.name == "update_original_webhook_message"
    assert match.path == {"webhook_id": "1", "webhook_token": TOKEN}


def test_a_missing_description_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DISCORD_OPENAPI", "/nowhere/openapi.json")
    with pytest.raises(
        MissingDescriptionError, match=r"^DISCORD_OPENAPI names /nowhere/openapi\.json, where no"
    ):
        Description.load()


ROOT = Path(__file__).resolve().parents[2]
FIXTURE_TESTS = """
from tests.contract.fixtures import contract, description
from tests.contract.samples import sent

def test_clean(contract):
    contract(sent({'content': 'Hi'}))

def test_violated(contract):
    contract(sent({'contents': 'Hi'}))

def test_unused(contract):
    pass
"""


def run_fixture_tests(folder: Path, **environment: str) -> str:
    """Run FIXTURE_TESTS by pytest in a process of its own, and return its report."""
    test = folder / "test_it.py"
    test.write_text(FIXTURE_TESTS)
    run = subprocess.run(
        [sys.executable, "-m", "pytest", "-rA", "--rootdir", folder, "-p", "no:cacheprovider", test],
        env={**os.environ, "PYTHONPATH": str(ROOT), **environment},
        cwd=folder,
        capture_output=True,
        text=True,
        check=False,
    )
    return run.stdout + run.stderr


def test_the_fixture_decides_how_a_test_ends(tmp_path: Path) -> None:
    report = run_fixture_tests(tmp_path)
    assert " 3 passed, 2 errors in " in report
    assert "ERROR test_it.py::test_clean" not in report
    assert "ERROR test_it.py::test_violated" in report
    assert "/contents: is a field that" in report
    assert "ERROR test_it.py::test_unused" in report
    assert "The contract has seen no exchange" in report


def test_a_missing_description_fails_every_test_that_needs_it(tmp_path: Path) -> None:
    report = run_fixture_tests(tmp_path, DISCORD_OPENAPI="/nowhere")
    assert " 3 errors in " in report
    assert "DISCORD_OPENAPI names /nowhere, where no file is" in report
