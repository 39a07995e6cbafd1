"""The contract as pytest fixtures: a test takes `contract` and passes it to its Sandbox as the observer."""

import os
from collections.abc import Iterator

import pytest

from tests.contract.checker import Contract
from tests.contract.description import Description, MissingDescriptionError


@pytest.fixture(scope="session")
def description() -> Description:
    """Discord's API description; without it tests are skipped, but not where CI is set: there they fail."""
    try:
        return Description.load()
    except MissingDescriptionError as missing:
        if os.environ.get("CI"):
            pytest.fail(str(missing), pytrace=False)
        pytest.skip(str(missing))


@pytest.fixture
def contract(description: Description) -> Iterator[Contract]:
    """For `Sandbox(observe=contract)`: one violation, or nothing observed at all, fails the test."""
    observer = Contract(description)
    yield observer
    if observer.violations:
        pytest.fail(f"Discord's API contract was broken:\n{observer.report()}", pytrace=False)
    if not observer.seen:
        pytest.fail("The contract has seen no exchange: pass it as Sandbox(observe=contract).", pytrace=False)
