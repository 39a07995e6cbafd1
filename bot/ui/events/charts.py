"""The tables of events as the pictures show them."""

from collections.abc import Mapping, Sequence

from bot.app.events.line_ups import Board, boards_of
from bot.app.events.standing import Group, game_of
from bot.app.events.tables import DRAW, LOSS, WIN, Game
from bot.ui.events.wording import title
from bot.ui.posts.member_names import Names
from db.values.events import Event, EventState
from db.values.members import is_computer
from db.values.places import DiscordId
from render.charts.cross_table import CrossRow, CrossTable, Mark, MatchSide, MatchTable

_MARKS = {WIN: Mark.WON, DRAW: Mark.DRAWN, LOSS: Mark.LOST}


def cross_table(
    event: Event, group: Group, groups: Sequence[Group], names: Mapping[DiscordId, Names]
) -> CrossTable:
    """Return the cross table of a group. Entrants whose games do not count stand below the others."""
    users = {it.number: it.user for it in event.entrants}
    order = [*(it.entrant for it in group.rows), *group.annulled]
    ranks = {it.entrant: it for it in group.rows}
    league = event.season is not None
    final = event.state is EventState.OVER and (league or len(groups) == 1)

    def row(entrant: int) -> CrossRow:
        found, user = ranks.get(entrant), users[entrant]
        cells = tuple(_cell(group.games, entrant, opponent) for opponent in order)
        return CrossRow(
            rank=None if found is None else found.place,
            cells=cells,
            points=0 if found is None else found.points,
            played=0 if found is None else found.played,
            names=names.get(user, ()),
            computer=is_computer(user),
        )

    what = (
        f"{'Division' if league else 'Group'} {group.number + 1} · "
        if len(groups) > 1
        else "Final group · "
        if len(event.stages) > 1
        else ""
    )
    done = group.finished == len(group.games)
    about = f"{what}{'all' if done else f'{group.finished} of {len(group.games)}'} games are over"
    return CrossTable(title(event), about, tuple(map(row, order)), final)


def _cell(games: Sequence[Game], entrant: int, opponent: int) -> tuple[Mark, ...]:
    """Return the results of an entrant against an opponent, in the order in which the games were paired."""
    marks = []
    for game in games:
        if {game.first, game.second} != {entrant, opponent}:
            continue
        if game.halves is None:
            marks.append(Mark.RUNNING if game.running else Mark.NONE)
        else:
            marks.append(_MARKS[game.halves if game.first == entrant else WIN - game.halves])
    return tuple(marks)


def match_table(
    event: Event, names: Mapping[DiscordId, Names], servers: tuple[Sequence[str], Sequence[str]]
) -> MatchTable:
    """Return the table of a match between two servers. `servers` are the names of each, the best first."""
    users = {it.number: it.user for it in event.entrants}

    def sides(board: Board) -> tuple[MatchSide, MatchSide]:
        games = [game_of(it) for it in board.pairings]
        host, guest = (
            MatchSide(_cell(games, own, other), board.score[side], names.get(users[own], ()))
            for side, (own, other) in enumerate(((board.host, board.guest), (board.guest, board.host)))
        )
        return host, guest

    over = sum(not it.running for it in event.pairings)
    done = over == len(event.pairings)
    about = f"{'all' if done else f'{over} of {len(event.pairings)}'} games are over"
    boards = tuple(map(sides, boards_of(event)))
    hosts, guests = map(tuple, servers)
    return MatchTable(title(event), about, (hosts, guests), boards, event.state is EventState.OVER)
