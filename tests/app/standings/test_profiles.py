"""A profile of a member's games: streaks, scores over time, records by seat, tributes of losses."""

from datetime import timedelta

import pytest

from bot.app.errors import Refused
from bot.app.standings import Profiles, tally
from bot.ui.standings.profile import profile_chart, versus_text
from db.values.matches import Ending, NewEntry, Outcome
from db.values.standings import Runs
from render.charts.career import career_alt
from rules.core.match import Setup
from tests.app.conftest import ADA, EMMY, GRACE, Host
from tests.db.given import FIRST, GUILD, LOST, NOW, PLACE, SKULL, WON, started

ALARIC = Setup("alaric", (("size", 7),), 2)


async def play(host: Host, results: str, setup: Setup = SKULL, begin: int = 0) -> None:
    """Rated games of Ada and Grace, two days apart, won (w), drawn (d) or lost (l) by Ada, who sits first and second by
    turns."""
    for number, result in enumerate(results):
        users, ranks = (ADA, GRACE), {"w": (1, 2), "d": (1, 1), "l": (2, 1)}[result]
        if number % 2:
            users, ranks = users[::-1], ranks[::-1]
        at = NOW + timedelta(days=2 * (begin + number))
        match = await started(host.store, users, place=PLACE, setup=setup, at=at)
        outcomes = [Outcome.DRAWN] * 2 if result == "d" else [WON if rank == 1 else LOST for rank in ranks]
        await host.store.matches.append(match.id, 0, NewEntry(FIRST, at), Ending(outcomes, ranks=ranks))


@pytest.mark.parametrize(
    ("results", "runs", "words"),
    [
        ("d", Runs(0, 0, 1, 1), "No win yet. Games without a loss: 1 · best run 1"),
        ("wwlw", Runs(1, 2, 1, 2), "Wins in a row: 1 · best run 2"),
        (
            "lwwwd",
            Runs(0, 3, 4, 4),
            "Wins in a row: 0 · best run 3. Games without a loss: 4 · best run 4",
        ),
    ],
)
async def test_runs_are_of_wins_and_of_games_not_lost(
    host: Host, results: str, runs: Runs, words: str
) -> None:
    await play(host, results)
    profile = await Profiles(host.store.profiles).profile(ADA, None, GUILD)
    assert profile.runs == runs
    assert f" 2026. {words}. " in career_alt(profile_chart(profile))


async def test_scores_follow_the_games(host: Host) -> None:
    await play(host, "wwl")
    profile = await Profiles(host.store.profiles).profile(ADA, None, GUILD)
    assert profile.rating is not None
    (first, second, third) = profile.scores
    assert [at for at, _ in profile.scores] == [NOW + timedelta(days=2 * number) for number in range(3)]
    assert 1000 < first[1] < second[1]
    assert third[1] == profile.rating.held.skill.score
    assert profile_chart(profile).scores == profile.scores


async def test_records_are_by_game_and_in_one_game_by_seat(host: Host) -> None:
    await play(host, "wll")
    await play(host, "ww", ALARIC, begin=3)
    profiles = Profiles(host.store.profiles)
    together = await profiles.profile(ADA, None, GUILD)
    assert together.records == (("skull", (1, 0, 2)), ("alaric", (2, 0, 0)))
    assert together.seats == ()
    assert together.favourite == "skull"
    assert together.tributes == (("Skulls donated to the pile", 2),)
    skull = await profiles.profile(ADA, "skull", GUILD)
    assert skull.records == (("skull", (1, 0, 2)),)
    assert skull.seats == ((0, (1, 0, 1)), (1, (0, 0, 1)))
    winner = await profiles.profile(GRACE, "alaric", GUILD)
    assert (winner.records, winner.tributes) == ((("alaric", (0, 0, 2)),), ())


async def test_who_has_not_played_has_no_career(host: Host) -> None:
    profile = await Profiles(host.store.profiles).profile(EMMY, None, GUILD)
    assert (profile.rating, profile.records, profile.scores, profile.favourite) == (None, (), (), None)


async def test_duels_are_counted_from_both_sides(host: Host) -> None:
    await play(host, "wwdl")
    await play(host, "w", ALARIC, begin=4)
    profiles = Profiles(host.store.profiles)
    duels = await profiles.versus(ADA, GRACE, GUILD)
    assert tally(duels) == (3, 1, 1)
    assert tally(await profiles.versus(GRACE, ADA, GUILD)) == (1, 1, 3)
    _, told = versus_text(ADA, GRACE, duels)
    leads, to = f"<@{ADA}> leads <@{GRACE}>", "\N{NO-BREAK SPACE}:\N{NO-BREAK SPACE}"
    assert f"**{leads} 3{to}1, 1 drawn** in 5 rated games." in told
    assert duels.games == (("alaric", (1, 0, 0)), ("skull", (2, 1, 1)))
    _, turned = versus_text(GRACE, ADA, await profiles.versus(GRACE, ADA, GUILD))
    assert f"**{leads} 3{to}1, 1 drawn** in 5 rated games." in turned
    await host.store.members.change(GRACE, computer=True)
    marked = await profiles.versus(ADA, GRACE, GUILD)
    head, _ = versus_text(ADA, GRACE, marked)
    assert head == f"### <@{ADA}> against <@{GRACE}> (computer)"
    shown = profile_chart(await profiles.profile(GRACE, None, GUILD))
    assert career_alt(shown).startswith("All games, computer player · this server. ")
    with pytest.raises(Refused, match="against themselves"):
        await profiles.versus(ADA, ADA, GUILD)
