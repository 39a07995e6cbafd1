"""The distilled description contains all that the contract needs, and nothing else."""

import json
import os
from pathlib import Path

import pytest

from bot.sandbox import Exchange
from bot.sandbox.rest import ROUTES
from tests.contract.amendments import ELSEWHERE
from tests.contract.checker import Contract
from tests.contract.description import DISTILLED, Description
from tests.contract.distil import SOURCE, blob_id, distilled, written

STORED = json.loads(DISTILLED.read_text())
RENEW = "renew the distilled description"


def test_every_served_route_is_described() -> None:
    for route in ROUTES:
        if route.template in ELSEWHERE:
            continue
        assert STORED["paths"][route.template][route.method.lower()], (
            f"{route.method} {route.template}; {RENEW}: tests/contract/README.md says how"
        )


def test_distilling_twice_changes_nothing() -> None:
    assert written(distilled(STORED, STORED["info"][SOURCE])) == DISTILLED.read_text()


@pytest.mark.parametrize(
    ("method", "path", "expected"),
    [
        ("GET", "/guilds/1008/audit-logs", RENEW),
        ("PUT", "/guilds/1008/bans/1004", RENEW),
        ("GET", "/guilds/1008/audit-log", "Discord has no such route"),
        ("PUT", "/guilds/1008/audit-logs", "Discord has no such route"),
    ],
)
def test_omitted_operation_is_reported(
    method: str, path: str, expected: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("DISCORD_OPENAPI", raising=False)
    contract = Contract(Description.load())
    contract(Exchange(method, "", path, {}, {}, None, (), 200, None))
    assert expected in contract.report()
    assert len(contract.violations) == 1


@pytest.mark.full_description
def test_distilled_description_is_up_to_date() -> None:
    content = Path(os.environ["DISCORD_OPENAPI"]).read_bytes()
    made = written(distilled(json.loads(content), blob_id(content)))
    assert made == DISTILLED.read_text(), f"{RENEW}: tests/contract/README.md says how"
