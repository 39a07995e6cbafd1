"""The text of a challenge: the players, the terms and the state."""

from collections.abc import Mapping
from datetime import datetime
from types import MappingProxyType

from discord.utils import format_dt

from bot.app.challenges.offers import spell_ratings
from bot.app.challenges.terms import first_player_sentence
from bot.app.clocks.time_controls import spell_time_control
from bot.app.mentions import capital, mention, mentions
from bot.ui.components.message_parts import with_emoji
from bot.ui.components.wording import message_link
from db.values.challenges import Answer, Challenge, Order, Reply, Terms
from db.values.matches import MatchOptions
from db.values.places import DiscordId
from render.board.phrases import counted
from rules.core.sizes import spell
from rules.games import find
from rules.lessons import lesson_of

USUAL_GAMES = "usual"
"""The value of the option `games` that stands for the default."""

GAMES_OPTION: Mapping[str, tuple[str, MatchOptions | None]] = {
    USUAL_GAMES: ("one game, rated if it has a clock", None),
    "one": ("one rated game", MatchOptions()),
    "casual": ("one casual game, not rated", MatchOptions(rated=False)),
    "two": ("two games with swapped seats, rated as one", MatchOptions(games=2)),
    "two casual": ("two casual games with swapped seats", MatchOptions(games=2, rated=False)),
}
"""By value of the option `games`: what members read, and the options of the match (`NamedTerms.options`)."""


def challenge_text(challenge: Challenge, absent: Mapping[DiscordId, datetime] = MappingProxyType({})) -> str:
    """Return the text of a challenge's message; `absent` is as in `challenge_message`."""
    sentence = f"{capital(summary(challenge))}."
    return "\n".join(
        [
            f"### {with_emoji(challenge.terms.game, _heading(challenge))}",
            sentence,
            *_invitation(challenge),
            *_standing(challenge),
            f"**{_terms(challenge)}**",
            f"-# {' · '.join([*_length(challenge), _order(challenge), _fate(challenge)])}",
            *(
                f"-# {mention(user)} is away until {format_dt(until, 'f')}; until then, their clock stands still."
                for user, until in absent.items()
            ),
            *_suggestion(challenge),
            *_other_terms(challenge),
        ]
    )


def game_title(terms: Terms) -> str:
    """Return the title of the game of a challenge, or "Any game"."""
    return "Any game" if terms.any_game else find(terms.game).sheet.title


def linked_title(challenge: Challenge) -> str:
    """Return the title of the game of a challenge, as a link to the challenge's message if there is one."""
    title = game_title(challenge.terms)
    if challenge.message is None:
        return title
    return f"[{title}]({message_link(challenge.place, challenge.message)})"


def _heading(challenge: Challenge) -> str:
    title = game_title(challenge.terms)
    if challenge.standing is not None and challenge.answer is Answer.OPEN:
        return f"{title}: {'a resting offer' if challenge.standing.rests else 'play whenever you like'}"
    if challenge.public and challenge.answer is Answer.OPEN and challenge.terms.most == 2:
        return f"{title}: who wants to play?"
    return title


def _invitation(challenge: Challenge) -> list[str]:
    """Return the line that says how the game of an open challenge is played; an empty list for other challenges."""
    terms = challenge.terms
    if not _invites(challenge) or terms.any_game:
        return []
    game, lesson = find(terms.game), lesson_of(terms.game)
    return [f"*{game.sheet.pitch if lesson is None else lesson.how}*"]


def _invites(challenge: Challenge) -> bool:
    """Return True if a challenge is open and no rematch, so that its members may not know the game."""
    return challenge.answer is Answer.OPEN and challenge.rematch_of is None


def _length(challenge: Challenge) -> list[str]:
    """Return the usual duration of the game while a challenge is open; an empty list if it is unknown."""
    terms, lesson = challenge.terms, None if challenge.terms.any_game else lesson_of(challenge.terms.game)
    if not _invites(challenge) or lesson is None or (minutes := lesson.minutes(dict(terms.options))) is None:
        return []
    each = " each" if terms.games > 1 else ""
    return [f"about {minutes} minutes{each}"]


def summary(challenge: Challenge) -> str:
    """Return the challenge in one sentence, without a full stop: `<@1> challenges <@2> and <@3>`."""
    host, terms = mention(challenge.challenger), challenge.terms
    if challenge.rematch_of is not None:
        return f"{host} asks {mentions(challenge.others)} for a rematch of #{challenge.rematch_of}"
    if not challenge.public:
        choice = f"; {mentions(challenge.others)} chooses the game" if terms.any_game else ""
        return f"{host} challenges {mentions(challenge.others)}{choice}"
    if challenge.standing is not None and challenge.standing.rests:
        return f"Nobody can begin a game until {host} opens this offer again"
    if challenge.standing is not None:
        return f"{host} always plays this"
    if terms.most == 2:
        return f"{host} looks for an opponent{', who chooses the game' if terms.any_game else ''}"
    span = f"{terms.most}" if terms.fewest == terms.most else f"{terms.fewest} to {terms.most}"
    return f"{host} opens a game for {span}"


def standing_line(challenge: Challenge, *, own: bool = False) -> str:
    """Return the game and the terms of a standing offer in one line, with the challenger if it is not their `own`."""
    if own:
        resting = challenge.standing is not None and challenge.standing.rests
        fate = "rests, because a game of it ended while it waited for you" if resting else _fate(challenge)
        return f"{linked_title(challenge)} · {_terms(challenge)} · {fate}"
    return f"{linked_title(challenge)} with {mention(challenge.challenger)} · {_terms(challenge)}"


