"""The text of a match between two servers: its card, the boards with their results, and the score."""

from collections.abc import Sequence

from discord.utils import escape_markdown, format_dt

from bot.app.clocks.time_controls import spell_span
from bot.app.events.line_ups import Board, boards_of, score_of, side_of
from bot.app.events.schedule import stage_span
from bot.app.matches.results import spell_points
from bot.app.mentions import mention
from bot.ui.components.message_parts import with_emoji
from bot.ui.events.wording import announcements, spell_terms, title
from bot.ui.posts.clients import Clients
from db.values.events import Entrant, Event, EventState
from db.values.places import DiscordId

DEPARTED = "If a server removes me, its players play on in direct messages, with `/board` and `/move`, or lose on time."
PAIRED = (
    "The first members of each server to join play, the strongest against the strongest; later ones are reserves. The"
    " hosts begin on board 1, the guests on board 2, and so on. All games begin together, and each board is in both"
    " servers."
)
ABSENT = (
    "A player who makes no move in the first quarter, although it is their turn, is removed. Their games then count for"
    " the other server, and no rating changes."
)
SEEN = "**Before you join:** members of the other server see your name, your games and their results."


def known_names(event: Event, clients: Clients) -> tuple[list[str], list[str]]:
    """Return the names of the hosts and of the guests, the best first, as far as this process knows them."""
    there = None if event.versus is None else event.versus.place
    found = [None if it is None else clients.get_guild(it.guild or 0) for it in (event.place, there)]
    hosts, guests = ([] if it is None else [it.name] for it in found)
    return [*hosts, "the hosts"], [*guests, "the guests"]


def server_names(event: Event, clients: Clients) -> tuple[str, str]:
    """Return the best names of the hosts and of the guests in texts."""
    hosts, guests = (escape_markdown(names[0]) for names in known_names(event, clients))
    return hosts, guests


def match_text(event: Event, names: tuple[str, str], *, departed: bool = False) -> str:
    """Return the text of the message of a match. It mentions the players of both servers; see `strangers_of`.

    `departed` is True if one of the servers has removed the bot.
    """
    heading = f"### {with_emoji(event.terms.game, title(event))}\n**{names[0]}** against **{names[1]}**"
    match event.state:
        case EventState.OPEN:
            lines = _invitation(event, names)
        case EventState.RUNNING:
            lines = _progress(event, names)
        case EventState.OVER:
            lines = [_winner(event, names), *board_lines(event), *announcements(event)]
        case EventState.CANCELLED:
            why = (
                "It was called off before it started."
                if event.ended
                else "It was cancelled, because the other server removed me before it started."
                if departed
                else "It was cancelled: a manager of the other server must accept it, and each server needs a player."
            )
            lines = [why, *announcements(event)]
    return "\n".join([heading, *lines])


def strangers_of(event: Event, guild: DiscordId | None) -> tuple[DiscordId | None, set[DiscordId]]:
    """Return the other server of a match, and whom the text of its message mentions but for the players of this server.

    Moderators may be from either server, so they are among them.
    """
    assert event.versus is not None
    hosts = guild == event.place.guild
    there = event.versus.place if hosts else event.place
    own = {it.user for it in event.entrants if it.guest is not hosts}
    named = {it.user for it in event.entrants}
    named.update(user for it in event.deeds for user in (it.by, it.whom) if user is not None)
    return None if there is None else there.guild, named - own


def terms_line(event: Event) -> str:
    """Return the number of boards and games, and the terms of the games."""
    assert event.versus is not None
    boards = "1 board" if event.boards == 1 else f"{event.boards} boards"
    games = "one game" if event.versus.games == 1 else "two games with swapped seats"
    return f"**Up to {boards}, {games} on each · {spell_terms(event)}**"


def _invitation(event: Event, names: tuple[str, str]) -> list[str]:
    assert event.versus is not None
    boards = event.boards
    when = (
        f"It starts {format_dt(event.starts_at, 'F')} ({format_dt(event.starts_at, 'R')})"
        if event.starts_at is not None
        else "It starts when a player of each server has joined"
        if boards == 1
        else f"It starts when {boards} players of each server have joined"
    )
    lines = [_line_up(side_of(event, guest=False), boards, names[0])]
    if event.versus.place is not None:
        lines.append(_line_up(side_of(event, guest=True), boards, names[1]))
    else:
        lines.append("A manager of the other server has not accepted it yet.")
    span = spell_span(stage_span(event.terms.time_control))
    running = (
        "an unfinished game then has no result"
        if event.terms.time_control is None
        else "in an unfinished game the player whose clock then runs loses; if none or both run, it has no result"
    )
    return [
        *lines,
        f"{when}.",
        terms_line(event),
        f"-# {SEEN}",
        f"-# {PAIRED}",
        f"-# The match ends {span} after its start at the latest; {running}.",
        f"-# {ABSENT}",
        f"-# {DEPARTED}",
    ]


def _line_up(entrants: Sequence[Entrant], boards: int, name: str) -> str:
    """Return the line with those of a server who have joined."""
    playing, reserves = entrants[:boards], entrants[boards:]
    joined = ", ".join(mention(it.user) for it in playing) or "nobody yet"
    more = f"; reserves: {', '.join(mention(it.user) for it in reserves)}" if reserves else ""
    return f"**{name}, {len(playing)} of {boards}:** {joined}{more}"


def _progress(event: Event, names: tuple[str, str]) -> list[str]:
    over = sum(not it.running for it in event.pairings)
    return [
        f"{_score(event, names)} · {over} of {len(event.pairings)} games are over. `/games` lists yours.",
        *board_lines(event),
        f"-# {spell_terms(event)} · it ends {format_dt(event.stages[-1].ends_at, 'f')} at the latest",
        f"-# {DEPARTED}",
        *announcements(event),
    ]


def _score(event: Event, names: tuple[str, str]) -> str:
    hosts, guests = map(spell_points, score_of(boards_of(event)))
    return f"**{names[0]} {hosts} : {guests} {names[1]}**"


def _winner(event: Event, names: tuple[str, str]) -> str:
    """Return the result of a match that is over."""
    hosts, guests = score_of(boards_of(event))
    result = "It is a draw" if hosts == guests else f"**{names[guests > hosts]}** wins"
    return f"{result}: {_score(event, names)}"


def board_lines(event: Event) -> list[str]:
    """Return a line for each board: the players, the score, and the numbers of the games."""
    users = {it.number: it.user for it in event.entrants}
    return [_board_line(it, mention(users[it.host]), mention(users[it.guest])) for it in boards_of(event)]


def _board_line(board: Board, host: str, guest: str) -> str:
    hosts, guests = map(spell_points, board.score)
    games = " ".join(f"#{it.match}" for it in board.pairings)
    running = " · running" if any(it.running for it in board.pairings) else ""
    return f"{board.number + 1}\\. {host} **{hosts} : {guests}** {guest} · {games}{running}"
