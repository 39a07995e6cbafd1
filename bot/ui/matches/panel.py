"""The controls under a board: those for a move, and the row that every board has."""

import re
from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Any, NamedTuple

import discord
from discord import ui

import render
from bot.app.awards import Won
from bot.app.clocks.time_controls import spell_time_control
from bot.app.matches.loaded import LoadedMatch, back, seals
from bot.app.matches.matches import MOST_TOLD
from bot.app.mentions import capital, persona, persona_name
from bot.app.proposals import is_paused
from bot.app.services import Services
from bot.app.votes import Poll
from bot.ui.challenges.posting import RematchButton, can_be_played_again
from bot.ui.components.message_parts import (
    Rows,
    card,
    filename,
    fits,
    gallery,
    seat_token,
    with_emoji,
    without_surplus,
)
from bot.ui.components.wording import (
    announcement_lines,
    outcome_of_both,
    player_label,
    points_so_far,
    result,
    takeovers,
    which_game,
)
from bot.ui.events.votes import poll_lines, volunteer_rows
from bot.ui.interactions.buttons import IdButton
from bot.ui.interactions.reply import Content, Context
from bot.ui.matches.board_actions import (
    HintButton,
    MoreButton,
    OpenButton,
    ProofButton,
    more_row,
)
from bot.ui.matches.touch import TouchButton
from bot.ui.moves.controls import controls, how_to_choose
from bot.ui.moves.play import (
    Controls,
    MatchTarget,
    TypeButton,
    action_rows,
    private_message,
)
from bot.ui.moves.prompts import OPEN_LABEL, open_label
from bot.ui.moves.words import end_of_search
from bot.ui.proposals import proposal_line, proposal_row
from bot.ui.replay import WatchButton
from bot.ui.review import ReviewButton
from bot.ui.standings.profile import award_lines
from bot.ui.standings.ratings import rating_lines
from db.values.administration import Announcement
from db.values.challenges import Answer
from db.values.clocks import SeatClock
from db.values.members import LEVELS, TEAMS, is_computer, level_of
from db.values.proposals import Proposal
from db.values.standings import Change
from render.board.phrases import sentence
from render.board.seats import with_names
from render.board.text import reason
from render.engine.theme import SEATS, THEMES
from rules.core.game import Seat
from rules.core.match import LEAVING, Match, Observation
from rules.core.notation import joined
from rules.core.prompt import Prompt, RowPrompt, WordsPrompt
from rules.core.sizes import size_name, spell
from rules.lessons import lesson_of
from rules.players.choose import levels_of
from rules.players.review import reviewable


def board_rows(prompt: Prompt, loaded: LoadedMatch, seat: Seat) -> list[ui.ActionRow[Any]]:
    """Return the rows of a public board on which `seat` is to answer `prompt`."""
    target = MatchTarget(loaded.id)
    last: ui.ActionRow[Any] = ui.ActionRow(TypeButton(target, loaded.shown), *_always(loaded))
    return [*action_rows(controls(prompt, target, loaded, seat).rows), last]


def secret_controls(loaded: LoadedMatch) -> ui.ActionRow[Any]:
    """Return the row of a public board while moves are secret; it is the same for all players."""
    return ui.ActionRow(
        SecretMoveButton(loaded.id, loaded.shown, label=_open_label(loaded)), *_always(loaded)
    )


def _open_label(loaded: LoadedMatch) -> str:
    """Return the label of the button for a secret move, which is the same for all players."""
    seat = next((seat for seat in loaded.match.to_move if seat is not None), None)
    prompt = None if seat is None else loaded.observe(seat).prompt
    return open_label(prompt)


def _with_touch(
    rows: list[ui.ActionRow[Any]], loaded: LoadedMatch, below: Sequence[ui.ActionRow[Any]]
) -> list[ui.ActionRow[Any]]:
    """Return the rows with the button that opens the Activity, first in the last row.

    It is left out if a board with them and the rows `below` has no room for it.
    """
    if loaded.match.over or not rows or len(rows[-1].children) >= MOST_IN_ROW:
        return rows
    more = [*rows[:-1], ui.ActionRow(TouchButton(loaded.id), *rows[-1].children)]
    return more if fits([*more, *below], BESIDE_ROWS) else rows


