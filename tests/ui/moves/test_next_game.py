"""The line after a move about the other games that wait for the player, and whom it is not for."""

from dataclasses import replace
from datetime import timedelta
from types import SimpleNamespace
from typing import Any, cast

import discord
import pytest

from bot.app.matches.listed import Listed
from bot.app.matches.loaded import LoadedMatch
from bot.ui.interactions.reply import Context
from bot.ui.moves.play import NEXT_GAME, next_game
from bot.ui.posts.answers import PrivateAnswers, RunningAnswers
from db.values.clocks import TimeControl
from db.values.matches import MatchContext, Turns
from db.values.members import Member, computer_player
from db.values.servers import ServerSettings
from rules.core.match import Match
from rules.games import BY_KEY
from tests.ui.test_messages import NOW, listed, loaded

PLAYER, OTHER = 102, 103
LIVE = TimeControl(timedelta(minutes=10), timedelta(seconds=5))
SLOW = TimeControl(timedelta(days=3))


def waiting(number: int, hours: int) -> Listed:
    """A game that has waited for the player for so many hours."""
    shown = listed(loaded(Match.start(BY_KEY["skull"], {}, 2), number))
    turns = Turns((NOW - timedelta(hours=hours), None))
    return replace(shown, stored=replace(shown.stored, users=(PLAYER, OTHER)), turns=turns)


async def line(
    mine: list[Listed], member: Member, other: int = OTHER, told: Any = None, **options: Any
) -> str | None:
    """The line for a player who has just moved in the match 7, who also plays `mine` and was last sent `told`."""
    shown = loaded(Match.start(BY_KEY["xlines"], {}, 2).play(0, "a8"), 7, **options)
    context = MatchContext((member, Member(other)), ServerSettings(1), False, {PLAYER: (1,)})
    moved = replace(shown, stored=replace(shown.stored, users=(PLAYER, other), context=context))

    async def waiting_elsewhere(match: LoadedMatch, user: int) -> list[Listed]:
        assert (match, user) == (moved, PLAYER)
        return mine

    services = SimpleNamespace(
        matches=SimpleNamespace(waiting_elsewhere=waiting_elsewhere),
        conditional_moves=SimpleNamespace(tell_dropped=lambda match, user: False),
    )
    interaction = SimpleNamespace(message=None, id=2)
    answers = PrivateAnswers()
    if told is not None:
        answers.note(PLAYER, NEXT_GAME, 1, cast(discord.WebhookMessage, told))
    asked = SimpleNamespace(
        user=PLAYER,
        place=shown.stored.place,
        services=services,
        interaction=interaction,
        ui_services=SimpleNamespace(private_answers=answers, running_answers=RunningAnswers()),
    )
    content = await next_game(cast(Context, asked), moved)
    return None if content is None else content.text


async def test_the_longest_waiting_game_is_linked() -> None:
    text = await line([waiting(11, 2), waiting(12, 5)], Member(PLAYER))
    assert text is not None
    assert "Next: [Amazon Skull #12](https://discord.com/channels/" in text
    assert text.endswith("2 games wait for you; `/games` lists them.")


@pytest.mark.parametrize("clock", [None, SLOW])
async def test_one_game_is_not_counted(clock: TimeControl | None) -> None:
    text = await line([waiting(11, 2)], Member(PLAYER), time_control=clock)
    assert text is not None
    assert "wait for you" not in text


async def test_who_plays_on_or_chose_so_is_told_nothing() -> None:
    mine = [waiting(11, 2)]
    assert await line(mine, Member(PLAYER, next_game=False)) is None
    assert await line(mine, Member(PLAYER), time_control=LIVE) is None
    assert await line(mine, Member(PLAYER), computer_player(1)) is None
    assert await line([], Member(PLAYER)) is None


async def test_the_same_line_is_not_sent_again_where_it_is_still_shown() -> None:
    mine, member = [waiting(11, 2)], Member(PLAYER)
    text = await line(mine, member)
    channel, now = loaded(Match.start(BY_KEY["xlines"], {}, 2)).stored.place.channel, discord.utils.utcnow()

    def told(text: str | None, where: int, minutes: int) -> SimpleNamespace:
        created_at = now - timedelta(minutes=minutes)
        return SimpleNamespace(content=text, channel=SimpleNamespace(id=where), created_at=created_at)

    assert await line(mine, member, told=told(text, channel, 5)) is None
    for other in (told("", channel, 5), told(text, channel + 1, 5), told(text, channel, 20)):
        assert await line(mine, member, told=other) == text
