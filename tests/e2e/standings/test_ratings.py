"""An evening of rated games over the wire: what boards and leaderboards say is what openskill, called directly with the
same results, makes of them. Ada owns the server."""

import asyncio
import os
import re
import subprocess
import sys
from dataclasses import dataclass, field
from datetime import UTC, datetime
from itertools import combinations
from pathlib import Path

from openskill.models import PlackettLuce, PlackettLuceRating

from db.engine import open_store
from db.values.standings import Leaderboard
from tests.contract.changes import PATIENCE
from tests.contract.player import Player
from tests.e2e.bot_process import ROOT
from tests.e2e.clocks.test_clocks import timed
from tests.e2e.club import Club
from tests.e2e.messages import (
    answer_saying,
    choose,
    components,
    message_with,
    open_settings,
    text_of,
    until,
    usable_buttons,
)
from tests.e2e.panels import Panel, panel_at
from tests.e2e.play import accept, by_command, challenge, legal, offered, resigned
from tests.e2e.proposals.test_proposals import board_saying
from tests.e2e.stored_times import age_clock

MODEL = PlackettLuce()
TOLD = re.compile(r"<@(?P<user>[0-9]+)> (?P<score>[0-9]+)(?P<sure>[?]?) [(](?P<gain>[+−][0-9]+)[)]")
ROW = re.compile(
    r"(?P<place>[0-9]+)\\[.] <@(?P<user>[0-9]+)> · [*]{2}(?P<score>[0-9]+)[*]{2}[?]? · (?P<record>[0-9–]+)"
)


@dataclass(frozen=True)
class Result:
    """One game's result: the members by rank, best first; those who share a rank share a list."""

    game: str
    places: list[list[str]]

    @property
    def users(self) -> list[str]:
        return [user for place in self.places for user in place]


@dataclass
class Ladder:
    """The ratings and records that openskill computes for one day, by game ("" for all) and member."""

    held: dict[tuple[str, str], PlackettLuceRating] = field(default_factory=dict)
    records: dict[tuple[str, str], list[int]] = field(default_factory=dict)
    met: list[tuple[str, set[str]]] = field(default_factory=list)

    def rate(self, result: Result) -> dict[str, tuple[int, int]]:
        """Each member's new score on the game's leaderboard, and the change."""
        users = result.users
        ranks = [1.0 + sum(map(len, result.places[:n])) for n, it in enumerate(result.places) for _ in it]
        met = [them for game, them in self.met if game == result.game]
        often = max(sum(set(pair) <= them for them in met) for pair in combinations(users, 2))
        share = (1, 1, 1, 1 / 2, 1 / 4, 1 / 8, 0)[min(often, 6)]
        self.met.append((result.game, set(users)))
        moves = {}
        for board in ("", result.game):
            before = [self.held.get((board, user), MODEL.rating()) for user in users]
            rated = MODEL.rate([[it] for it in before], ranks=ranks)
            for user, was, (then,), rank in zip(users, before, rated, ranks, strict=True):
                now = MODEL.rating(
                    was.mu + share * (then.mu - was.mu), was.sigma + share * (then.sigma - was.sigma)
                )
                self.held[board, user] = now
                moves[user] = (score(now), score(now) - score(was))
                self.records.setdefault((board, user), [0, 0, 0])[
                    2 if rank > 1 else 0 if len(result.places[0]) == 1 else 1
                ] += 1
        return moves

    def standings(self, game: str) -> set[tuple[str, int, str]]:
        """Everybody on a board: member, score, record."""
        return {
            (user, score(it), "–".join(map(str, self.records[board, user])))
            for (board, user), it in self.held.items()
            if board == game
        }


def score(rating: PlackettLuceRating) -> int:
    return round(rating.ordinal(alpha=40, target=1000))


def told_on(board: Panel) -> dict[str, tuple[int, int]]:
    """The scores and their changes on a last board, by member; all are still uncertain."""
    found = list(TOLD.finditer(board.text))
    assert {it["sure"] for it in found} <= {"?"}
    return {it["user"]: (int(it["score"]), int(it["gain"].replace("−", "-"))) for it in found}


