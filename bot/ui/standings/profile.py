"""`/profile`: the results of a member, their achievements, or the results of two members against each other."""

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Any

import discord
from discord import app_commands, ui
from discord.utils import format_dt

import render
from bot.app.achievements import ALL as EVERY_ACHIEVEMENT
from bot.app.achievements import OF_GAME, general
from bot.app.achievements.achievement import Achievement, Progress
from bot.app.awards import Won
from bot.app.errors import Refused
from bot.app.lessons import taught
from bot.app.matches.loaded import name_of
from bot.app.mentions import capital, mention, named
from bot.app.standings import MemberProfile, tally
from bot.ui import autocomplete
from bot.ui.components.message_parts import (
    ALL,
    Part,
    card,
    chart_file,
    gallery,
    game_options,
    seat_token,
    with_emoji,
)
from bot.ui.components.wording import COLON, score
from bot.ui.computers import COMPUTER_CHOICES
from bot.ui.events.titles import titles_line
from bot.ui.events.wording import placing
from bot.ui.history import NOTHING, HistoryButton, watch_select
from bot.ui.interactions.buttons import GameOrAll, IdButton, IdSelect
from bot.ui.interactions.checks import check_members
from bot.ui.interactions.reply import Content, Context, Interaction, Response, change, respond
from bot.ui.interactions.show import ShowButton, show_rows
from bot.ui.puzzles.wording import record_line
from bot.ui.replay import show_replay
from bot.ui.standings.leaderboard import EVERYWHERE, HERE, RECOMPUTING, Where
from db.values.matches import Earned, Search
from db.values.members import is_computer
from db.values.places import DiscordId, Place
from db.values.standings import Counts, Duels
from render.board.phrases import counted
from render.charts.achievements import (
    AchievementBadge,
    AchievementGroup,
    achievements_alt,
    draw_achievements,
)
from render.charts.career import (
    CareerChart,
    Streak,
    Tally,
    VersusChart,
    career_alt,
    draw_career,
    draw_versus,
    versus_alt,
)
from rules.games import find

ACHIEVEMENTS_PICTURE = "achievements.png"


def award_lines(won: Sequence[Won]) -> list[str]:
    """Return a line for each achievement that a game has earned its players."""
    return [
        f"{mention(award.proof.user)} earned **{award.achievement.title}**: “{award.achievement.deed}”"
        for award in won
    ]


def award_sentences(won: Sequence[Won]) -> list[str]:
    """Return a short sentence for each achievement that a game has earned its players."""
    return [f"{mention(award.proof.user)} earned **{award.achievement.title}**." for award in won]


def achievements_line(won: Sequence[Won]) -> list[str]:
    """Return one line that names a member's achievements, or none if they have none."""
    return [f"Achievements: {', '.join(award.achievement.title for award in won)}"] if won else []


async def show_achievements(context: Context, member: DiscordId) -> Content:
    """Show the achievements of `member`; to the members themselves with hints at the others, and with progress."""
    own, awards = member == context.user, context.services.awards
    won = await awards.of(member)
    progress = await awards.progress(member, context.place) if own else {}
    show = await show_rows(context, ShowAchievementsButton(member)) if won else []
    view = achievements_message(member, won, context.place, riddles=own, progress=progress, show=show)
    return Content("", view, files=await _picture(won, progress, await context.theme(), riddles=own))


