"""Achievements as pictures: an icon each, in groups, legible, without overlaps, and described in words."""

from functools import partial
from itertools import combinations

import pytest
from PIL import ImageChops

from bot.app.achievements import ALL, OF_GAME
from bot.ui.standings.profile import GROUPS
from render.board.text import ALT_LIMIT
from render.charts.achievements import (
    AchievementBadge,
    AchievementGroup,
    achievements_alt,
    achievements_scene,
    draw_achievements,
)
from render.engine.raster import paint
from render.engine.scene import Scene
from render.engine.theme import THEMES
from render.marks import ICONS, badge
from tests.render.board.test_every_picture import texts_can_be_read
from tests.render.test_picture import check_chart


def groups(*, won: bool, progress: tuple[int, int] | None = None) -> tuple[AchievementGroup, ...]:
    def each(key: str, title: str, riddle: str) -> AchievementBadge:
        return AchievementBadge(key, title) if won else AchievementBadge(key, "", progress, riddle)

    return tuple(
        AchievementGroup(title, tuple(each(it.key, it.title, it.riddle) for it in group))
        for title, group in GROUPS
    )


EVERY = (groups(won=True), groups(won=False), groups(won=False, progress=(7, 10)))


@pytest.mark.parametrize("shown", EVERY, ids=["won", "open", "progress"])
def test_every_text_is_legible_and_stands_alone(shown: tuple[AchievementGroup, ...]) -> None:
    scene = achievements_scene(shown)
    texts_can_be_read(scene)
    state = "won" if shown is EVERY[0] else "open"
    assert set(scene.named()) == {f"{state} {achievement.key}" for achievement in ALL}


@pytest.mark.parametrize("theme", THEMES)
def test_the_picture_is_small_and_keeps_to_its_palette(theme: str) -> None:
    check_chart(partial(draw_achievements, EVERY[0], theme), theme)


@pytest.mark.parametrize("game", OF_GAME)
def test_a_game_with_icons_has_one_for_each_achievement(game: str) -> None:
    assert len({achievement.key in ICONS for achievement in OF_GAME[game]}) == 1


def test_every_icon_is_that_of_an_achievement() -> None:
    assert set(ICONS) <= {achievement.key for achievement in ALL}


@pytest.mark.parametrize("won", [True, False], ids=["won", "open"])
@pytest.mark.parametrize("theme", THEMES)
def test_no_two_icons_look_alike(theme: str, *, won: bool) -> None:
    drawn = {
        key: paint(Scene(84, 84, (badge(key, (42, 42), 42, won=won),)), theme).convert("L") for key in ICONS
    }
    for (one, a), (other, b) in combinations(drawn.items(), 2):
        different = sum(ImageChops.difference(a, b).point(lambda value: value > 40).histogram()[1:])
        assert different > 84 * 84 * 0.06, (one, other)


def test_the_words_tell_what_the_picture_shows() -> None:
    shown = (
        AchievementGroup(
            "Alaric", (AchievementBadge("alaric.sack", "The Sack of Rome"), AchievementBadge("alaric.x"))
        ),
        AchievementGroup("Any game", (AchievementBadge("crowd", progress=(2, 3)),)),
    )
    assert achievements_alt(shown, ALT_LIMIT) == (
        "Achievements, 1 of 3 earned. Alaric, 1 of 2: The Sack of Rome. Any game, 0 of 1 (2 of 3)."
    )
    assert achievements_alt(shown, 70) == "Achievements, 1 of 3 earned. Alaric, 1 of 2: The Sack of Rome."
    assert all(len(achievements_alt(shown, 256)) <= 256 for shown in EVERY)
