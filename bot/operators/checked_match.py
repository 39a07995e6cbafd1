"""A stored match, held against its own record."""

from collections.abc import Iterator
from dataclasses import replace

from bot.app.achievements import awarded
from bot.app.matches.move_log import turns_of
from bot.app.matches.results import rated_places
from bot.app.matches.table import Table, counting, outcomes
from db.inspection.finding import PROVE, RERATE, RESTORE, Finding
from db.inspection.matches import Examined
from db.values.members import is_computer
from db.values.places import former
from rules.core.errors import RuleError
from rules.core.match import Match
from rules.games import find


def check_match(examined: Examined) -> Iterator[Finding]:
    """Replay a match and yield what does not follow from its record. Findings quote no move: it may be hidden."""
    stored = examined.stored
    about = f"match {stored.id}"
    if examined.torn is not None:
        yield Finding(about, examined.torn, RESTORE)
        return
    try:
        # Not Table.of: what it remembers for the next press is of no use here.
        record = [stored.log[index] for index in counting(stored.log)]
        table = Table(stored, Match.replay(find(stored.setup.game), stored.setup, record))
    except (ValueError, LookupError, ArithmeticError, TypeError) as error:
        yield Finding(about, f"its record cannot be replayed ({_reason(examined, error)})", RESTORE)
        return
    match = table.match
    if match.over != (stored.finished_at is not None):
        wrong = (
            "its record ends it, and it is stored as going on"
            if match.over
            else "it is stored as over, and its record goes on"
        )
        yield Finding(about, wrong, RESTORE)
        return
    due = outcomes(match) if stored.void is None else None
    if stored.outcomes != due:
        yield Finding(
            about, f"its result is stored as {_said(stored.outcomes)}, its record gives {_said(due)}", RESTORE
        )
    if stored.finished_at is not None:
        yield from _check_consequences(about, examined, match)
    elif stored.turns is not None and stored.turns != turns_of(
        replace(table, stored=replace(stored, turns=None))
    ):
        yield Finding(about, "the stored turns are not those of its record", RESTORE)


def _check_consequences(about: str, examined: Examined, match: Match) -> Iterator[Finding]:
    """Yield what is wrong with what a finished match has changed: ranks and achievements."""
    stored = examined.stored
    ranks = rated_places(stored, match) if stored.rated and stored.void is None else None
    if examined.ranks != ranks:
        if ranks is None:
            wrong = "it has changed ratings, which it must not"
        elif examined.ranks is None:
            wrong = "it has changed no ratings, and should have"
        else:
            wrong = f"it is rated with the ranks {_said(examined.ranks)}, its record gives {_said(ranks)}"
        yield Finding(about, wrong, RERATE)
    proved = frozenset(
        (user, award.key)
        for award in (awarded(match, stored.users) if stored.void is None else ())
        if award.seat not in stored.hinted
        and not former(user := stored.users[award.seat])
        and not is_computer(user)
    )
    for user, key in sorted(proved ^ examined.awards):
        wrong = "lacks" if (user, key) in proved else "has not earned"
        yield Finding(about, f"member {user} {wrong} the achievement {key}", PROVE)


def _reason(examined: Examined, error: Exception) -> str:
    """Return the kind of the error in words; its own text may quote a hidden move."""
    setup, version = examined.stored.setup, examined.stored.version
    try:
        now = find(setup.game).version
    except RuleError:
        return f"there is no game {setup.game}"
    if now != version:
        return f"it was played by version {version} of the rules of {setup.game}, which are at {now}"
    return type(error).__name__


def _said(values: tuple[object, ...] | None) -> str:
    return "none" if values is None else ", ".join(map(str, values))
