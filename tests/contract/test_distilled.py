"""The distilled description holds all that the contract needs, and only that."""

import json
import os
from pathlib import Path

import pytest

from bot.sandbox.exchange import Exchange
from bot.sandbox.rest import ROUTES
from bot.sandbox.rest.wire import Route
from tests.contract.checker import Contract
from tests.contract.description import DISTILLED, Description
from tests.contract.distil import SOURCE, blob_id, distilled, written
from tests.contract.samples import exchange

STORED = json.loads(DISTILLED.read_text())
RENEW = "renew the distilled description"


@pytest.fixture
def contract_by_the_distilled(monkeypatch: pytest.MonkeyPatch) -> Contract:
    monkeypatch.delenv("DISCORD_OPENAPI", raising=False)
    return Contract(Description.load())


@pytest.mark.parametrize("route", ROUTES, ids=lambda route: f"{route.method} {route.template}")
def test_every_route_of_the_local_discord_is_described(route: Route) -> None:
    assert STORED["paths"][route.template][route.method.lower()], (
        f"{RENEW}: tests/contract/README.md says how"
    )


def test_distilling_it_once_more_changes_nothing() -> None:
    assert written(distilled(STORED, STORED["info"][SOURCE])) == DISTILLED.read_text()


@pytest.mark.parametrize(
    ("call", "said"),
    [
        (exchange("GET", "/guilds/1008/audit-logs"), RENEW),
        (exchange("PUT", "/guilds/1008/bans/1004", {}), RENEW),
        (exchange("GET", "/guilds/1008/audit-log"), "Discord has no such route"),
        (exchange("PUT", "/guilds/1008/audit-logs"), "Discord has no such route"),
    ],
    ids=["left out", "left out, of a path with parameters", "no such path", "no such method"],
)
def test_an_operation_that_is_left_out_does_not_pass(
    call: Exchange, said: str, contract_by_the_distilled: Contract
) -> None:
    contract_by_the_distilled(call)
    assert said in contract_by_the_distilled.report()
    assert len(contract_by_the_distilled.violations) == 1


@pytest.mark.full_description
def test_the_distilled_description_is_what_the_command_makes_of_the_full_one() -> None:
    content = Path(os.environ["DISCORD_OPENAPI"]).read_bytes()
    made = written(distilled(json.loads(content), blob_id(content)))
    assert made == DISTILLED.read_text(), f"{RENEW}: tests/contract/README.md says how"
