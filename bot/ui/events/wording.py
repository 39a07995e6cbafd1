"""The text of the message of an event: its terms, who takes part, how it stands, and what was changed by hand."""

from collections.abc import Sequence

from discord.utils import escape_markdown, format_dt

from bot.app.clocks.time_controls import spell_span, spell_time_control
from bot.app.events.line_ups import Board, boards_of, score_of, side_of
from bot.app.events.pairings import ONE_GROUP, TWICE
from bot.app.events.schedule import season_name, stage_span
from bot.app.events.standing import LARGEST, Group, groups_of, podium
from bot.app.mentions import capital, mention, mentions, persona
from bot.ui.components.message_parts import with_emoji
from bot.ui.components.wording import message_link
from bot.ui.posts.clients import Clients
from db.values.events import Correction, Deed, Entrant, Event, EventState, StoredDeed
from db.values.places import DiscordId
from render.board.phrases import counted, counted_points, spell_points
from rules.core.sizes import spell
from rules.games import find

MEDALS = ("🥇", "🥈", "🥉")
ANNOUNCED = 8
"""The most deeds that the message tells, the newest."""

INACTIVE = (
    "A player who makes no move in the first quarter of {span}, although it is their turn, is removed; their games do"
    " not count."
)
TIES = (
    "Ties are broken by the direct result, then by the Sonneborn-Berger score; equal players share a place."
)

_CORRECTIONS = {
    Correction.FIRST: "the player who moved first won",
    Correction.DRAWN: "it was a draw",
    Correction.SECOND: "the player who moved second won",
    Correction.NONE: "it does not count",
}


def title(event: Event) -> str:
    """Return the name of an event: `Cup: Alaric` or `League: Alaric, December 2026`."""
    game = find(event.terms.game).sheet.title
    if event.versus is not None:
        return f"Match: {game}"
    return f"Cup: {game}" if event.season is None else f"League: {game}, {season_name(event.season)}"


def event_link(event: Event, user: DiscordId | None = None, guild: DiscordId | None = None) -> str:
    """Return the address of the message of an event; "" if there is none.

    The guests of a match have one of their own, which `user` sees as one of them, or as a member of their server.
    """
    place, posted = event.place, event.message
    there = None if event.versus is None else event.versus.place
    entrant = None if user is None else event.entrant(user)
    guest = there is not None and there.guild == guild if entrant is None else entrant.guest
    if guest and event.versus is not None and there is not None:
        place, posted = there, event.versus.message
    return "" if posted is None else message_link(place, posted)


def linked_title(event: Event, user: DiscordId | None = None, guild: DiscordId | None = None) -> str:
    """Return the name of an event, as the link of `event_link` if there is one."""
    link = event_link(event, user, guild)
    return f"[{title(event)}]({link})" if link else title(event)


def event_line(event: Event, user: DiscordId) -> str:
    """Return an event that is not over as a line of a list for a player: its link, and how far it is."""
    if event.state is EventState.OPEN and event.versus is not None:
        return f"{linked_title(event, user)} · {len(event.present)} have joined both line-ups"
    if event.state is EventState.OPEN:
        when = "when it is full" if event.starts_at is None else format_dt(event.starts_at, "R")
        return (
            f"{linked_title(event)} · {len(event.present)} of {event.terms.most} take part, it starts {when}"
        )
    stage = event.stages[-1]
    games = event.of_stage(stage.number)
    over = sum(not it.running for it in games)
    ends = format_dt(stage.ends_at, "R")
    return f"{linked_title(event, user)} · {over} of {len(games)} games are over, it ends {ends}"


def text(event: Event, groups: Sequence[Group], before: Event | None = None) -> str:
    """Return the text above the picture of an event; `groups` are those of its newest stage.

    `before` is the month before of a league that members can join.
    """
    lines = _standing(event, groups, before)
    return "\n".join([f"### {with_emoji(event.terms.game, title(event))}", *lines])


