"""Seats that become free in games for three and more players, and the computer players who may play on there.

The entry by which a player leaves counts at once, as it does without such an offer. While no member has moved since,
the others can agree that a computer player takes the seat: then the log goes back to before that entry, as in a
takeback.
"""

from bot.app.matches.loaded import LoadedMatch, back, back_to, counting
from bot.app.matches.results import FEWEST, moves_made, ranked
from db.rating_math import calibrated
from db.store import Store
from db.values.members import COPIES, LEVELS, computer_player, is_computer, level_of
from db.values.places import DiscordId, former
from db.values.proposals import Proposal, Takeover
from db.values.standings import Skill
from rules.core.errors import BadSetup
from rules.core.game import Seat
from rules.core.match import LEAVING, Match, Ply
from rules.games import find
from rules.players.choose import find_player, levels_of


async def computer_for(store: Store, loaded: LoadedMatch, seat: Seat, after: Match) -> DiscordId | None:
    """Return the computer player who is to be offered for a seat whose player leaves; `after` is the match after that.

    Its level is the one that suits the player. Return None if the match is over, no other member is left, the seat was
    a computer player's, or no computer plays the game. Return None also where moves are or were hidden, because leaving
    reveals them.
    """
    users, before = loaded.stored.users, loaded.match
    if after.over or is_computer(users[seat]) or before.secrets or loaded.secret:
        return None
    if all(is_computer(users[other]) for other in after.playing):
        return None
    try:
        find_player(before.game)
    except BadSetup:
        return None
    level = await suggested_level(store, users[seat], before.game.key)
    players = (computer_player(level, copy) for copy in range(COPIES))
    return next((it for it in players if it not in users), None)


def is_free(proposal: Proposal, loaded: LoadedMatch) -> bool:
    """Return True if only computer players and chance have moved since the player of an offered seat has left."""
    users = loaded.stored.users
    automatic = (
        back(entry) is None
        if entry.seat is None
        else is_computer(users[entry.seat]) and entry.text not in LEAVING
        for entry in loaded.stored.log[proposal.shown :]
    )
    return not loaded.match.over and proposal.seat not in loaded.match.playing and all(automatic)


def takeover(proposal: Proposal, loaded: LoadedMatch) -> tuple[Ply, Takeover]:
    """Return the entry by which the computer player of an agreed offer takes the seat, and the change of the match.

    A rated match changes the rating of the player who left as if the others had shared the win, if every player has
    made a few moves.
    """
    assert proposal.computer is not None
    before, match = counting(loaded.stored.log[: proposal.shown - 1]), loaded.match
    rated = loaded.stored.rated and min(moves_made(match)) >= FEWEST
    ranks = None
    if rated and not former(loaded.stored.users[proposal.seat]):
        left = [seat for seat, _ in match.left]
        ranks = ranked([(0, left.index(it)) if it in left else (1, 0) for it in range(match.setup.players)])
    return back_to(len(before)), Takeover(proposal.seat, proposal.computer, ranks)


async def suggested_level(store: Store, user: DiscordId, game: str) -> int:
    """Return the level against which `user` should win about half of their games, by their rating in a game.

    Without a rating it is the level that they played last, by default the lowest. Scores are compared, which grow
    with the certainty of a rating, so that newcomers begin with the lowest levels.
    """
    own = await store.ratings.skill(user, game)
    suited = None if own is None else suited_level(own, game)
    return suited or await _last_level(store, user, game) or LEVELS[0]


def suited_level(own: Skill, game: str) -> int | None:
    """Return the level whose score is the nearest to that of a skill; None if the levels are not rated in the game."""
    skills = {level: calibrated(computer_player(level), game) for level in levels_of(find(game))}
    known = {level: skill.score for level, skill in skills.items() if skill is not None}
    return min(known, key=lambda level: abs(known[level] - own.score), default=None)


async def _last_level(store: Store, user: DiscordId, game: str) -> int | None:
    """Return the level that `user` played last in a game, or None."""
    last = await store.history.last_computer(user, game)
    return None if last is None else level_of(last[0])
