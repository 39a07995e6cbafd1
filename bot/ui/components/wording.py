"""The wording of players, results, links, seals and announcements in messages."""

from collections.abc import Callable, Iterable

import discord
from discord.utils import format_dt

from bot.app.bans import SERVER_BANNED
from bot.app.matches.forgotten import unplayed
from bot.app.matches.listed import Listed
from bot.app.matches.loaded import DIGITS, LoadedMatch
from bot.app.matches.matches import CUP_ENDED, FORFEITED, MATCH_OVER, PLAYER_LEFT, STAGE_OVER
from bot.app.matches.results import Points, points_after, points_before
from bot.app.mentions import against, capital, mention, mentions, persona_name
from bot.ui.components.message_parts import seat_token
from db.values.administration import Announcement
from db.values.matches import Panel
from db.values.places import DiscordId, Place
from db.values.standings import Skill
from render.board.phrases import counted, early_ending, is_draw, spell_points
from rules.core.game import Seat
from rules.core.match import LEAVING
from rules.core.notation import joined


def board_link(place: Place, panel: Panel) -> str:
    """Return the address of a board; Discord shows it as a link."""
    return message_link(Place(place.guild, panel.channel), panel.message)


def linked_name(loaded: LoadedMatch | Listed) -> str:
    """Return the name of a match, as a link to its board if it has one."""
    panel = loaded.stored.panel
    return loaded.name if panel is None else f"[{loaded.name}]({board_link(loaded.stored.place, panel)})"


def with_opponents(loaded: LoadedMatch | Listed, user: DiscordId) -> str:
    """Return the name of a match, as a link to its board if it has one, and against whom `user` plays.

    Of a match in which `user` has no seat, all players are named.
    """
    others = [other for other in loaded.stored.users if other != user]
    players = against(others)
    if len(others) < len(loaded.stored.users):
        players = f"against {mentions(others)}"
    return f"{linked_name(loaded)}, {players}"


def message_link(place: Place, message: DiscordId) -> str:
    """Return the address of a message in the channel of a place."""
    return f"https://discord.com/channels/{place.guild or '@me'}/{place.channel}/{message}"


def player_label(loaded: LoadedMatch, seat: Seat | None, *, introduced: bool = False) -> str:
    """Return the mention of the member at a seat and the seat's mark in the picture; "Chance" for None.

    A computer player is `Crayon`, or `Crayon (computer)` where it is `introduced` to others than its opponent.
    """
    if seat is None:
        return "Chance"
    user = loaded.stored.users[seat]
    if introduced and not loaded.stored.private:
        # On a phone, the mark would stand alone in the next line.
        return f"{mention(user)}\N{NO-BREAK SPACE}{seat_token(seat)}"
    return f"{persona_name(user) or mention(user)} {seat_token(seat)}"


def takeovers(loaded: LoadedMatch) -> list[str]:
    """Return a sentence for each seat that a computer player took, such as "Pencil plays for Ada, who resigned."."""
    sentences = []
    for seat, leaver in enumerate(loaded.stored.leavers):
        if leaver is not None:
            by = next(it.text for it in reversed(loaded.stored.log) if it.seat == seat and it.text in LEAVING)
            how = "who resigned" if by == "resign" else "whose time ran out"
            plays = "played on" if loaded.match.over else "plays on"
            sentences.append(f"{capital(player_label(loaded, seat))} {plays} for {mention(leaver)}, {how}.")
    return sentences


def announcement_lines(announced: Announcement | None) -> list[str]:
    """Return the line of an announcement, if there is one."""
    if announced is None:
        return []
    return [f"-# **Announcement** until {format_dt(announced.until)}: {announced.text}"]


def score(skill: Skill) -> str:
    """Return a score as text; a provisional one has a question mark."""
    return f"{skill.score}{'?' if skill.provisional else ''}"


COLON = "\N{NO-BREAK SPACE}:\N{NO-BREAK SPACE}"
"""The separator of two scores."""


def result(loaded: LoadedMatch) -> str:
    """Return the result of a match that is over, such as "Grace beat Ada 3 : 2 by resignation"."""
    match = loaded.match
    if loaded.stored.void is not None or not match.winners:
        reason = discord.utils.escape_markdown(loaded.stored.void or "no reason was given").rstrip(".")
        if late := unplayed(loaded):
            due = joined([player_label(loaded, seat) for seat in late])
            return f"This game has ended because {reason}. It was the turn of {due}, and nobody wins."
        if loaded.stored.void in (SERVER_BANNED, STAGE_OVER, PLAYER_LEFT, CUP_ENDED, FORFEITED, MATCH_OVER):
            return f"This game has ended because {reason}. Nobody wins."
        if match.winners:
            return f"A moderator took this result back: {reason}. It counts for nobody."
        return f"A moderator ended this game: {reason}. Nobody wins."
    ending = early_ending(loaded.observe(None))
    if match.setup.players > 2 and points(loaded):
        sentence = _of_several(loaded)
    else:
        sentence = f"{names(loaded, lambda seat: player_label(loaded, seat))} {points(loaded)}".rstrip()
    return capital(f"{' '.join(filter(None, [sentence, ending]))}.")


