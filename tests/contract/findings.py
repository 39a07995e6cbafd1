"""What a check reports: a place and a sentence."""

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
    """What is wrong with a body, at a JSON pointer into it ("" is the body itself)."""

    at: str
    what: str


def child(at: str, key: str | int) -> str:
    """The JSON pointer (RFC 6901) of what lies under `key` at the pointer `at`."""
    return f"{at}/{str(key).replace('~', '~0').replace('/', '~1')}"