def wanted_text(challenge: Challenge) -> str:
    """Return the game, the host and the clock of an open challenge in one sentence."""
    clock = spell_time_control(challenge.terms.time_control)
    return f"**{game_title(challenge.terms)}**: {summary(challenge)} ({clock})."


def resting_sentence(challenge: Challenge) -> str:
    """Return the sentence that tells the challenger of a standing offer that it rests."""
    return (
        f"Your standing offer of {game_title(challenge.terms)} rests, because a game of it ended while it waited"
        " for you. **Offer again** below it or in `/games` opens it."
    )


def declined_sentence(challenge: Challenge) -> str:
    """Return the sentence that tells the challenger of a declined challenge."""
    what = (
        "your challenge" if challenge.terms.any_game else f"your challenge to {game_title(challenge.terms)}"
    )
    if challenge.rematch_of is not None:
        what = f"the rematch of #{challenge.rematch_of}"
    return f"{capital(mentions(challenge.users(Reply.DECLINED)))} declined {what}."


def _standing(challenge: Challenge) -> list[str]:
    """Return the lines about the members who have joined and those who are still missing."""
    players = challenge.users(Reply.IN)
    if challenge.answer is Answer.ACCEPTED:
        return [f"{mentions(players)} play."] if challenge.public else []
    if challenge.answer is not Answer.OPEN:
        return []
    if not challenge.public:
        return _replies(challenge) if len(challenge.others) > 1 else []
    if challenge.terms.most == 2:
        return []
    return [
        f"**{len(players)} of {challenge.terms.most} have joined:** {mentions(players)}",
        _room(challenge),
    ]


def _suggestion(challenge: Challenge) -> list[str]:
    """Return the line that suggests two games if the first player has an advantage."""
    terms = challenge.terms
    found = None if terms.any_game else first_player_sentence(terms.game, dict(terms.options))
    if found is None or challenge.answer is not Answer.OPEN or terms.games > 1 or terms.fewest > 2:
        return []
    return [f"-# {found} Two games with swapped seats are fair."]


def _other_terms(challenge: Challenge) -> list[str]:
    """Return the line that says how to get other terms than those of an open challenge."""
    if not _invites(challenge) or challenge.standing is not None:
        return []
    return ["-# For another size, clock or number of games, send a `/challenge` of your own."]


def _replies(challenge: Challenge) -> list[str]:
    accepted = tuple(user for user in challenge.users(Reply.IN) if user != challenge.challenger)
    waiting = f"Accepted by {mentions(accepted)}; waiting" if accepted else "Waiting"
    asked = mentions(challenge.users(Reply.ASKED))
    return [f"{waiting} for {asked}. The game begins when all have accepted."]


def _room(challenge: Challenge) -> str:
    terms, players = challenge.terms, len(challenge.users(Reply.IN))
    if players < terms.fewest:
        can = f"{terms.fewest - players} more must join before it can start"
    else:
        can = f"{terms.most - players} more may join, or {mention(challenge.challenger)} can start it now"
    return f"{can}. With {terms.most} players it begins by itself."


def _terms(challenge: Challenge) -> str:
    terms = challenge.terms
    size = "standard size" if terms.any_game else spell(find(terms.game), dict(terms.options))
    clock = spell_time_control(terms.time_control)
    parts = [size, clock, *spell_options(terms)]
    if terms.games > 1:
        parts.insert(0, f"{terms.games} games with swapped seats")
    if challenge.standing is not None:
        ratings = spell_ratings(challenge.standing)
        parts += [f"for members with {ratings}"] if ratings else []
    return " · ".join(parts)


def _order(challenge: Challenge) -> str:
    if challenge.rematch_of is not None:
        seats = challenge.users(*Reply)
        return "everybody moves one seat on" if len(seats) > 2 else f"{mention(seats[0])} begins this time"
    match challenge.terms.order:
        case Order.LOT if challenge.terms.most == 2:
            first = "the first player" if challenge.terms.games == 1 else "the first player of the first game"
            return f"{first} is drawn by lot"
        case Order.LOT:
            return "seats are drawn by lot"
        case Order.FIRST:
            return f"{mention(challenge.challenger)} begins"
        case Order.LAST:
            return f"{mention(challenge.challenger)} goes last"
        case Order.LISTED if challenge.public:
            return "seats in the order of joining"
        case Order.LISTED:
            return f"seats in the order {mentions(challenge.users(*Reply))}"


def _fate(challenge: Challenge) -> str:
    if challenge.answer is Answer.DECLINED:
        return f"declined by {mentions(challenge.users(Reply.DECLINED))}"
    if challenge.answer is not Answer.OPEN:
        return challenge.answer.value
    if challenge.standing is not None:
        return f"at most {counted(challenge.standing.most, 'game')} at once, one for each member"
    return f"expires {format_dt(challenge.expires_at, 'R')}"


def spell_options(terms: Terms) -> list[str]:
    """Return what the terms of a challenge say about its options; the order is that of the challenge's message."""
    rated = "rated" if terms.rated else "casual, not rated"
    as_one = " as one" if terms.rated and terms.games > 1 else ""
    return [rated + as_one]