async def standings(
    player: Player, words: str = "Leaderboard: ", **options: str
) -> set[tuple[str, int, str]]:
    """The rows of a leaderboard; their ranks must follow from the scores."""
    rows = list(ROW.finditer(text_of(await answer_saying(player, words, "leaderboard", **options))))
    scores = [int(it["score"]) for it in rows]
    assert [int(it["place"]) for it in rows] == [1 + sum(other > it for other in scores) for it in scores]
    return {(it["user"], int(it["score"]), it["record"]) for it in rows}


async def moved(by: list[Player], panel: Panel, moves: int) -> Panel:
    """The board after so many moves."""
    players = {player.id: player for player in by}
    for _ in range(moves):
        assert panel.turn is not None
        mover = players[panel.turn]
        # In Alaric every other cell is free; in Maze what is legal must be asked for.
        cell = str(2 * panel.plies + 1)
        await by_command(mover, panel, cell if "Alaric" in panel.text else (await legal(mover, panel))[0])
        panel = await panel_at(mover, panel.match, panel.plies + 1)
    return panel


async def test_ratings_are_what_openskill_makes_of_the_results(club: Club) -> None:
    ada, grace, emmy = club.ada, club.grace, club.emmy
    guild = int(club.local.world.guild["id"])
    ladder, results = Ladder(), list[Result]()

    async def holds(last: Panel, game: str, *places: list[str]) -> None:
        results.append(Result(game, list(places)))
        assert told_on(last) == ladder.rate(results[-1]), last.text

    # Giving up; a draw; out of time; giving up again. The fourth of the same two in the same game counts a half.
    first = await moved([ada, grace], await challenge(ada, grace, "alaric", "quick"), 4)
    await holds(await resigned(grace, first), "alaric", [ada.id], [grace.id])
    panel = await moved([ada, grace], await challenge(grace, ada, "alaric", "quick"), 4)
    await ada.command("draw", game=panel.match)
    offer = await board_saying(grace, panel, "offers a draw")
    await grace.press(offer.message, offer.buttons["Accept the draw"])
    await holds(await panel_at(ada, panel.match, 5), "alaric", [ada.id, grace.id])
    panel = await moved([ada, grace], await timed(ada, grace, "24h", "alaric"), 4)
    await age_clock(club.folder, deadline=datetime.now(UTC), remind_at=None)
    last = await panel_at(emmy, panel.match, 5)
    assert "on time." in last.text
    late, early = (ada, grace) if panel.turn == ada.id else (grace, ada)
    await holds(last, "alaric", [early.id], [late.id])
    panel = await moved([ada, grace], await challenge(ada, grace, "alaric", "quick"), 4)
    last = await resigned(ada, panel)
    assert (
        "The fourth game of Alaric that the same two finished within 24 hours: it counts half." in last.text
    )
    await holds(last, "alaric", [grace.id], [ada.id])
    assert await standings(emmy, "You are not on this leaderboard yet", game="alaric") == ladder.standings(
        "alaric"
    )

    # Three players, of whom two leave one after the other; from now on nothing counts on global leaderboards.
    await choose(ada, await open_settings(ada), "setting:everywhere", "off")
    panel = await moved([ada, grace, emmy], await challenge(ada, [grace, emmy], "maze", "quick"), 6)
    panel = await resigned(emmy, panel)
    await holds(await resigned(ada, panel), "maze", [grace.id], [ada.id], [emmy.id])
    await answer_saying(emmy, "Nobody is listed yet", "leaderboard", game="maze", where="everywhere")
    assert await standings(ada, where="everywhere") == {
        (user, it, record) for user, it, record in ladder.standings("alaric")
    }

    # Too short, and casual.
    short = await resigned(ada, await moved([ada, emmy], await challenge(ada, emmy, "alaric", "quick"), 3))
    made = await offered(
        ada, ada.command("challenge", member=emmy.id, game="alaric", size="quick", rated=False)
    )
    casual = await resigned(emmy, await moved([ada, emmy], await accept(emmy, made["id"]), 4))
    assert told_on(short) == told_on(casual) == {}
    assert "casual" in casual.text
    assert await standings(ada, game="alaric") == ladder.standings("alaric")

    # The first result is taken back: all is as if it had never been.
    await ada.command("end", game=first.match, reason="two accounts")
    await message_with(ada, "You ended Alaric")
    ladder = Ladder()
    for result in results[1:]:
        ladder.rate(result)
    assert await standings(ada, game="alaric") == ladder.standings("alaric")
    assert await standings(ada, "Leaderboard: All games") == ladder.standings("")

    await fared(club, ladder, results[1:])

    # Who has all that is kept of them deleted gives up what they play.
    panel = await moved([ada, emmy], await challenge(emmy, ada, "alaric", "quick"), 4)
    about = await answer_saying(emmy, "What Pencilbox keeps about you", "privacy")
    await emmy.press(about, usable_buttons(about)["Delete my data…"])
    question = await message_with(emmy, "This cannot be undone")
    await emmy.press(question, usable_buttons(question)["Yes, delete it all"])
    await until(emmy, question, "Everything that Pencilbox kept about you is deleted")
    expected = ladder.rate(Result("alaric", [[ada.id], [emmy.id]]))
    last = await panel_at(grace, panel.match, 5)
    mended = Panel.of(await until(grace, last.message, "ormer member"))
    assert mended is not None
    assert told_on(mended) == {ada.id: expected[ada.id]}
    assert await standings(ada, game="alaric") == {
        it for it in ladder.standings("alaric") if it[0] != emmy.id
    }

    await club.bot.kill()
    await worked_out_again(club.folder, ladder, guild, [ada, grace])


