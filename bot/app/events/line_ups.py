"""The boards of a match between two servers: who plays, the pairings, the seats and the score. Pure."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from bot.app.events.pairings import most_games
from bot.app.events.standing import WIN, game_of
from db.values.events import (
    Correction,
    Deed,
    Entrant,
    Event,
    EventChange,
    EventState,
    Pairing,
    StoredDeed,
    Summary,
)
from db.values.places import Place


@dataclass(frozen=True, slots=True)
class Board:
    """A board of a match, with its games. `host` and `guest` are the numbers of its entrants.

    The score of each is in half points.
    """

    number: int
    host: int
    guest: int
    pairings: tuple[Pairing, ...]
    score: tuple[int, int]


def games_to_come(others: Sequence[Summary], place: Place) -> int:
    """Return the most games with which the open ones of these events may begin at a place."""
    return sum(
        most_games(it.most) if it.games is None else it.most // 2 * it.games
        for it in others
        if it.state is EventState.OPEN and it.channel == place.channel
    )


def side_of(event: Event, *, guest: bool) -> list[Entrant]:
    """Return the present entrants of a server, in the order in which they joined."""
    return [it for it in event.present if it.guest is guest]


def is_full(event: Event) -> bool:
    """Return True if an event has all its players: in a match, one of each server for each board."""
    if event.versus is None:
        return len(event.present) >= event.terms.most
    return all(len(side_of(event, guest=guest)) >= event.boards for guest in (False, True))


def line_up(
    entrants: Sequence[Entrant],
    strength: Mapping[int, int],
    boards: int,
    blocked: Collection[frozenset[int]] = (),
) -> list[tuple[int, int]]:
    """Return the numbers of the host and the guest of each board, the strongest first.

    The first who joined play, with equally many of each server; the others are reserves. A pair that is `blocked` does
    not play: the guest changes boards with the next guest with whom that works, or is replaced by a reserve. A board
    for which nobody is left is not played.
    """
    sides = [[it.number for it in entrants if it.guest is guest] for guest in (False, True)]
    boards = min(boards, *map(len, sides))
    hosts, guests = (sorted(side[:boards], key=lambda it: -strength[it]) for side in sides)
    waiting = [*guests, *sides[1][boards:]]
    found = []
    for host in hosts:
        guest = next((it for it in waiting if frozenset((host, it)) not in blocked), None)
        if guest is not None:
            waiting.remove(guest)
            found.append((host, guest))
    return found


def seated(boards: Sequence[tuple[int, int]], games: int) -> list[tuple[int, int, int]]:
    """Return the games as number of the board, first and second player.

    The host begins on the first board, the guest on the second, and so on. A second game has swapped seats.
    """
    found = []
    for number, (host, guest) in enumerate(boards):
        first, second = (guest, host) if number % 2 else (host, guest)
        found += [(number, first, second), (number, second, first)][:games]
    return found


def boards_of(event: Event) -> list[Board]:
    """Return the boards of a match that has started, with their scores."""
    guests = {it.number for it in event.entrants if it.guest}
    found = []
    for number in sorted({it.group for it in event.pairings}):
        games = tuple(it for it in event.pairings if it.group == number)
        guest = games[0].first if games[0].first in guests else games[0].second
        host = games[0].first + games[0].second - guest
        score = [0, 0]
        for pairing in games:
            if (halves := game_of(pairing).halves) is not None:
                first = pairing.first == guest
                score[first] += halves
                score[not first] += WIN - halves
        found.append(Board(number, host, guest, games, (score[0], score[1])))
    return found


def score_of(boards: Sequence[Board]) -> tuple[int, int]:
    """Return the half points of the hosts and of the guests."""
    return sum(it.score[0] for it in boards), sum(it.score[1] for it in boards)


def forfeits(event: Event, absent: Sequence[Entrant], now: datetime) -> EventChange:
    """Return the change by which players who made no move are removed and lose their games that still run.

    Such a game ends without a result, so that no rating changes, and counts in the match for the opponent. If both are
    absent, it counts for nobody.
    """
    gone = {it.number for it in absent}
    corrected = []
    for pairing in event.pairings:
        first, second = pairing.first in gone, pairing.second in gone
        if pairing.running and (first or second):
            result = Correction.NONE if first and second else Correction.SECOND if first else Correction.FIRST
            corrected.append(replace(pairing, corrected=result))
    left = [replace(it, left_at=now, annulled=True) for it in absent]
    deeds = [StoredDeed(0, Deed.ABSENT, now, whom=it.user) for it in absent]
    return EventChange(left=left, deeds=deeds, corrected=corrected)