def _always(loaded: LoadedMatch) -> list[ui.Item[Any]]:
    """Return the buttons that a board has in every position of a running match."""
    items: list[ui.Item[Any]] = [MoreButton(loaded.id)]
    if not loaded.stored.rated and loaded.team is None:
        items.append(HintButton(loaded.id))
    if loaded.stored.private:
        items.append(OpenButton(loaded.id))
    return items


class SecretMoveButton(IdButton, word="hand", label=OPEN_LABEL, style=discord.ButtonStyle.primary):
    """Opens a player's private view of the board with the controls for a secret move."""

    match: int
    plies: int

    async def answer(self, context: Context) -> Content:
        matches = context.services.matches
        loaded, seat, prompt = await matches.prompt_for(self.match, context.user, self.plies)
        entering = controls(prompt, MatchTarget(self.match), loaded, seat)
        return await private_message(entering, await context.theme())


_BUTTON = re.compile(r"(?:type|hand|row|name):(?P<match>[0-9]+):(?P<plies>[0-9]+)")
"""The custom id of a button that every live board has."""


class Gains(NamedTuple):
    """The consequences of a result: achievements that players earned for the first time, and new ratings."""

    awards: Sequence[Won]
    changes: Sequence[Change]


async def gains(services: Services, loaded: LoadedMatch) -> Gains | None:
    """Return the consequences of the result of a match; None before it has a result."""
    if not loaded.match.revealed:
        return None
    return Gains(await services.awards.new(loaded), await services.ratings.changes(loaded))


def panel(
    loaded: LoadedMatch,
    theme: str,
    *,
    live: bool,
    forced: int = 0,
    gains: Gains | None = None,
    announced: Announcement | None = None,
    proposals: Sequence[Proposal] = (),
    suited: int | None = None,
    now: datetime | None = None,
    touch: bool = False,
    poll: Poll | None = None,
    secret: bool = False,
) -> ui.LayoutView:
    """Return the panel as a message; the file of the picture is to be attached to it.

    A `live` panel has the controls for a move; others have those that one member can use.
    `forced` is the number of last plies that were played automatically. `gains` are the consequences of the result.
    `announced` is the announcement of the owner. `proposals` are those of this position.
    `suited` is the member's score if the level of the computer player suits it. The panel says who is away
    at `now`, and if the match is paused then. With `touch` a live panel has the button that opens the Activity.
    `poll` is given in a vote game. With `secret`, a panel that is not live has the button that opens a secret move.
    """
    observation = loaded.observe(None)
    rows = _controls(loaded) if live or loaded.match.over else []
    if poll is not None and not poll.yours and not loaded.match.over:
        rows = [ui.ActionRow(MoreButton(loaded.id))] if live else []
    elif poll is not None and poll.duty is not None and live:
        rows = volunteer_rows(loaded, poll.duty, rows)
    asked = _questions_that_fit(rows, proposals) if live else proposals
    if live and _answers(proposals) and not _answers(asked):
        # Beside 25 cells, the first question takes the place of the hint.
        rows[-1] = ui.ActionRow(*(it for it in rows[-1].children if not isinstance(it, HintButton)))
        asked = _questions_that_fit(rows, proposals)
    if touch and live and (poll is None or poll.yours):
        rows = _with_touch(rows, loaded, _answers(asked))
    lines = [
        *introductions(loaded, suited),
        *_events(loaded, observation, forced, _how(loaded, rows)),
        *([] if poll is None else poll_lines(poll)),
        *([] if now is None else standstill_lines(loaded, now)),
        *_follower_lines(loaded),
        *([] if gains is None else [*rating_lines(loaded, gains.changes), *award_lines(gains.awards)]),
        *announcement_lines(announced),
        *(proposal_line(loaded, it) for it in asked),
    ]
    if len(asked) < len(proposals):
        lines.append("-# Another question follows when one of these is answered.")
    below = _answers(asked) if live else [secret_controls(loaded) if secret else more_row(loaded)]
    rows = without_surplus([*rows, *below], BESIDE_ROWS)
    return card(
        _heading(loaded),
        gallery(filename(loaded), render.alt(observation)),
        "\n".join(lines),
        *rows,
        accent=_accent(observation, theme),
    )