def achievements_message(
    member: DiscordId,
    won: Sequence[Won],
    here: Place,
    *,
    riddles: bool,
    progress: Mapping[str, Progress] = MappingProxyType({}),
    show: Sequence[ui.ActionRow[Any]] = (),
) -> ui.LayoutView:
    """Return a list of a member's achievements, with a menu to watch the games; its picture is attached beside it.

    `riddles` adds hints at the other achievements, with the progress in the member's last games.
    """
    earned = {award.achievement: award for award in won}
    parts: list[Part] = [
        f"### Achievements of {mention(member)}\n-# {len(won)} of {len(EVERY_ACHIEVEMENT)} earned",
        gallery(ACHIEVEMENTS_PICTURE, achievements_alt(_groups(won, progress))),
    ]
    for title, group in GROUPS:
        lines = [_line(earned[it], here) for it in group if it in earned]
        if lines:
            parts.append("\n".join([f"**{title}** · {len(lines)} of {len(group)}", *lines]))
    if proofs := [_proof_option(award) for award in won if award.proof.place.near(here)]:
        parts.append(ui.ActionRow(ProofSelect(options=proofs)))
    left = [achievement for achievement in EVERY_ACHIEVEMENT if achievement not in earned]
    if riddles and left:
        hints = [f"- *{it.riddle}*{_came(progress.get(it.key))}" for it in left]
        parts.append("\n".join(["**Still to be earned**, as riddles", *hints]))
    return card(*parts, *show)


def _proof_option(won: Won) -> discord.SelectOption:
    # One game may prove several, and values must differ.
    value = f"{won.proof.match}:{won.achievement.key}"
    return discord.SelectOption(label=won.achievement.title, value=value, description=_name(won.proof))


GROUPS: tuple[tuple[str, tuple[Achievement, ...]], ...] = (
    *((find(game).sheet.title, achievements) for game, achievements in OF_GAME.items()),
    ("Any game", general.ACHIEVEMENTS),
)
"""The achievements in groups, each with its title, in the order in which they are listed."""


def _groups(
    won: Sequence[Won], progress: Mapping[str, Progress], *, riddles: bool = False
) -> tuple[AchievementGroup, ...]:
    earned = {award.achievement for award in won}

    def badge(achievement: Achievement) -> AchievementBadge:
        if achievement in earned:
            return AchievementBadge(achievement.key, achievement.title)
        step = progress.get(achievement.key)
        came = None if step is None else (step.have, step.need)
        return AchievementBadge(achievement.key, progress=came, riddle=achievement.riddle if riddles else "")

    return tuple(AchievementGroup(title, tuple(badge(it) for it in group)) for title, group in GROUPS)


async def _picture(
    won: Sequence[Won], progress: Mapping[str, Progress], theme: str, *, riddles: bool
) -> list[discord.File]:
    groups = _groups(won, progress, riddles=riddles)
    return [
        await chart_file(ACHIEVEMENTS_PICTURE, achievements_alt(groups), draw_achievements, groups, theme)
    ]


def _came(step: Progress | None) -> str:
    return f" · {step.have} of {step.need}" if step is not None else ""


def _line(won: Won, here: Place) -> str:
    where = _name(won.proof) if won.proof.place.near(here) else "elsewhere"
    return f"- **{won.achievement.title}** · {won.achievement.deed} · {where}, {format_dt(won.proof.at, 'd')}"


def _name(proof: Earned) -> str:
    return name_of(proof.game, proof.match)


class AchievementsButton(IdButton, word="awards", label="Achievements"):
    """Shows a member's achievements to the member who presses it."""

    member: DiscordId

    async def answer(self, context: Context) -> Content:
        await check_members(context, (self.member,))
        return await show_achievements(context, self.member)


class ShowAchievementsButton(ShowButton, word="show-awards"):
    """Shows a member's achievements to the channel, without hints at the others."""

    member: DiscordId

    def about(self) -> tuple[DiscordId, ...]:
        return (self.member,)

    async def public(self, context: Context, theme: str) -> Content:
        won = await context.services.awards.of(self.member)
        view = achievements_message(self.member, won, context.place, riddles=False)
        return Content("", view, files=await _picture(won, {}, theme, riddles=False))


class ProofSelect(IdSelect, word="achievements:watch", placeholder="Watch the proof"):
    """Shows the game that earned the chosen achievement."""

    async def answer(self, context: Context) -> Response:
        return await show_replay(context, int(self.item.values[0].partition(":")[0]))


LAST_EVENTS = 3
"""The most cups and leagues that a profile names."""
PICTURE, VERSUS_PICTURE = "profile.png", "against.png"


