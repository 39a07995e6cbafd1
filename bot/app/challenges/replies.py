"""Replies of members to a challenge. Each is pure: it returns the challenge after the reply, or raises Refused."""

from collections.abc import Sequence
from dataclasses import replace

from bot.app.challenges.terms import TWO_GAMES, with_game
from bot.app.errors import Refused
from bot.app.mentions import mention, mentions
from db.values.challenges import Answer, Challenge, Participant, Reply
from db.values.places import DiscordId
from rules.games import find


def accepted(offer: Challenge, user: DiscordId, game: str | None = None) -> Challenge:
    """Accept a challenge for `user`, or let them join a lobby. In an open challenge they choose the game.

    Once every seat is taken the challenge is accepted.
    """
    if offer.terms.any_game and game is not None:
        return _agreed(replace(offer, terms=with_game(offer.terms, game)), user)
    after = _agreed(offer, user)
    if offer.terms.any_game:
        raise Refused("Choose a game in the menu of this challenge; that accepts it.")
    if game is not None:
        raise Refused("The game of this challenge is chosen already; accept it with its button.")
    return after


def _agreed(offer: Challenge, user: DiscordId) -> Challenge:
    match offer.reply_of(user):
        case Reply.IN if user == offer.challenger:
            raise Refused(f"You made this challenge; it {_waits(offer)}.")
        case Reply.IN:
            raise Refused(f"You have joined already; this challenge {_waits(offer)}.")
        case Reply.ASKED:
            return _begun_if_full(_with(offer, user, Reply.IN))
        case None if not offer.public:
            raise Refused(f"This challenge is for {mentions(offer.others)}.")
        case None:
            joined = (*offer.participants, Participant(user, Reply.IN))
            return _begun_if_full(replace(offer, participants=joined))
        case _:
            raise Refused(
                f"{mention(offer.challenger)} removed you from this game, so you cannot join it again."
            )


def refused(offer: Challenge, user: DiscordId) -> Challenge:
    """Decline a challenge for a member who was asked, or withdraw it for the challenger. Both close the challenge."""
    if user == offer.challenger:
        return replace(offer, answer=Answer.WITHDRAWN)
    if offer.public:
        check_host(offer, user)
    if offer.reply_of(user) is None:
        everybody = mentions(offer.users(*Reply))
        raise Refused(f"This challenge is between {everybody}.")
    return replace(_with(offer, user, Reply.DECLINED), answer=Answer.DECLINED)


def left(offer: Challenge, user: DiscordId) -> Challenge:
    """Let `user` leave a lobby that they have joined."""
    if not offer.public:
        raise Refused("A challenge cannot be left; decline it instead.")
    if user == offer.challenger:
        raise Refused("You opened this game; close it instead of leaving it.")
    if offer.reply_of(user) is not Reply.IN:
        raise Refused("You have not joined this game.")
    return replace(offer, participants=tuple(it for it in offer.participants if it.user != user))


def gone(offer: Challenge, user: DiscordId) -> Challenge:
    """Remove a member whose data is deleted from a challenge.

    Their own challenge is withdrawn, a challenge to them is declined, and a lobby goes on as if they had never joined.
    """
    if offer.public and user != offer.challenger:
        return replace(offer, participants=tuple(it for it in offer.participants if it.user != user))
    return refused(offer, user)


def removed(offer: Challenge, by: DiscordId, user: DiscordId) -> Challenge:
    """Remove `user`, who has joined, for the challenger. They cannot join again."""
    check_host(offer, by)
    if not offer.public:
        raise Refused("Nobody can be removed from a challenge; withdraw it instead.")
    if user == offer.challenger or offer.reply_of(user) is not Reply.IN:
        raise Refused(f"{mention(user)} is not in this game any more.")
    return _with(offer, user, Reply.REMOVED)


def resized(offer: Challenge, by: DiscordId, seats: int) -> Challenge:
    """Change the most players of an open game for the challenger. It begins if all these seats are taken."""
    _check_open_to_all(offer, by)
    if offer.terms.games > 1 and seats > 2:
        raise Refused(TWO_GAMES)
    if seats < len(offer.users(Reply.IN)):
        raise Refused(f"{len(offer.users(Reply.IN))} have joined already; choose no fewer seats.")
    find(offer.terms.game).check(dict(offer.terms.options), seats)
    return _begun_if_full(replace(offer, terms=replace(offer.terms, most=seats)))


def seated(offer: Challenge, by: DiscordId, computers: Sequence[DiscordId]) -> Challenge:
    """Give seats to these computer players and no others, for the challenger. A game with them is casual."""
    _check_open_to_all(offer, by)
    players = (offer.challenger, *computers)
    if offer.users(Reply.IN) != (offer.challenger, *offer.computers):
        raise Refused("Others have joined this game already; choose computer players before that.")
    if len(players) >= offer.terms.most:
        raise Refused("No seat is left for a member; `/play` starts a game against the computer.")
    terms = replace(offer.terms, rated=False) if computers else offer.terms
    return replace(offer, terms=terms, participants=tuple(Participant(it, Reply.IN) for it in players))


def _check_open_to_all(offer: Challenge, by: DiscordId) -> None:
    check_host(offer, by)
    if offer.standing is not None:
        raise Refused("A standing offer is for two players; withdraw it instead.")
    if not offer.public or offer.terms.any_game:
        raise Refused("The seats of this challenge cannot be changed; withdraw it instead.")


def begun(offer: Challenge, by: DiscordId) -> Challenge:
    """Begin the match for the challenger with the members who have joined."""
    check_host(offer, by)
    missing = offer.terms.fewest - len(offer.users(Reply.IN))
    if missing > 0:
        raise Refused(f"This game cannot start yet; {missing} more must join.")
    return replace(offer, answer=Answer.ACCEPTED)


def check_host(offer: Challenge, user: DiscordId) -> None:
    """Raise Refused unless `user` made the challenge."""
    if user != offer.challenger:
        raise Refused(f"Only {mention(offer.challenger)} can change, start or withdraw this game.")


def reason_closed(offer: Challenge) -> str:
    """Return the reason why a challenge that is not open cannot be answered."""
    match offer.answer:
        case Answer.ACCEPTED:
            return "This challenge was accepted already; the game has begun."
        case Answer.DECLINED:
            return f"This challenge was declined by {mentions(offer.users(Reply.DECLINED))}."
        case Answer.WITHDRAWN:
            return "This challenge was withdrawn."
        case _:
            return "This challenge has expired; make a new one with `/challenge`."


def _begun_if_full(offer: Challenge) -> Challenge:
    full = len(offer.users(Reply.IN)) == offer.terms.most
    return replace(offer, answer=Answer.ACCEPTED) if full else offer


def _with(offer: Challenge, user: DiscordId, reply: Reply) -> Challenge:
    changed = (replace(it, reply=reply) if it.user == user else it for it in offer.participants)
    return replace(offer, participants=tuple(changed))


def _waits(offer: Challenge) -> str:
    asked = offer.users(Reply.ASKED)
    return f"waits for {mentions(asked) if asked else 'somebody to join'}"