def _heading(loaded: LoadedMatch) -> str:
    """Return the title of a board, the players and the result of a first game."""
    title = with_emoji(loaded.match.game.key, _title(loaded))
    so_far = points_so_far(loaded)
    return "\n".join([f"### {title}", players(loaded), *([f"-# {so_far}"] if so_far else [])])


def choice_panel(
    loaded: LoadedMatch,
    text: str,
    rows: Rows,
    picture: discord.File,
    theme: str,
    *,
    introduced: bool = False,
    suited: int | None = None,
    touch: bool = False,
) -> ui.LayoutView:
    """Return the private board on which its member is entering a move that takes several presses.

    `text` is what the member is asked, and `picture`, which is to be attached, shows what they may choose. With
    `introduced` it also says how the game is won, until the member has moved. `suited` and `touch` are as in
    `panel`.
    """
    who = player_label(loaded, loaded.seat_of(loaded.stored.place.viewer or 0))
    above, below = [list(row) for row in rows], _always(loaded)
    if not loaded.secret:
        # The button that leads back joins the last row: with the largest part, another row is one component too many.
        back, shown = above[-1].pop(), loaded.shown
        always = [it for it in below if not isinstance(it, OpenButton)]
        below = [back, TypeButton(MatchTarget(loaded.id), shown), *always]
    entry = action_rows([row for row in above if row])
    more = ui.ActionRow(TouchButton(loaded.id), *below) if touch and len(below) < MOST_IN_ROW else None
    last = more if more is not None and fits([*entry, more], BESIDE_ROWS) else ui.ActionRow(*below)
    return card(
        _heading(loaded),
        gallery(picture.filename, picture.description or ""),
        "\n".join([*(introductions(loaded, suited) if introduced else []), f"**{who}, your turn.** {text}"]),
        *without_surplus([*entry, last], BESIDE_ROWS),
        accent=_accent(loaded.observe(None), theme),
    )


def secret_choice(loaded: LoadedMatch) -> Controls | None:
    """Return the controls for a secret move that a private board has; None if its member is not asked for one."""
    seat = loaded.seat_of(loaded.stored.place.viewer or 0)
    if not loaded.secret or seat is None or seat not in loaded.match.to_move:
        return None
    prompt = loaded.observe(seat).prompt
    return None if prompt is None else controls(prompt, MatchTarget(loaded.id), loaded, seat)


def still_asked(before: LoadedMatch, after: LoadedMatch) -> bool:
    """Return True if the member of a private board is asked for the same secret move after others have moved."""
    seat = after.seat_of(after.stored.place.viewer or 0)
    asked = after.observe(seat).prompt if after.secret else None
    return asked is not None and asked == before.observe(seat).prompt


BESIDE_ROWS, MOST_IN_ROW = 4, 5
"""Components of a board beside its rows, and the buttons in a row."""


def _answers(proposals: Sequence[Proposal]) -> list[ui.ActionRow[Any]]:
    """Return the buttons that answer those of these proposals that are open."""
    return [proposal_row(it) for it in proposals if it.answer is Answer.OPEN]


def _questions_that_fit(
    rows: Sequence[ui.ActionRow[Any]], proposals: Sequence[Proposal]
) -> Sequence[Proposal]:
    """Return the proposals without the newest open ones for whose buttons a board with these rows has no room."""
    shown = list(proposals)
    while not fits(without_surplus([*rows, *_answers(shown)], BESIDE_ROWS), BESIDE_ROWS) and _answers(shown):
        shown.remove(next(it for it in reversed(shown) if it.answer is Answer.OPEN))
    return shown


def shown_by(message: discord.Message) -> tuple[int, int] | None:
    """Return the match of a live board and the number of public plies that it shows; None for other messages."""
    if not message.flags.components_v2:
        return None
    for item in ui.LayoutView.from_message(message).walk_children():
        if found := _BUTTON.fullmatch(str(getattr(item, "custom_id", ""))):
            return int(found["match"]), int(found["plies"])
    return None


def _title(loaded: LoadedMatch) -> str:
    return " · ".join(
        filter(None, [loaded.name, which_game(loaded), "" if loaded.stored.rated else "casual"])
    )