async def show_versus(context: Context, one: DiscordId, other: DiscordId) -> Content:
    """Show the results of two members, or of a member and a computer player, against each other."""
    parts, files = await _versus(context, one, other, await context.theme())
    games: ui.ActionRow[Any] = ui.ActionRow(HistoryButton(NOTHING, one, other, NOTHING))
    show = await show_rows(context, ShowVersusButton(one, other))
    return Content("", card(*parts, games, *show), files=files)


async def _versus(
    context: Context, one: DiscordId, other: DiscordId, theme: str
) -> tuple[list[Part], list[discord.File]]:
    """Return the results of two players against each other without controls, and their picture if there are any."""
    duels = await context.services.profiles.versus(one, other, context.place.guild)
    head, text = versus_text(one, other, duels)
    if duels.last is None:
        return [f"{head}\n{text}"], []
    known = await context.ui_services.member_names.of(context.place.guild, [one, other])
    first, second = (render.short_name(known.get(it, ())) for it in (one, other))
    chart = VersusChart(
        (first, second),
        Tally("all games", *tally(duels)),
        tuple(Tally(find(game).sheet.title, *counts, game) for game, counts in duels.games),
    )
    alt = versus_alt(chart)
    picture = await chart_file(VERSUS_PICTURE, alt, draw_versus, chart, theme)
    if not (first and second):
        # The picture names at most one of the two.
        marks = (f"{mention(user)} {seat_token(seat)}" for seat, user in enumerate((one, other)))
        text = f"{' · '.join(marks)}\n{text}"
    return [head, gallery(VERSUS_PICTURE, alt), text], [picture]


def versus_text(one: DiscordId, other: DiscordId, duels: Duels) -> tuple[str, str]:
    """Return the heading of the results of `one` against `other`, and the text below the picture."""
    first, second = (named(user, computer=user in duels.computers) for user in (one, other))
    head = f"### {first} against {second}"
    if duels.last is None:
        return head, "They have not finished a rated game together yet."
    total = tally(duels)
    standing = f"**{capital(_standing(first, second, total))}** in {counted(sum(total), 'rated game')}."
    last = f"The last one ended {discord.utils.format_dt(duels.last, 'R')}."
    how = "-# In a game of more than two players, finishing ahead of the other counts as a win."
    return head, f"{standing}\n{last}\n{how}"


def _standing(first: str, second: str, counts: Counts) -> str:
    """Return the results of two players, the leader first: `Grace leads Ada 3 : 2, 1 drawn`."""
    ahead, level, behind = counts
    drawn = f", {level} drawn" if level else ""
    if not (ahead or behind):
        return f"no wins yet{drawn}"
    if ahead == behind:
        return f"level at {ahead}{COLON}{behind}{drawn}"
    if ahead < behind:
        first, second, ahead, behind = second, first, behind, ahead
    return f"{first} leads {second} {ahead}{COLON}{behind}{drawn}"


async def show_profile(context: Context, user: DiscordId, game: str | None, where: str) -> Content:
    guild = context.place.guild
    parts, files = await _contents(context, user, game, where, await context.theme())
    if user == context.user and not files:
        # Games that only the member sees count here, so nobody else is shown the line.
        parts += _casual_lines(await context.services.store.profiles.casual(user, game))
    parts.append(ui.ActionRow(ProfileGameSelect(user, where, options=game_options(game))))
    if guild is not None:
        other_scope = EVERYWHERE if where == HERE else HERE
        parts.append(ui.ActionRow(ProfileScopeButton(user, game or ALL, other_scope)))
        parts += await _watch_rows(context, user, game)
    pages: ui.ActionRow[Any] = ui.ActionRow(HistoryButton(game or NOTHING, user, 0, NOTHING))
    if not is_computer(user):
        pages.add_item(AchievementsButton(user))
    if user != context.user:
        pages.add_item(VersusButton(user))
    parts.append(pages)
    parts += await show_rows(context, ShowProfileButton(user, game or ALL, where))
    return Content("", card(*parts), files=files)


