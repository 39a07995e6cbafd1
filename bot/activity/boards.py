"""Boards as the page shows them: what one member may see of a match, as JSON."""

import asyncio
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import lru_cache, partial
from typing import Any, TypeVar

import render
from bot.activity.exercises import plain
from bot.activity.watching import Standing
from bot.app.matches.loaded import IllegalMove, LoadedMatch, judged
from bot.app.mentions import capital, mention
from bot.app.proposals import still_to_agree
from bot.ui.components.message_parts import players_of, seat_token, visible_rejection
from bot.ui.posts.member_names import MemberNames
from bot.ui.proposals import proposal_sentence
from db.values.challenges import Answer
from db.values.members import TEAMS, is_computer
from db.values.places import DiscordId, former
from db.values.proposals import Proposal
from render.board.annotations.advice import Advice
from render.board.annotations.correction import RejectedMove
from render.engine.scene import Point, Scene
from render.engine.svg import svg
from render.picture import scene
from render.touch import named, places
from rules.core.errors import RuleError
from rules.core.game import Seat
from rules.core.match import Observation
from rules.core.notation import joined
from rules.core.prompt import Prompt, RowPrompt, WordsPrompt

Json = dict[str, Any]
Result = TypeVar("Result")

_drawing = ThreadPoolExecutor(1, thread_name_prefix="pages")
"""A thread of their own, since an SVG takes a fraction of the time of the picture that the channel waits for."""


async def _drawn(draw: Callable[..., Result], *args: object) -> Result:
    return await asyncio.get_running_loop().run_in_executor(_drawing, partial(draw, *args))


async def board(
    loaded: LoadedMatch,
    user: DiscordId,
    theme: str,
    names: MemberNames,
    *,
    proposals: Sequence[Proposal] = (),
    rejected: RejectedMove | None = None,
    advice: Advice | None = None,
    looking: bool = False,
    voter: Seat | None = None,
) -> Json:
    """Return a match as `user` may see it: by what their seat observes, or a spectator, and nothing else.

    `looking` leaves out what can be entered. `rejected` and `advice` are marked on the board. `voter` is the seat for
    which `user` votes now, or whose secret moves they were drawn to play.
    """
    seat = loaded.seat_of(user)
    seen = loaded.match.observe(seat if voter is None else voter)
    # In an exercise, which has no number, nobody is named.
    people = [it for it in loaded.stored.users if loaded.id and not former(it)]
    known = await names.of(loaded.stored.place.guild, people)
    labels = [
        (*known.get(it, ()), f"player {number}")[0] for number, it in enumerate(loaded.stored.users, start=1)
    ]
    shown = await _drawn(scene, seen, rejected, await players_of(loaded, names), advice)
    prompt = None if looking else seen.prompt
    return {
        "type": "board",
        "match": loaded.id,
        "ply": loaded.shown,
        "title": loaded.name,
        "theme": theme,
        "svg": await _drawn(_svg, shown, theme),
        "alt": render.alt(seen, rejected=rejected, advice=advice),
        "caption": capital(render.caption(seen)),
        "status": _status(
            loaded, seen, labels, "Your turn." if voter is None or loaded.secret else "Vote for a move."
        ),
        "mine": prompt is not None,
        "over": loaded.match.over,
        "entry": None if prompt is None else _entry(seen, shown, prompt),
        "clocks": _clocks(loaded, labels),
        "plays": bool(loaded.id)
        and seat is not None
        and seat in loaded.match.playing
        and not loaded.match.over,
        "hints": not loaded.stored.rated,
        "proposals": [_proposal(it, loaded, seat, labels) for it in proposals if it.answer is Answer.OPEN],
    }


async def preview(
    loaded: LoadedMatch, seat: Seat, text: str | None, touched: Sequence[Point], theme: str
) -> Json | None:
    """Return what a move would do, or why it is refused, as its player may know it. Nothing is played.

    Without `text` it is the move through the places nearest to the `touched` page points. None if there is no such
    place, or if moves are secret now, whose effect may depend on what others hide.
    """
    seen = loaded.match.observe(seat)
    if loaded.secret or seen.prompt is None or not seen.prompt.choices:
        return None
    if text is None:
        text = await _drawn(_named, seen, touched)
        if text is None:
            return None
    rejected = None
    try:
        after = judged(loaded, seat, text)
    except IllegalMove as refusal:
        sentence, legal, rejected = str(refusal), False, visible_rejection(refusal)
    except RuleError as refusal:
        sentence, legal = str(refusal), False
    else:
        seen, legal = after.observe(seat), True
        sentence = f"Preview: {render.caption(seen)}."
    # The page of a finished game has another size. It is not drawn before the move is played.
    picture = (
        ""
        if seen.winners is not None or not (legal or rejected)
        else await _drawn(_preview, seen, rejected, theme)
    )
    return {"type": "preview", "move": text, "sentence": sentence, "legal": legal, "svg": picture}