def _standing(event: Event, groups: Sequence[Group], before: Event | None) -> list[str]:
    match event.state:
        case EventState.OPEN if event.season is not None:
            return _registration(event, before)
        case EventState.OPEN:
            return _invitation(event)
        case EventState.RUNNING:
            return _progress(event, groups)
        case EventState.CANCELLED:
            if event.ended:
                return ["It was closed before it started.", *announcements(event)]
            return ["It was cancelled, because too few players joined."]
        case EventState.OVER:
            return _podium(event)


def _invitation(event: Event) -> list[str]:
    terms = event.terms
    joined = mentions(it.user for it in event.present) if event.present else "nobody yet"
    when = (
        f"It starts {format_dt(event.starts_at, 'F')} ({format_dt(event.starts_at, 'R')})"
        if event.starts_at is not None
        else f"It starts when {terms.most} have joined, and is cancelled {format_dt(event.due_at, 'R')} otherwise"
    )
    lines = [
        f"{mention(event.organiser)} opens a cup for up to {terms.most} players.",
        f"**{len(event.present)} of {terms.most} take part:** {joined}",
        f"{when}; {mention(event.organiser)} can start it earlier.",
        f"**{spell_terms(event)}**",
        f"-# {_format(terms.most)}",
        f"-# {_end(event)}",
        f"-# {INACTIVE.format(span='a stage')} {TIES}",
        "-# You cannot join together with a player whom you have blocked or who has blocked you.",
    ]
    if terms.computers:
        found = persona(terms.computers)
        lines.append(
            f"-# Computer players of the level of {found.name} {found.sign} take the seats that are free at the start,"
            f" up to {ONE_GROUP} players in all."
        )
    return lines


def _registration(event: Event, before: Event | None) -> list[str]:
    """Return the lines of a league that members can join."""
    assert event.season is not None
    assert event.starts_at is not None
    joined = mentions(it.user for it in event.present) if event.present else "nobody yet"
    lines = [
        (
            f"It starts {format_dt(event.starts_at, 'F')} ({format_dt(event.starts_at, 'R')}) and ends with the month."
            " **Join** is all that it takes."
        ),
        f"**{len(event.present)} {'takes' if len(event.present) == 1 else 'take'} part:** {joined}",
        f"**{spell_terms(event)}**",
        (
            f"-# Everybody plays everybody in their division of 4 to {LARGEST}: twice with up to {TWICE} players,"
            " once with more. All games begin together. After the month, the first two of a division move up and the"
            " last two move down. Whoever stays out for one month keeps their division; newcomers begin where their"
            " rating fits."
        ),
        (
            "-# In a game that is unfinished at the end, the player whose clock runs loses; if no clock runs, or both"
            " do, the game has no result."
        ),
        f"-# {INACTIVE.format(span='the month')} {TIES}",
    ]
    if before is not None and before.members:
        lines.insert(2, f"-# To stay in, press **Join**: {mentions(before.members)}")
    return lines


def spell_terms(event: Event) -> str:
    """Return the size, the clock and the rating of the games of a cup."""
    terms = event.terms
    size = spell(find(terms.game), dict(terms.options))
    rated = "rated" if terms.rated else "casual, not rated"
    return f"{size} · {spell_time_control(terms.time_control)} · {rated}"


def _format(most: int) -> str:
    """Return how a cup is played, with as many players as it may have."""
    twice = f"With up to {TWICE} players, everybody plays everybody twice, with swapped seats"
    if most <= TWICE:
        return "Everybody plays everybody twice, with swapped seats. All games begin together."
    if most <= ONE_GROUP:
        return f"{twice}; with more, once. All games begin together."
    return (
        f"{twice}; with up to {ONE_GROUP}, once. More players are divided into groups of four to six by their ratings,"
        " and the first two of each play a final. All games of a stage begin together."
    )