def players(loaded: LoadedMatch) -> str:
    """Return the players by seat, for the heading of a board."""
    match = loaded.match
    named = [player_label(loaded, seat, introduced=True) for seat in range(match.setup.players)]
    if match.setup.players > 2:
        # A game of two players ends when a player leaves; a game of more players goes on.
        named = [name if seat in match.playing else f"{name} (has left)" for seat, name in enumerate(named)]
        return capital(joined(named))
    return capital(" against ".join(named))


def _events(loaded: LoadedMatch, observation: Observation, forced: int, how: str) -> list[str]:
    """Return a line for each of the last plies, then whose turn it is or the result, and the clocks.

    `how` follows what the player on turn is asked.
    """
    lines = []
    if loaded.taken_back and not loaded.taken_over:
        moment = f"move {observation.plies}" if observation.plies else "its start"
        lines.append(f"By agreement the game goes on from {moment}.")
    for ago in range(max(forced, last_answers(loaded)), -1, -1):
        then = loaded.back_to(loaded.plies - ago) if ago else loaded
        lines += map(capital, _last_ply(then, then.observe(None), forced=ago < forced))
    lines += _last_guess(loaded)
    if observation.winners is not None:
        lines += [f"**{it}**" for it in (result(loaded), outcome_of_both(loaded)) if it]
        lines += [sentence(_named(loaded, why))] if (why := reason(observation)) else []
        lines += _last_words(loaded, observation.winners)
    else:
        lines += _turns(loaded, observation, how)
    taken = [f"-# {sentence}" for sentence in takeovers(loaded)]
    return [*lines, *taken, *_hint_lines(loaded), *clock_lines(loaded)]


def _turns(loaded: LoadedMatch, observation: Observation, how: str) -> list[str]:
    """Return a line for each player on turn; where moves are secret, one for all of them but the computer players."""
    people = [seat for seat in observation.to_move if not _computer(loaded, seat)]
    if not people:
        names = " and ".join(player_label(loaded, seat) for seat in observation.to_move)
        return [f"**{names} {'is' if len(observation.to_move) == 1 else 'are'} thinking.**"]
    if loaded.secret:
        names = " and ".join(player_label(loaded, seat) for seat in people)
        if loaded.team is not None:
            return [f"**{capital(names)}, your turn.** {_ask(loaded, people[0])}"]
        return [
            f"**{names}, your turn.** {_ask(loaded, people[0])}",
            f"Press **{_open_label(loaded)}**: only you see what opens.",
        ]
    return [
        f"**{capital(player_label(loaded, seat))}, your turn.** {_ask(loaded, seat)} {how}".rstrip()
        for seat in people
    ]


def _last_words(loaded: LoadedMatch, winners: Sequence[Seat]) -> list[str]:
    """Return the sentence of the first computer player at the end of a game that has a result."""
    seat = next((it for it, user in enumerate(loaded.stored.users) if is_computer(user)), None)
    if seat is None or not winners or loaded.voided:
        return []
    found = persona(level_of(loaded.stored.users[seat]) or LEVELS[0])
    sentences = found.lost if seat not in winners else found.won if len(winners) == 1 else found.drew
    return [f"{found.sign} *{sentences[(loaded.id + loaded.plies) % len(sentences)]}*"]


def _computer(loaded: LoadedMatch, seat: Seat | None) -> bool:
    return seat is not None and is_computer(loaded.stored.users[seat])


def _last_ply(loaded: LoadedMatch, observation: Observation, *, forced: bool) -> list[str]:
    """Return a line about the last ply of an observation; `forced` if it was played automatically."""
    last = observation.last
    if last is None:
        return []
    if observation.agreed and ran_out_together(loaded):
        return ["Time ran out for everybody at the same moment."]
    if last.seat is None:
        return [f"{_caption(loaded, observation)}."]
    player = player_label(loaded, last.seat)
    if loaded.plies - 1 in loaded.stored.conditional:
        return [f"{player} answered with a conditional move: {_caption(loaded, observation)}."]
    if forced:
        return [
            f"{player} had only one legal move, which was played automatically: {_caption(loaded, observation)}."
        ]
    index = _last_public(loaded.match)
    if index in loaded.match.secrets:
        has = "has" if loaded.stored.users[last.seat] not in TEAMS else "have"
        # At the end of a game the text of such a move is known, but the picture is clearer.
        if index not in loaded.match.sealed:
            return [f"{player} {has} finished searching."]
        opened = loaded.match.opened
        if opened:
            return [f"{_caption(loaded, observation)}."]
        laid = isinstance(loaded.back_to(index).observe(last.seat).prompt, RowPrompt)
        return [f"{player} {has} {'laid their cards face down' if laid else 'sealed a move'}."]
    return [f"{player} {_deed(loaded, observation)}"]