def _named(seen: Observation, touched: Sequence[Point]) -> str | None:
    assert seen.prompt is not None
    return named(seen, scene(seen), touched, seen.prompt.choices)


def _preview(seen: Observation, rejected: RejectedMove | None, theme: str) -> str:
    return svg(scene(seen, rejected), theme)


@lru_cache(maxsize=32)  # of about 50 KB each
def _svg(shown: Scene, theme: str) -> str:
    """Return the SVG of a scene. All who watch a match without a seat see the same."""
    return svg(shown, theme)


def version(standing: Standing, user: DiscordId, voter: Seat | None = None) -> object:
    """Return what the board of `user` depends on; `voter` is as in `board`.

    It is equal before and after a move that is hidden from them. Otherwise they could count and time the hidden moves
    of others.
    """
    loaded = standing.loaded
    stored, own = loaded.stored, loaded.match.seen(loaded.seat_of(user) if voter is None else voter)
    clocks = None if loaded.secret else stored.clocks
    vote = [it.move for it in standing.votes if it.user == user]
    state = own, voter, loaded.shown, loaded.match.over, stored.void, stored.paused_until
    return *state, clocks, standing.proposals, *vote


def _status(loaded: LoadedMatch, seen: Observation, labels: Sequence[str], asking: str) -> str:
    """Return the result, or whose turn it is with what they are asked after the sentence `asking`."""
    if seen.winners is not None:
        named = capital(joined([labels[it] for it in seen.winners]))
        if not named:
            return "The game ended without a result."
        return f"{named} won." if len(seen.winners) == 1 else f"{named} share the win."
    if seen.prompt is not None:
        return f"{asking} {seen.prompt.ask}"
    waiting = [it for it in seen.to_move if it is not None]
    users, named = (
        [loaded.stored.users[it] for it in waiting],
        capital(joined([labels[it] for it in waiting])),
    )
    if loaded.secret and (teams := [mention(it) for it in users if it in TEAMS]):
        return f"Volunteers who are drawn by lot in the channel play in secret for {joined(teams)}."
    verb = "is" if len(users) == 1 and users[0] not in TEAMS else "are"
    return f"{named} {verb} {'thinking' if all(map(is_computer, users)) else 'to move'}."


def _clocks(loaded: LoadedMatch, labels: Sequence[str]) -> list[Json]:
    """Return the clocks of a running match: the seconds left, and when they end if they run (seconds since 1970)."""
    if loaded.match.over:
        return []
    return [
        {
            "name": labels[seat],
            "left": clock.left.total_seconds(),
            "ends": None if clock.deadline is None else clock.deadline.timestamp(),
        }
        for seat, clock in enumerate(loaded.stored.clocks)
        if clock is not None
    ]


def _proposal(proposal: Proposal, loaded: LoadedMatch, seat: Seat | None, labels: Sequence[str]) -> Json:
    """Return an open proposal; `asked` is True if the member is to answer it, `own` if it is theirs."""
    asked = seat is not None and loaded.stored.users[seat] in still_to_agree(proposal, loaded)
    sentence = proposal_sentence(proposal, loaded)
    for number, user in enumerate(loaded.stored.users):
        sentence = sentence.replace(f"{mention(user)} {seat_token(number)}", labels[number])
    return {"id": proposal.id, "sentence": plain(sentence), "asked": asked, "own": proposal.seat == seat}


def _entry(seen: Observation, shown: Scene, prompt: Prompt) -> Json:
    """Return how a move is entered: by touching places, by laying cards, or by naming stretches of a row."""
    entry: Json = {"example": prompt.example}
    match prompt:
        case RowPrompt():
            return entry | {"kind": "row", "reds": prompt.reds, "blacks": prompt.blacks}
        case WordsPrompt():
            found = {"given": prompt.given, "wrong": prompt.wrong, "left": prompt.left}
            return entry | {"kind": "words", "row": prompt.row, "stop": prompt.stop} | found
    touched = [
        {
            "move": it.move,
            "points": [[round(x, 1), round(y, 1)] for x, y in it.points],
            "reach": round(it.reach, 1),
        }
        for it in places(seen, shown, prompt.choices)
    ]
    return entry | {"kind": "places", "places": touched}