def _casual_lines(casual: Mapping[bool, Counts]) -> list[Part]:
    """Return the results of casual games against the computer and others; empty if there are none."""
    lines = [
        f"{against}: {won} won, {drawn} drawn, {lost} lost"
        for program, against in ((True, "Against the computer"), (False, "Casual games with others"))
        for won, drawn, lost in [casual.get(program, (0, 0, 0))]
        if won or drawn or lost
    ]
    return ["\n".join(lines)] if lines else []


async def _contents(
    context: Context, user: DiscordId, game: str | None, where: str, theme: str
) -> tuple[list[Part], list[discord.File]]:
    """Return a profile without its controls, and its picture."""
    profile = await context.services.profiles.profile(
        user, game, context.place.guild if where == HERE else None
    )
    won = [award for award in await context.services.awards.of(user) if game in (None, award.proof.game)]
    parts: list[Part] = [_head(profile)]
    files: list[discord.File] = []
    if profile.rating is not None:
        names = await context.ui_services.member_names.of(context.place.guild, [user])
        chart = profile_chart(
            profile, render.short_name(names.get(user, ())), [it.achievement.key for it in won]
        )
        files = [await chart_file(PICTURE, career_alt(chart), draw_career, chart, theme)]
        parts.append(gallery(PICTURE, career_alt(chart)))
    beside = [] if game is not None else await _beside_games(context, user)
    guild = context.place.guild
    events = [] if guild is None or game is not None else await _events(context, user, guild)
    parts.append("\n".join([profile_lines(profile), *events, *achievements_line(won), *beside]))
    return parts, files


async def _events(context: Context, user: DiscordId, guild: DiscordId) -> list[str]:
    """Return lines about the titles of a member in a server, and about the last events that they played."""
    store = context.services.store
    played = await store.events.finished_of(user, guild, LAST_EVENTS)
    places = [f"-# Last events: {' · '.join(placing(it, user) for it in played)}"] if played else []
    return [*titles_line(await store.titles.of(user, guild)), *places]


async def _watch_rows(context: Context, user: DiscordId, game: str | None) -> list[Part]:
    """Return the menu of a member's last games here; none if there are none."""
    matches = (await context.services.history.page(Search(context.place.guild, game, user))).matches
    return [ui.ActionRow(watch_select(matches))] if matches else []


def _head(profile: MemberProfile) -> str:
    title = with_emoji(profile.game, _title(profile)) if profile.game else _title(profile)
    about = [title, _scope(profile)]
    if profile.rating is not None:
        about.append(f"rating {score(profile.rating.held.skill)}")
    if profile.rank:
        about.append(f"rank {profile.rank:,} of {profile.members:,}")
    return f"### {named(profile.user, computer=profile.computer)}\n-# {' · '.join(about)}"


def _title(profile: MemberProfile) -> str:
    return find(profile.game).sheet.title if profile.game else "All games"


def _scope(profile: MemberProfile) -> str:
    return "global" if profile.guild is None else "this server"


def profile_lines(profile: MemberProfile) -> str:
    """Return the text below the picture of a profile."""
    if profile.rating is None:
        return "No rated game yet. Rated games count here, such as a `/challenge` with a clock."
    lines = []
    if profile.game is None and profile.favourite:
        lines.append(f"Favourite game: **{find(profile.favourite).sheet.title}**")
    lines += [f"{tribute}: {count}" for tribute, count in profile.tributes]
    games = counted(profile.rating.games, "rated game")
    few = profile.rating.held.skill.provisional
    lines.append(
        f'-# "?": only {games}, so the rating can still change a lot.' if few else f"-# {games} in all."
    )
    if profile.recomputing:
        lines.append(RECOMPUTING)
    return "\n".join(lines)


async def _beside_games(context: Context, user: DiscordId) -> list[str]:
    """Return lines about the puzzles and lessons that a member has done; none for a member without any."""
    puzzles = record_line(await context.services.puzzles.record(user))
    done = await context.services.lessons.done(user)
    lessons = f"-# {done} of {len(taught())} lessons completed." if done else ""
    return [line for line in (puzzles, lessons) if line]