def _last_guess(loaded: LoadedMatch) -> list[str]:
    """Return a line for the member of a private board whose last guess was wrong and ended their search."""
    seat = loaded.seat_of(loaded.stored.place.viewer or 0)
    own = [index for index, ply in enumerate(loaded.match.log) if seat is not None and ply.seat == seat]
    if not own or own[-1] not in loaded.match.secrets:
        return []
    before, after = (loaded.back_to(own[-1] + ended).observe(seat).prompt for ended in (0, 1))
    if not isinstance(before, WordsPrompt) or before.left != 1 or after is not None:
        return []
    name = loaded.match.log[own[-1]].text.split()[-1]
    return [] if name == before.stop else [end_of_search(name)]


def _last_public(match: Match) -> int:
    """Return the index of the last public ply."""
    unseen = () if match.revealed else match.unseen
    return next(index for index in reversed(range(len(match.log))) if index not in unseen)


def _ask(loaded: LoadedMatch, seat: Seat | None) -> str:
    prompt = loaded.observe(seat).prompt
    return prompt.ask if prompt else ""


def _how(loaded: LoadedMatch, rows: Sequence[ui.ActionRow[Any]]) -> str:
    """Return what the frames or colours of a public board with these rows of controls mean; "" if there are none."""
    seat = next((it for it in loaded.match.to_move if it is not None and not _computer(loaded, it)), None)
    prompt = None if seat is None or loaded.secret else loaded.observe(seat).prompt
    return "" if prompt is None else how_to_choose(prompt, (row.children for row in rows))


def _caption(loaded: LoadedMatch, observation: Observation) -> str:
    return _named(loaded, render.caption(observation))


def _named(loaded: LoadedMatch, text: str) -> str:
    """Return a text about a match with its players instead of their seats."""
    return with_names(text, {seat: player_label(loaded, seat) for seat in range(loaded.match.setup.players)})


def _deed(loaded: LoadedMatch, observation: Observation) -> str:
    assert observation.last is not None
    match observation.last.text:
        case "resign":
            return "resigned."
        case "timeout":
            return "ran out of time."
        case _:
            return f"{_named(loaded, render.deed(observation))}."


def _controls(loaded: LoadedMatch) -> list[ui.ActionRow[Any]]:
    if loaded.match.over:
        rematch = [RematchButton(loaded.id)] if can_be_played_again(loaded) else []
        review = [ReviewButton(loaded.id)] if reviewable(loaded.match) else []
        proof = [ProofButton(loaded.id)] if seals(loaded) else []
        return [ui.ActionRow[Any](*rematch, *review, WatchButton(loaded.id), *proof)]
    people = [seat for seat in loaded.match.to_move if not _computer(loaded, seat)]
    if loaded.match.to_move and not people:
        return [ui.ActionRow(MoreButton(loaded.id))]
    if loaded.secret:
        return [secret_controls(loaded)]
    seat = next(iter(people), None)
    prompt = None if seat is None else loaded.observe(seat).prompt
    return [] if prompt is None or seat is None else board_rows(prompt, loaded, seat)


def _accent(observation: Observation, theme: str) -> discord.Colour | None:
    """Return the colour of the only seat that is on turn or has won, or None if there are several."""
    seats = observation.to_move if observation.winners is None else observation.winners
    seat = seats[0] if len(seats) == 1 else None
    return None if seat is None else discord.Colour.from_rgb(*THEMES[theme].rgb(SEATS[seat]))


def clock_lines(loaded: LoadedMatch) -> list[str]:
    """Return a line with the clocks, if there are any. Discord counts down to the next deadline."""
    time_control, clocks = loaded.stored.time_control, loaded.stored.clocks
    if time_control is None or loaded.match.over:
        return []
    seats = [
        f"{seat_token(seat)} {_clock(clock)}"
        for seat, clock in enumerate(clocks)
        if clock is not None and (clock.deadline is not None or not time_control.per_move)
    ]
    return [f"-# {' · '.join([spell_time_control(time_control), *seats])}"] if seats else []


