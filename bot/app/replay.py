"""Finished matches, found again, and their records as files."""

import asyncio
import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from bot.app.errors import Refused
from bot.app.matches.forgotten import unplayed
from bot.app.matches.listed import readable
from bot.app.matches.loaded import LoadedMatch
from bot.app.matches.results import points_after
from db.stores.matches.lists import HistoryStore
from db.values.matches import Outcome, Search, StoredMatch
from db.values.places import DiscordId, Place
from rules.core.errors import RuleError, shown
from rules.core.match import Match
from rules.core.record import read_moves, read_options, write
from rules.games import find

SHOWN = 6
"""Matches on one page."""


@dataclass(frozen=True, slots=True)
class HistoryPage:
    """A page of finished matches, the one that ended last first; `newer` and `older` say if there are more."""

    search: Search
    matches: tuple[LoadedMatch, ...]
    newer: bool
    older: bool


class History:
    """The service of finished matches."""

    def __init__(self, store: HistoryStore) -> None:
        self._store = store

    async def page(self, search: Search, mark: int | None = None, *, newer: bool = False) -> HistoryPage:
        """Return a page of a search, the newest first: after the match `mark`, or before it if `newer`."""
        page = await self._store.page(search, SHOWN, mark=mark, newer=newer)
        matches = await asyncio.to_thread(readable, page.matches)
        return HistoryPage(search, matches, page.newer, page.older)

    async def page_from(self, search: Search, first: int) -> HistoryPage:
        """Return the page of a search that begins with the match `first`."""
        above = (await self._store.page(search, 1, mark=first, newer=True)).matches
        return await self.page(search, above[0].id if above else None)

    async def recent(self, search: Search, limit: int) -> tuple[StoredMatch, ...]:
        """Return the matches that ended last."""
        return (await self._store.page(search, limit)).matches


def search_for(
    place: Place,
    asker: DiscordId,
    *,
    game: str | None = None,
    member: DiscordId | None = None,
    opponent: DiscordId | None = None,
    outcome: Outcome | None = None,
) -> Search:
    """Return the search that a member asks for here. An opponent or an outcome without a member means the asker's own.

    Raises Refused.
    """
    if member is None and (opponent is not None or outcome is not None):
        member = asker
    if member is not None and member == opponent:
        raise Refused("Nobody plays against themselves; name two different members.")
    return Search.near(place, game, member, opponent, outcome)


LARGEST = 256 * 1024
"""The most bytes of a record that is read."""
MOST_PLIES = 1000
"""The most plies of a record that is read: three times as many as the longest game has."""
LONGEST_PLY = 200
"""The most characters of one move of a record that is read."""
PATIENCE = 20.0
"""Seconds after which a replay is given up."""


def exported(loaded: LoadedMatch) -> dict[str, object]:
    """Return the record of a match that everybody may read. Raises Refused where moves are hidden."""
    match = loaded.match
    if match.void and match.secrets:
        raise Refused(
            f"{loaded.name} ended without a result. Its hidden moves stay hidden, so it cannot be saved as a file."
        )
    if not match.over and (loaded.secret or match.secrets):
        raise Refused(f"Moves are hidden in {loaded.name}; it can be saved as a file when it is over.")
    return write(match)


def about(loaded: LoadedMatch, user: DiscordId) -> dict[str, object]:
    """Return the facts that a record leaves out: times, the outcome, and the seat of `user`. They name nobody."""
    stored = loaded.stored
    return {
        "number": loaded.id,
        "title": loaded.match.game.sheet.title,
        "rules_version": stored.version,
        "started": stored.started_at.isoformat(timespec="seconds"),
        "finished": stored.finished_at.isoformat(timespec="seconds") if stored.finished_at else None,
        "your_seat": stored.leavers.index(user) if user in stored.leavers else loaded.seat_of(user),
        "seats_taken_by_computers": [seat for seat, it in enumerate(stored.leavers) if it is not None],
        "broken_off": loaded.match.void,
        "did_not_move": list(unplayed(loaded)),
        "conditional_moves": [index + 1 for index in loaded.conditional],
        "outcomes": [str(outcome) for outcome in stored.outcomes] if stored.outcomes else None,
        "scores": loaded.match.scores,
        **_two_games(loaded),
    }


def _two_games(loaded: LoadedMatch) -> dict[str, object]:
    """Return the facts about a two-game match; nothing for a single game. A win is one point, a draw 0.5, by seat."""
    stored = loaded.stored
    if stored.games == 1:
        return {}
    points = points_after(stored, loaded.match)
    return {
        "games": stored.games,
        "first_game": None if stored.first is None else stored.first.id,
        "points_of_both_games": None if points is None else [halves / 2 for halves in points],
    }


def packed(fields: Mapping[str, object]) -> bytes:
    """Return a JSON object as the content of a file."""
    return (json.dumps(fields, ensure_ascii=False) + "\n").encode()


class Records:
    """The reader of record files. It reads one at a time, so that large files delay nobody else."""

    def __init__(self) -> None:
        self._one_at_a_time = asyncio.Semaphore(1)

    async def read(self, data: bytes) -> Match:
        """Return the match in a file. Raises Refused or BadSetup with one sentence about what is wrong."""
        fields = _fields(data)
        game = find(fields["game"])
        moves = read_moves(fields)
        if len(moves) > MOST_PLIES:
            raise Refused(f"The record has {len(moves)} moves; at most {MOST_PLIES} are read.")
        options, players = read_options(game, fields)
        async with self._one_at_a_time:
            match = await asyncio.to_thread(Match.start, game, options, players)
            try:
                async with asyncio.timeout(PATIENCE):
                    for ply, (seat, text) in enumerate(moves, 1):
                        if len(text) > LONGEST_PLY:
                            raise Refused(
                                f"Move {ply} is longer than {LONGEST_PLY} characters; no legal move is that long."
                            )
                        # One move at a time, so that the timeout can take effect between two.
                        match = await asyncio.to_thread(_play, match, ply, seat, text)
            except TimeoutError:
                raise Refused("This record takes too long to replay; nothing is shown.") from None
        return match


def _play(match: Match, ply: int, seat: int | None, text: str) -> Match:
    try:
        return match.play(seat, text)
    except RuleError as error:
        raise Refused(f"Move {ply} of the record, {shown(text)}, cannot be played: {error}") from None


def _fields(data: bytes) -> dict[str, Any]:
    """Return the JSON object of a record that names a game. Raises Refused."""
    if len(data) > LARGEST:
        raise too_large(len(data))
    try:
        fields = json.loads(data.decode("utf-8-sig"))
    except RecursionError:
        raise Refused("The file is nested too deep for a record.") from None
    except UnicodeDecodeError:
        raise Refused(
            "The file is not text in UTF-8; a record is a JSON file, as **Save as a file** writes it."
        ) from None
    except ValueError as error:
        if str(error).startswith("Extra data"):
            raise Refused("The file holds more than one record; send one JSON object.") from None
        raise Refused(
            "The file is not JSON; a record is a JSON file, as **Save as a file** writes it."
        ) from None
    if not isinstance(fields, dict) or not isinstance(fields.get("game"), str):
        raise Refused(
            'The file holds no record, which is an object like {"game": "alaric", "moves": [[0, "1"]]}.'
        )
    return fields


def too_large(size: int) -> Refused:
    """Return the refusal of a file of so many bytes."""
    return Refused(f"The file has {-(-size // 1024)} KiB; a record may have at most {LARGEST // 1024} KiB.")