def profile_chart(profile: MemberProfile, name: str = "", badges: Sequence[str] = ()) -> CareerChart:
    """Return the contents of the picture: the records by game, or by seat for one game.

    `name` is the name of the member in pictures, and `badges` are the keys of the achievements that they earned.
    """
    by_game = tuple(
        Tally(find(key).sheet.title, won, drawn, lost, key) for key, (won, drawn, lost) in profile.records
    )
    by_seat = tuple(Tally(seat, *counts) for seat, counts in profile.seats)
    return CareerChart(
        title=_title(profile),
        about=_scope(profile),
        scores=profile.scores,
        sure=profile.rating is not None and not profile.rating.held.skill.provisional,
        tallies=(*by_game, *by_seat),
        wins=Streak(profile.runs.won, profile.runs.most_won),
        unbeaten=Streak(profile.runs.unbeaten, profile.runs.most_unbeaten),
        computer=profile.computer,
        name=name,
        badges=tuple(badges),
    )


class ProfileGameSelect(IdSelect, word="career"):
    """Shows a member's profile in another game."""

    user: DiscordId
    where: Where

    async def answer(self, context: Context) -> None:
        game = self.item.values[0]
        await _show(context, self.user, None if game == ALL else game, self.where)


class ProfileScopeButton(IdButton, word="career-in", label={HERE: "This server", EVERYWHERE: "Global"}):
    """Shows a member's profile in this server, or globally."""

    user: DiscordId
    game: GameOrAll
    where: str

    async def answer(self, context: Context) -> None:
        await _show(context, self.user, None if self.game == ALL else self.game, self.where)


class ShowProfileButton(ShowButton, word="show-career"):
    """Shows a profile to the channel."""

    user: DiscordId
    game: GameOrAll
    where: Where

    def about(self) -> tuple[DiscordId, ...]:
        return (self.user,)

    async def public(self, context: Context, theme: str) -> Content:
        game = None if self.game == ALL else self.game
        parts, files = await _contents(context, self.user, game, self.where, theme)
        if context.place.guild is not None:
            parts += await _watch_rows(context, self.user, game)
        return Content("", card(*parts), files=files)


class VersusButton(IdButton, word="versus", label="Against me"):
    """Shows the results of the member who presses it against another member or a computer player."""

    user: DiscordId

    async def answer(self, context: Context) -> Content:
        await check_members(context, (self.user,))
        return await show_versus(context, context.user, self.user)


class ShowVersusButton(ShowButton, word="show-versus"):
    """Shows the results of two members against each other to the channel."""

    one: DiscordId
    other: DiscordId

    def about(self) -> tuple[DiscordId, ...]:
        return self.one, self.other

    async def public(self, context: Context, theme: str) -> Content:
        parts, files = await _versus(context, self.one, self.other, theme)
        return Content("", card(*parts), files=files)


async def _show(context: Context, user: DiscordId, game: str | None, where: str) -> None:
    await check_members(context, (user,))
    await change(context, await show_profile(context, user, game, where))


@app_commands.command(description="Show the results of a member, with their games and achievements.")
@app_commands.describe(
    member="the member (default: you)",
    game="the game (default: all games)",
    opponent="only the results against this member",
    computer="a computer player; with a member, the results against it",
)
@app_commands.choices(game=autocomplete.ALL_CHOICES)
@app_commands.choices(computer=COMPUTER_CHOICES)
async def profile(
    interaction: Interaction,
    member: discord.User | None = None,
    game: str | None = None,
    opponent: discord.User | None = None,
    computer: int | None = None,
) -> None:
    async def show(context: Context) -> Content:
        # The players who are named, the one whose results are shown first.
        named = [user.id for user in (member, opponent) if user is not None]
        named += [] if computer is None else [computer]
        if member is None and opponent is not None:
            named.insert(0, context.user)
        if len(named) > 2:
            raise Refused("Name one opponent, a member or a computer player.")
        if len(named) == 2:
            return await show_versus(context, named[0], named[1])
        where = EVERYWHERE if context.place.guild is None else HERE
        user = named[0] if named else context.user
        return await show_profile(context, user, game, where)

    await respond(interaction, show)
