"""The search: which secrets there are, who may know them and until when, and where they were found."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from urllib.parse import quote

from tests.leaks.capture import Captured, Sent
from tests.leaks.notations import telling, tells

FORESEEN = re.compile(r"\bif(?:-go|-remove|-clear)?:[0-9]+|: conditional moves\b|\bthen you play …|, then `")
"""Custom ids and words of the private boards on which members foresee moves."""


@dataclass(frozen=True)
class HiddenRow:
    """A row that only its owner may know while `since` <= at < `until`."""

    row: str
    owner: str
    since: int
    until: int


SHARED = re.compile(r"### .*Match: |The hosts are the members of |invites your server to a game of ")
"""Words of the messages that name both servers of a match or vote game."""
OWN_DATA = "Everything that Pencilbox keeps about you"
"""Words of the private message with a member's own data, which tells where their games are, also in another server."""


@dataclass(frozen=True)
class Elsewhere:
    """Words and ids of a server, or of a member there, that no message to another server may hold.

    Messages with the words of SHARED may hold its `name`. Only messages that `about` finds are searched if it is given.
    """

    guild: str
    words: tuple[str, ...]
    what: str
    name: str = ""
    about: re.Pattern[str] = re.compile("")


@dataclass
class Secrets:
    """Secrets that must not leave the bot, or not to everybody."""

    never: list[str] = field(default_factory=list)
    """Tokens and passwords: nobody may read them, nor the log."""
    rows: list[HiddenRow] = field(default_factory=list)
    elsewhere: list[Elsewhere] = field(default_factory=list)
    direct: dict[str, tuple[tuple[str, ...], frozenset[str]]] = field(default_factory=dict)
    """By channel of direct messages: its words, and the members who are in it."""
    unlogged: list[str] = field(default_factory=list)
    """Secrets that may be sent and must not be logged: the tokens of interactions."""
    codes: dict[str, frozenset[str]] = field(default_factory=dict)
    """By code with which a server accepts a match or vote game: the managers of both servers, who alone may see it."""


def leaks(captured: Captured, secrets: Secrets, log: str) -> Iterator[str]:
    """Yield a line for everything that was found where it must not be."""
    everything = (
        [text for _, text in captured.requests] + captured.frames + [one.text for one in captured.messages]
    )
    for secret in secrets.never:
        for form in {secret, quote(secret), quote(secret, safe="")}:
            yield from (f"{secret!r} was sent: {_around(text, form)}" for text in everything if form in text)
            if form in log:
                yield f"{secret!r} is in the log: {_around(log, form)}"
    for secret in (*secrets.unlogged, *secrets.codes):
        if secret in log:
            yield f"the token of an interaction or a code is in the log: {_around(log, secret)}"
    for row in secrets.rows:
        yield from _row(captured, row, log)
    for there in secrets.elsewhere:
        for message in captured.messages:
            if there.name and message.only is not None and OWN_DATA in message.text:
                continue
            if message.guild not in (there.guild, None) and there.about.search(message.text):
                name = () if not there.name or SHARED.search(message.text) else (there.name,)
                yield from _words(message, (*there.words, *name), there.what)
    for code, managers in secrets.codes.items():
        for message in captured.messages:
            if message.only not in managers:
                yield from _words(message, (code,), "of an invitation")
    for channel, (words, people) in secrets.direct.items():
        for message in captured.messages:
            if message.channel != channel and (message.only is None or message.only not in people):
                yield from _words(message, words, f"of direct messages {channel}")
    for message in captured.messages:
        if message.only is None and (found := FORESEEN.search(message.text)):
            yield f"conditional moves were told to everybody: {_around(message.text, found[0])}"
    if found := FORESEEN.search(log):
        yield f"conditional moves are in the log: {_around(log, found[0])}"
    yield from captured.wrong


def _row(captured: Captured, hidden: HiddenRow, log: str) -> Iterator[str]:
    for message in captured.messages:
        if (
            hidden.since <= message.at < hidden.until
            and message.only != hidden.owner
            and (words := telling(message.text, hidden.row)) is not None
        ):
            told = message.only or "everybody"
            yield (
                f"the row {hidden.row} of {hidden.owner} was told to {told} in {message.channel} "
                f"by {words!r}: {_around(message.text, words)}"
            )
    if tells(log, hidden.row):
        yield f"the row {hidden.row} is in the log"


def _words(message: Sent, words: Sequence[str], what: str) -> Iterator[str]:
    for word in words:
        if re.search(rf"(?<![0-9A-Za-z]){re.escape(word)}(?![0-9A-Za-z])", message.text):
            yield f"{word!r} {what} was told in {message.guild}: {_around(message.text, word)}"


def _around(text: str, secret: str) -> str:
    at = text.find(secret)
    return text[max(0, at - 100) : at + len(secret) + 60]
