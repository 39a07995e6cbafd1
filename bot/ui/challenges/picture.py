"""The picture on an open challenge: its game in play, or all the games from which the opponent may choose."""

import asyncio
import io
from collections.abc import Collection
from dataclasses import dataclass

import discord

from db.values.challenges import Challenge
from render.games import HOSTED_GAMES
from render.lessons import LessonPicture, in_play, several_in_play
from rules.lessons import lesson_of


@dataclass(frozen=True, slots=True)
class ChallengePicture:
    """A picture under the name that its file has on Discord."""

    name: str
    picture: LessonPicture

    @property
    def alt(self) -> str:
        return self.picture.alt

    @property
    def file(self) -> discord.File:
        return discord.File(io.BytesIO(self.picture.png), filename=self.name, description=self.alt)


def to_choose_from(withheld: Collection[str]) -> list[str]:
    """Return the keys of the games from which an opponent may choose."""
    return [it.key for it in HOSTED_GAMES if it.key not in withheld]


async def picture_of(challenge: Challenge, theme: str, withheld: Collection[str]) -> ChallengePicture | None:
    """Return the picture, or None for a rematch, whose players know the game, and for a game without a lesson."""
    game = challenge.terms.game
    if challenge.terms.any_game:
        games = tuple(to_choose_from(withheld))
        return ChallengePicture("games.png", await asyncio.to_thread(several_in_play, games, theme))
    if challenge.rematch_of is None and lesson_of(game) is not None:
        return ChallengePicture(f"{game}.png", await asyncio.to_thread(in_play, game, theme))
    return None