def _of_several(loaded: LoadedMatch) -> str:
    """Return the result of more than two players, such as "Emmy won with 3 points, ahead of Grace (1)"."""
    match = loaded.match
    scores, winners = match.scores or (), match.winners or ()
    first = joined([player_label(loaded, seat) for seat in winners])
    verb = "won" if len(winners) == 1 else "drew" if is_draw(loaded.observe(None)) else "shared the win"
    behind = sorted((it for it in best_first(loaded) if it not in winners), key=lambda seat: -scores[seat])
    others = joined([f"{player_label(loaded, seat)} ({scores[seat]})" for seat in behind])
    ahead = f", ahead of {others}" if others else ""
    each = " each" if len(winners) > 1 else ""
    return f"{first} {verb} with {counted(scores[winners[0]], 'point')}{each}{ahead}"


def best_first(loaded: LoadedMatch) -> tuple[Seat, ...]:
    """Return the seats in the order in which a result names them: winners first.

    Players who left before the end are not named, unless the only winner beat nobody else.
    """
    winners = loaded.match.winners or ()
    others = tuple(seat for seat in range(loaded.match.setup.players) if seat not in winners)
    if not winners:
        return others
    stayed = tuple(seat for seat in others if seat in loaded.match.playing)
    return (*winners, *(stayed or (others if len(winners) == 1 else ())))


def names(loaded: LoadedMatch, label: Callable[[Seat], str]) -> str:
    """Return the result in names: `Grace beat Ada`.

    For a match without a result it is `Ada against Grace`, or `Ada, Grace and Emmy`.
    """
    labels = [label(seat) for seat in best_first(loaded)]
    won = len(loaded.match.winners or ())
    if won == 0:
        return " against ".join(labels) if len(labels) == 2 else joined(labels)
    first, others = joined(labels[:won]), joined(labels[won:])
    if won == 1:
        return f"{first} beat {others}"
    verb = "drew" if is_draw(loaded.observe(None)) else "shared the win"
    return f"{first} {verb}, ahead of {others}" if others else f"{first} {verb}"


def points(loaded: LoadedMatch) -> str:
    """Return the points in the order in which the result names the players, like `7 : 5`; "" if there are none.

    A game that ended early has none: its points did not decide it, and may even favour the loser.
    """
    scores = loaded.match.scores
    if scores is None or not loaded.match.winners or early_ending(loaded.observe(None)):
        return ""
    return COLON.join(str(scores[seat]) for seat in best_first(loaded))


def which_game(loaded: LoadedMatch) -> str:
    """Return `game 1 of 2` or `game 2 of 2`; "" for a single game."""
    if loaded.stored.games == 1:
        return ""
    return f"game {1 if loaded.stored.first is None else 2} of {loaded.stored.games}"


def points_so_far(loaded: LoadedMatch) -> str:
    """Return a sentence about the first game for the heading of the second; "" elsewhere."""
    if loaded.stored.first is None:
        return ""
    points = points_before(loaded.stored)
    if points is None:
        return "The first game has no result any more, so the two games together have none."
    (first, its), (second, others) = _best_first(points)
    score = f"{spell_points(its)}{COLON}{spell_points(others)}"
    if its == others:
        return f"After the first game the score is level, {score}."
    return f"After the first game {player_label(loaded, first)} leads {player_label(loaded, second)} {score}."


def outcome_of_both(loaded: LoadedMatch) -> str:
    """Return a sentence for the end of a game of two: what follows the first, or the sum after the second."""
    if loaded.stored.games == 1 or not loaded.match.over:
        return ""
    if loaded.stored.first is None:
        if loaded.stored.void is not None or not loaded.match.winners:
            return "The two games together have no result."
        return "The second game follows, with swapped seats."
    points = points_after(loaded.stored, loaded.match)
    if points is None:
        return "The two games together have no result."
    (first, its), (second, others) = _best_first(points)
    one, other = player_label(loaded, first), player_label(loaded, second)
    won = f"{one} and {other} drew" if its == others else f"{one} beat {other}"
    return f"Both games together: {won} {spell_points(its)}{COLON}{spell_points(others)}."


def sum_of_both(loaded: LoadedMatch, seats: Iterable[Seat]) -> str:
    """Return the sum after the second game, like `0.5 : 1.5`, in the order of these seats; "" elsewhere."""
    points = points_after(loaded.stored, loaded.match)
    if points is None:
        return ""
    return COLON.join(spell_points(points[seat]) for seat in seats)


def _best_first(points: Points) -> list[tuple[Seat, int]]:
    """Return both seats with their half points, the one with more first."""
    return sorted(enumerate(points), key=lambda one: -one[1])


CHECK = (
    f"A sealed move cannot be changed. **Proof** behind **More** shows at once the {DIGITS} digits of its SHA-256 hash."
    " The hashed text is a random salt, a space and the move.\nOnce all moves are opened, **Proof** shows that text,"
    " too; any SHA-256 tool turns it into the same digits, for example `printf %s 'the text' | sha256sum`."
)
"""The explanation of how to check a seal."""