async def fared(club: Club, ladder: Ladder, results: list[Result]) -> None:
    """Grace's profile and her games against Ada tell of these results."""
    ada, grace = club.ada.id, club.grace.id
    shown = await answer_saying(club.emmy, f"### <@{grace}>", "profile", member=grace, game="alaric")
    (gallery,) = (part for part in components(shown) if part["type"] == 12)
    said = gallery["items"][0]["description"]
    assert f"Score {score(ladder.held['alaric', grace])}, uncertain" in said
    by_seat = [list(map(int, it)) for it in re.findall(r"As [^:]+: (\d+) won, (\d+) drawn, (\d+) lost", said)]
    record = ladder.records["alaric", grace]
    assert f"Alaric: {record[0]} won, {record[1]} drawn, {record[2]} lost" in said
    # Of several seats not all may find room there.
    assert by_seat
    assert all(sum(column) <= whole for column, whole in zip(zip(*by_seat, strict=True), record, strict=True))
    everything = await answer_saying(club.emmy, "Favourite game: **Alaric**", "profile", member=grace)
    (gallery,) = (part for part in components(everything) if part["type"] == 12)
    won = [it.places[0] == [grace] for it in results]
    run = won[::-1].index(False)
    assert f"Wins in a row: {run} · best run {run}" in gallery["items"][0]["description"]
    ranks = [
        [next(n for n, its in enumerate(it.places) if who in its) for who in (ada, grace)] for it in results
    ]
    signs = [(own < its) - (own > its) for own, its in ranks]
    wins = {ada: signs.count(1), grace: signs.count(-1)}
    first, second = sorted(wins, key=lambda one: wins[one], reverse=True)
    score_line = f"{wins[first]}\N{NO-BREAK SPACE}:\N{NO-BREAK SPACE}{wins[second]}"
    leads = "Level " if len(set(wins.values())) == 1 else f"<@{first}> leads <@{second}> "
    drawn = f", {signs.count(0)} drawn" if 0 in signs else ""
    spelt = f"**{leads}{score_line}{drawn}** in 4 games"
    await answer_saying(club.ada, spelt, "versus", member=grace)


async def worked_out_again(folder: Path, ladder: Ladder, guild: int, members: list[Player]) -> None:
    """The stored ratings equal those of openskill to the last bit, also after `rerate` has computed them again."""
    async with open_store(None, folder) as store:
        before = [await store.ratings.of_member(int(member.id)) for member in members]
    for member, its in zip(members, before, strict=True):
        held = {it.leaderboard: it.held.skill for it in its}
        for game in ("", "alaric", "maze"):
            skill, known = held[Leaderboard("", game, guild)], ladder.held[game, member.id]
            assert (skill.mu, skill.sigma) == (known.mu, known.sigma)
    done = await asyncio.to_thread(
        subprocess.run,
        [sys.executable, "-m", "bot", "rerate"],
        cwd=ROOT,
        env={**os.environ, "PENCILBOX_DATA_DIR": str(folder)},
        capture_output=True,
        check=True,
        timeout=PATIENCE,
    )
    assert done.stdout.decode().strip() == "Rated 5 matches."
    async with open_store(None, folder) as store:
        assert [await store.ratings.of_member(int(member.id)) for member in members] == before