def standstill_lines(loaded: LoadedMatch, now: datetime) -> list[str]:
    """Return the line of a pause, and one for each player who is away, if the match goes on and others see it."""
    lines: list[str] = []
    if loaded.match.over or loaded.stored.private:
        return lines
    paused_until = loaded.stored.paused_until
    if paused_until is not None and is_paused(loaded, now):
        when = discord.utils.format_dt(paused_until, "f")
        lines.append(f"-# Paused until {when}: no clock runs. Any player can end the pause behind **More**.")
    for seat in loaded.match.playing:
        until = loaded.stored.absent_until(seat)
        if until is not None and until > now:
            time_control = loaded.stored.time_control
            stops = ", and their clock stands still" if time_control and time_control.lasting else ""
            when = discord.utils.format_dt(until, "f")
            lines.append(f"-# {capital(player_label(loaded, seat))} is away until {when}{stops}.")
    return lines


def ran_out_together(loaded: LoadedMatch) -> bool:
    """Return True if the match ended because the time of all remaining players ran out at the same moment."""
    clocks = loaded.stored.clocks
    return loaded.match.agreed and bool(clocks) and all(clock is None or not clock.left for clock in clocks)


def _clock(clock: SeatClock) -> str:
    if clock.deadline is not None:
        return f"time ends {discord.utils.format_dt(clock.deadline, 'R')}"
    return f"{_count(clock.left)} left"


def _count(span: timedelta) -> str:
    """Return a span like `9:58`, `1:00:00` or `3 days 2:00:00`, rounded down to whole seconds."""
    days, seconds = span.days, span.seconds
    hours, minutes = seconds // 3600, seconds // 60 % 60
    clock = f"{hours}:{minutes:02}:{seconds % 60:02}" if days or hours else f"{minutes}:{seconds % 60:02}"
    return f"{days} day{'s' if days > 1 else ''} {clock}" if days else clock


def _hint_lines(loaded: LoadedMatch) -> list[str]:
    """Return a line for each player who took a hint in this game."""
    return [f"-# {capital(player_label(loaded, seat))} took a hint." for seat in sorted(loaded.stored.hinted)]


def _follower_lines(loaded: LoadedMatch) -> list[str]:
    """Return the line that says how many members follow a match; an empty list if nobody does."""
    number = loaded.stored.context.followers
    if loaded.match.over or loaded.stored.private or not number:
        return []
    return ["-# 1 member follows this game." if number == 1 else f"-# {number} members follow this game."]


def introduces(loaded: LoadedMatch) -> bool:
    """Return True until a member has moved: as long as the board has its `introductions`."""
    users = loaded.stored.users
    return all(seat is None or is_computer(users[seat]) for seat, _ in loaded.since(0))


def introductions(loaded: LoadedMatch, suited: int | None = None) -> list[str]:
    """Return how the game is won, and the computer players, until a member has moved.

    A private game has one computer player, whose line also tells the size, and if the game is rated. `suited` is the
    member's score if the level of the computer player suits it.
    """
    if not introduces(loaded):
        return []
    computers = [user for user in loaded.stored.users if is_computer(user)]
    lesson = lesson_of(loaded.match.game.key)
    lines = [] if lesson is None else [f"*{lesson.how}*"]
    terms = [] if suited is None else [f"suits your rating of {suited}"]
    if loaded.stored.private:
        game, options = loaded.match.game, dict(loaded.match.setup.options)
        terms.append(size_name(game, options) or spell(game, options))
        terms.append("rated" if loaded.stored.rated else "not rated")
    for user in computers:
        found = persona(level_of(user) or LEVELS[0])
        who = f"{found.sign} **{persona_name(user)}**, level {found.level} of {len(levels_of(loaded.match.game))}"
        lines.append(" · ".join([who, *terms]))
    return lines


def last_answers(loaded: LoadedMatch) -> int:
    """Return the number of last moves by computer players that are listed with the member's move before them."""
    if loaded.match.secrets:
        return 0
    count = 0
    for entry in reversed(loaded.stored.log[-MOST_TOLD:]):
        if entry.seat is None or back(entry) is not None or entry.text in LEAVING:
            break
        if not is_computer(loaded.stored.users[entry.seat]):
            return count
        count += 1
    return max(0, count - 1)
