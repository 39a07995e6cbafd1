"""The reports of checks: a place and a sentence."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Violation:
    """`where` names the call, the side (request or answer) and the place in its body."""

    where: str
    what: str

    def __str__(self) -> str:
        return f"{self.where}: {self.what}"


@dataclass(frozen=True, slots=True)
class Finding:
    """Something wrong in a body, at a JSON pointer into it ("" is the body itself)."""

    at: str
    what: str


def child(at: str, key: str | int) -> str:
    """Return the JSON pointer (RFC 6901) to the member or item `key` of the value at the pointer `at`."""
    return f"{at}/{str(key).replace('~', '~0').replace('/', '~1')}"