def _end(event: Event) -> str:
    """Return how the games of a stage end at the latest."""
    span = spell_span(stage_span(event.terms.time_control))
    if event.terms.time_control is None:
        return f"A stage ends {span} after its start at the latest; unfinished games then have no result."
    return (
        f"A stage ends {span} after its start at the latest. In an unfinished game, the player whose clock then runs"
        " loses; if no clock runs, or both do, the game has no result."
    )


def _progress(event: Event, groups: Sequence[Group]) -> list[str]:
    stage = event.stages[-1]
    games = sum(len(it.games) for it in groups)
    finished = sum(it.finished for it in groups)
    league = event.season is not None
    what = "The final group" if stage.number else "The groups" if len(groups) > 1 and not league else "It"
    verb = "play" if what == "The groups" else "plays"
    now = (
        f"{what} {verb} until {format_dt(stage.ends_at, 'f')} at the latest"
        if what != "It"
        else (f"It ends {format_dt(stage.ends_at, 'f')} at the latest")
    )
    return [
        f"{now}. **{finished} of {games} games are over.** `/games` lists yours.",
        f"-# {spell_terms(event)}",
        *_players(event),
        *announcements(event),
    ]


def _players(event: Event) -> list[str]:
    """Return the line with those who play; the message mentions them when a stage begins and at the end."""
    return [f"-# Players: {mentions(it.user for it in event.present)}"] if event.present else []


def _podium(event: Event) -> list[str]:
    lines = podium_lines(event)
    if lines and event.season is not None:
        winners = _winners(event)
        lines.insert(0, f"**The podium of {season_name(event.season)}**")
        lines += [f"-# Winner of division {number}: {mentions(users)}" for number, users in winners[1:]]
    return [
        *(lines or [f"The {event.noun} is over, and no game had a result."]),
        *_players(event),
        *announcements(event),
    ]


def podium_lines(event: Event) -> list[str]:
    """Return a line for each player on the podium of an event that is over."""
    return [
        f"{MEDALS[row.place - 1]} {capital(mention(it.user))} · {counted_points(row.points)}"
        for row, it in podium(event)
    ]


def _winners(event: Event) -> list[tuple[int, list[DiscordId]]]:
    """Return the winners of each division, whose numbers count from 1."""
    users = event.users
    return [
        (group.number + 1, [users[it.entrant] for it in group.rows if it.place == 1])
        for group in groups_of(event, 0)
    ]


def table_lines(event: Event) -> list[str]:
    """Return the standing of a league in words: its link, and a line for each division."""
    users = event.users
    groups = groups_of(event, 0)
    lines = [f"**{linked_title(event)}**"]
    for group in groups:
        rows = (f"{it.place}\\. {mention(users[it.entrant])} {spell_points(it.points)}" for it in group.rows)
        name = f"Division {group.number + 1}: " if len(groups) > 1 else ""
        lines.append(f"{name}{' · '.join(rows)}")
    return lines


def placing(event: Event, user: DiscordId) -> str:
    """Return the place of a member in an event that is over: its link, the division or group, and the place.

    Of a match between servers, return the result for their server, and their points.
    """
    if event.versus is not None:
        return f"{linked_title(event, user)}: {_share(event, user)}"
    numbers = {it.number for it in event.entrants if it.user == user}
    stages = range(len(event.stages))
    found = [
        (stage, group, row)
        for stage in stages
        for group in groups_of(event, stage)
        for row in group.rows
        if row.entrant in numbers
    ]
    if not found:
        return linked_title(event)
    stage, group, row = found[-1]
    where = (
        f"division {group.number + 1}, "
        if event.season is not None
        else "final, "
        if stage
        else f"group {group.number + 1}, "
        if len(groups_of(event, stage)) > 1
        else ""
    )
    return f"{linked_title(event)}: {where}place {row.place} of {len(group.rows)}"


def _share(event: Event, user: DiscordId) -> str:
    """Return the result of a match for the server of a player, and the points of the player."""
    entrant, boards = next(it for it in event.entrants if it.user == user), boards_of(event)
    score = score_of(boards)
    own, others = score[entrant.guest], score[not entrant.guest]
    result = "won" if own > others else "lost" if own < others else "drawn"
    played = [it for it in boards if entrant.number in (it.host, it.guest)]
    points = "".join(f", {counted_points(it.score[entrant.guest])} on board {it.number + 1}" for it in played)
    return f"{result} {spell_points(own)} : {spell_points(others)}{points}"


def announcements(event: Event) -> list[str]:
    """Return a line for each of the newest deeds."""
    return [f"-# {capital(deed_text(event, it))}." for it in event.deeds[-ANNOUNCED:]]


def deed_text(event: Event, deed: StoredDeed) -> str:
    """Return a deed as a sentence without its full stop."""
    by = "a moderator" if deed.by is None else mention(deed.by)
    whom = "a player" if deed.whom is None else mention(deed.whom)
    match deed.deed:
        case Deed.STARTED:
            return f"{by} started the cup early"
        case Deed.LEFT:
            return f"{whom} left the {event.noun}"
        case Deed.REMOVED:
            return f"{by} removed {whom}"
        case Deed.ABSENT:
            lost = "do not count" if event.versus is None else "count for the other server"
            return f"{whom} made no move in time and was removed; their games {lost}"
        case Deed.LATE:
            return f"{by} lets late players in until a game is over or a quarter of the time has passed"
        case Deed.JOINED:
            return f"{whom} joined late"
        case Deed.CORRECTED if deed.corrected is None:
            return f"{by} took the correction of #{deed.match} back: it counts as it was played"
        case Deed.CORRECTED:
            assert deed.corrected is not None
            return f"{by} corrected the result of #{deed.match}: {_CORRECTIONS[deed.corrected]}"
        case Deed.ENDED:
            return f"{by} ended the {event.noun}"


def news_text(event: Event, stage: int) -> str:
    """Return the sentence by which a direct message tells a player that a stage has begun; it counts from 1.

    Stage 0 is a league that members can join.
    """
    if not stage:
        return f"**{title(event)}** can be joined now, and you play in the month before it: press **Join** to stay in."
    if event.versus is not None:
        return f"**{title(event)}** has started, and you play in it. `/games` lists your games."
    what = "has started" if stage == 1 else "goes on with the final group"
    return f"**{title(event)}** {what}, and you play in it. `/games` lists your games."


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
    found = [None if it is None else clients.get_guild(it.guild) for it in (event.place, there)]
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
            lines = _match_invitation(event, names)
        case EventState.RUNNING:
            lines = _match_progress(event, names)
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
    games = "one game" if event.versus.games == 1 else "two games with swapped seats"
    return f"**Up to {counted(event.boards, 'board')}, {games} on each · {spell_terms(event)}**"


def _match_invitation(event: Event, names: tuple[str, str]) -> list[str]:
    assert event.versus is not None
    boards, latest = event.boards, format_dt(event.due_at, "R")
    when = (
        f"It starts {format_dt(event.starts_at, 'F')} ({format_dt(event.starts_at, 'R')})"
        if event.starts_at is not None
        else "It starts when a player of each server has joined"
        if boards == 1
        else f"It starts when {boards} players of each server have joined, or {latest} with those who have"
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


def _match_progress(event: Event, names: tuple[str, str]) -> list[str]:
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
    users = event.users
    return [_board_line(it, mention(users[it.host]), mention(users[it.guest])) for it in boards_of(event)]


def _board_line(board: Board, host: str, guest: str) -> str:
    hosts, guests = map(spell_points, board.score)
    games = " ".join(f"#{it.match}" for it in board.pairings)
    running = " · running" if any(it.running for it in board.pairings) else ""
    return f"{board.number + 1}\\. {host} **{hosts} : {guests}** {guest} · {games}{running}"
