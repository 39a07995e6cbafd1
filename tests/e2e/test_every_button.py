"""Every kind of button and menu, pressed by a member whom it does not concern, or too late: that member reads one clear
sentence, and nothing changes."""

import re
import sqlite3
from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass, replace
from enum import Enum, auto
from types import SimpleNamespace
from typing import Any

import discord
import pytest
import pytest_asyncio

import bot.pencilbox  # noqa: F401 - imports every kind of button and menu
from bot.sandbox import Sandbox
from bot.ui.administration import REFUSAL as OWNERS
from bot.ui.conditional import ConditionalTarget
from bot.ui.interactions.buttons import MatchMenu, PersistentItem
from bot.ui.lessons import StepTarget
from bot.ui.moves.exercises import ExerciseTarget
from bot.ui.moves.play import MatchTarget
from bot.ui.puzzles.buttons import PuzzleTarget
from db.address import FILE_NAME
from db.models import AliveRow, Base
from rules.puzzles.stock import of_game
from tests.contract.checker import Contract
from tests.contract.description import Description
from tests.contract.player import Player, players_by_server
from tests.e2e.bot_process import bot_at
from tests.e2e.challenges.test_lobbies import opened
from tests.e2e.club import Club
from tests.e2e.messages import (
    Json,
    answered,
    choose,
    message_with,
    open_settings,
    press,
    text_of,
    until,
)
from tests.e2e.panels import panel_at
from tests.e2e.play import ask, by_more, challenge, resigned
from tests.e2e.proposals.test_proposals import board_saying
from tests.e2e.shared_server import CHANNELS
from tests.e2e.stored_times import all_published

COMPONENTS_V2 = 1 << 15
A_PUZZLE = of_game("xlines")[0].name
DATED = {"active_on", "look_up_on"}
"""The columns of members and servers that the bot writes once in a minute."""
SENTENCE = re.compile(r"[A-Z#`<][^\n]{10,250}[.]")


whole_or_sample = pytest.mark.parametrize(
    "whole", [pytest.param(False, id="sample"), pytest.param(True, id="whole", marks=pytest.mark.soak)]
)
"""`make test` tries every kind that refuses a member, and every fourth of those that are for everybody. Of numbers of
another server it tries one kind for each base class, module and kind of number."""


class Looks(Enum):
    """Items for everybody: only the member who presses one sees the answer, a message or another page of their own."""

    FREELY = auto()
    OWN = auto()
    """The same, and it changes something of their own."""


@dataclass(frozen=True)
class Case:
    """An item of one kind, the option chosen in it, and the answer to a member whom it does not concern."""

    item: PersistentItem[Any]
    says: str | Looks
    chosen: str = ""
    content: bool = False
    """True if it stands under a message with content, not in one that is all components."""
    stale: str | None = None
    """The custom id that replaces its own."""

    @property
    def custom_id(self) -> str:
        return self.stale or self.item.custom_id

    def component(self) -> Json:
        """The button or menu as it is sent to Discord."""
        raw = {**self.item.to_component_dict(), "custom_id": self.custom_id, "disabled": False}
        if isinstance(self.item.item, discord.ui.Select):
            raw["options"] = [{"label": "this one", "value": self.chosen}]
        return raw


@dataclass(frozen=True)
class Live:
    """The numbers on the buttons of what Ada and Grace are doing."""

    open: int
    hidden: int
    over: int
    challenge: int
    lobby: int
    proposal: int
    cup: int
    role: str


def cases(live: Live, ada: int, grace: int, lounge: str, own: str) -> list[Case]:
    """Every kind, on something that is going on, of which Emmy has no part; `own` is the member who presses."""
    new: Any = SimpleNamespace(**{kind.__name__: kind for kind in kinds()})
    playing = hand = "is played by"
    running, hidden = MatchTarget(live.open), MatchTarget(live.hidden)
    private = "In this server, answers cannot be shown to the channel."
    return [
        Case(new.PlayButton(running, 0, "3"), playing),
        Case(new.PlayItButton(live.open, 0, "3"), playing),
        Case(new.TypeButton(running, 0), playing),
        Case(new.PlaySelect(running, 0), playing, "3"),
        Case(new.MoveGroupSelect(running, 0), playing, "0"),
        Case(new.PartButton(running, 0, "0."), playing),
        Case(new.OldPartButton(running, 0, "0."), playing),
        Case(new.HintButton(live.open), playing),
        Case(new.ReviewButton(live.open), "is still being played"),
        Case(new.MomentButton(live.over, 0, "overview"), "is no longer there"),
        Case(new.WhatIfButton(live.over, 1), "is no longer there"),
        Case(new.LineMoveButton(1, 0), "This line"),
        Case(new.BetterButton(1), "This line"),
        Case(new.LineBackButton(1, 2), "This line"),
        Case(new.ExploreGameButton(live.open, 0), "is still being played"),
        Case(new.ExploreButton(f"puzzle:{A_PUZZLE}:0"), "You have not done this puzzle yet"),
        Case(new.ExploreMoveButton(1, 0, "3"), "This exploration"),
        Case(new.ExploreSelect(1, 0, 0), "This exploration", "3"),
        Case(new.ExploreGoButton(1, 0, "first"), "This exploration"),
        Case(new.ExploreTypeButton(1, 0), "This exploration"),
        Case(new.ExploreRecordButton(0), "record"),
        Case(new.DrawButton(live.open), playing),
        Case(new.TakebackButton(live.open), playing),
        Case(new.MoreTimeButton(live.open), playing),
        Case(new.FollowButton(live.open), Looks.FREELY),
        Case(new.FollowingButton(live.open, "moves"), Looks.OWN),
        Case(new.PauseButton(live.open), playing),
        Case(new.EndPauseButton(live.open), playing),
        Case(new.ConditionalButton(live.open), playing),
        Case(new.ConditionalGoButton(live.open, 1, 2, "back"), playing),
        Case(new.RemoveVariationSelect(live.open), playing, "1"),
        Case(new.ClearVariationsButton(live.open), playing),
        Case(new.PlayButton(ConditionalTarget(live.open, 1, 1), 1, "3"), playing),
        Case(new.ResignButton(live.open), playing),
        Case(new.ReallyResignButton(live.open), playing),
        Case(new.EndButton(live.open), "Only moderators can end games"),
        Case(new.EndByOpponentButton(live.open), playing),
        Case(new.SaveButton(live.hidden), "it can be saved as a file when it is over."),
        Case(new.SecretMoveButton(live.hidden, 0), hand),
        Case(new.LayCardButton(hidden, 0, "red", "R"), hand),
        Case(new.OrderButton(hidden, 0, "R1", "R", "B"), hand),
        Case(new.SwapButton(hidden, 0, 1, "R", "B"), hand),
        Case(new.SealButton(hidden, 0, "arrange RB"), hand),
        Case(new.TypeRowButton(hidden, 0), hand),
        Case(new.NameWordsButton(hidden, 0), hand),
        Case(new.PointButton(hidden, 0, 1, 3), hand),
        Case(new.StopButton(hidden, 0, 1), hand),
        Case(new.AgreeButton(live.proposal), "Only those who play"),
        Case(new.DisagreeButton(live.proposal), "Only those who play"),
        Case(new.AcceptButton(live.challenge), "This challenge is for"),
        Case(new.ChooseGameSelect(live.challenge), "This challenge is for", "alaric"),
        Case(new.RefuseButton(live.challenge), "This challenge is between"),
        Case(new.ListedShowButton(live.challenge, 0), "This challenge is between others"),
        Case(new.ListedDropButton(live.challenge, 0), "This challenge is between others"),
        Case(new.TakeOfferButton(live.challenge), "This challenge is for"),
        Case(new.OfferAgainButton(live.lobby), "can change, start or withdraw this game."),
        Case(new.KeepOfferingButton(live.lobby), "can change, start or withdraw this game."),
        Case(new.LeaveButton(live.lobby), "You have not joined this game."),
        Case(new.StartButton(live.lobby), "can change, start or withdraw this game."),
        Case(new.ChangeButton(live.lobby), "can change, start or withdraw this game."),
        Case(new.TableSelect(live.lobby, "seats"), "can change, start or withdraw this game.", "3"),
        Case(new.MembersSelect(live.lobby), "can change, start or withdraw this game.", own),
        Case(new.RemoveButton(live.lobby, ada), "can change, start or withdraw this game."),
        Case(new.RematchButton(live.over), "Only those who played"),
        Case(new.JoinCupButton(live.cup), "Nobody can join this cup any more"),
        Case(new.LeaveCupButton(live.cup), "This cup has started"),
        Case(new.QuitCupButton(live.cup), "You do not take part in this cup."),
        Case(new.ManageCupButton(live.cup), "can change it."),
        Case(new.StartCupButton(live.cup), "can change it."),
        Case(new.LateCupButton(live.cup), "can change it."),
        Case(new.RemoveCupSelect(live.cup), "can change it.", own),
        Case(new.CorrectCupButton(live.cup), "can change it."),
        Case(new.EndCupButton(live.cup), "can change it."),
        Case(new.SettingSelect("theme"), "Only members with the permission Manage Server", "slate"),
        Case(new.ChannelSetting("channels"), "Only members with the permission Manage Server", lounge),
        Case(new.TitleRoleSelect("cup"), "Only members with the permission Manage Server", live.role),
        Case(new.PageButton("posts"), "Only members with the permission Manage Server"),
        Case(new.ExclusionSelect(), "Only members with the permission Manage Server", own),
        Case(new.ReportButton(live.open), "Games cannot be reported here"),
        Case(new.FeedbackButton(), "I cannot send feedback to the operator."),
        Case(new.VoteCodeButton(), "Only members with the permission Manage Server"),
        Case(new.AcceptVoteButton("0123456789"), "Only members with the permission Manage Server"),
        Case(new.VolunteerButton(live.open), "needs no volunteer now."),
        Case(new.WithdrawButton(live.open), "You do not volunteer"),
        Case(new.ServerMatchButton(), "Only members with the permission Manage Server"),
        Case(new.AcceptMatchButton("0123456789"), "Only members with the permission Manage Server"),
        Case(new.VoteGameButton(), "Only members with the permission Manage Server"),
        Case(new.SetupButton(), "Only members with the permission Manage Server"),
        Case(new.NotNowButton(), Looks.FREELY),
        Case(new.ShowLeaderboardButton(0, 0, "-", "here", "always"), private),
        Case(new.ShowProfileButton(ada, "-", "here"), private),
        Case(new.ShowVersusButton(ada, grace), private),
        Case(new.ShowAchievementsButton(ada), private),
        Case(new.ShowHistoryButton(0, "-", 0, 0, "-"), private),
        Case(new.ShowReplayButton(live.over, 0, "whole"), private),
        Case(new.ShowReviewButton(live.over, 0), private),
        Case(new.ServersButton(0, "more"), OWNERS),
        Case(new.LeaveServerButton(1), OWNERS),
        Case(new.ProofButton(live.open), "Nothing is sealed"),
        Case(new.WhyNotButton(live.open), "Every move that looks legal in"),
        Case(new.WholeBoardButton(live.open), "leaves nothing out now"),
        Case(new.TouchButton(live.open), "cannot be opened for tapping"),
        Case(new.RecordStepButton(0, "first"), "record"),
        Case(new.PlayGameSelect(1), "`chess` is no game here", "chess"),
        Case(new.PlayGameButton(1, "chess"), "`chess` is no game here"),
        Case(new.OpenButton(live.open), "is played by"),
        Case(new.ShowBoardButton(live.open), "is played by"),
        Case(new.ChallengeButton(), Looks.FREELY),
        Case(new.BeginnerButton("chess"), "`chess` is no game here"),
        Case(new.PlayLevelSelect(), Looks.FREELY, "2"),
        Case(new.PlayMeButton(), Looks.FREELY),
        Case(new.MoveMenu("3"), playing, str(live.open)),
        Case(new.BoardMenu("text"), Looks.FREELY, str(live.open)),
        Case(new.MoreButton(live.open), Looks.FREELY),
        Case(new.TextBoardButton(live.hidden), Looks.FREELY),
        Case(new.RulesButton("alaric"), Looks.FREELY),
        Case(new.LessonButton("alaric"), Looks.FREELY),
        Case(new.LessonButton("alaric", 1, "next"), Looks.FREELY),
        Case(new.LearnButton("alaric"), Looks.OWN),
        Case(new.LearnButton("alaric", 2, "skip"), Looks.OWN),
        Case(new.LearnSelect(), Looks.OWN, "alaric"),
        Case(new.LessonsButton(), Looks.FREELY),
        Case(new.PlayButton(StepTarget("alaric", 0), 4, "6"), Looks.OWN),
        Case(new.PuzzleButton(A_PUZZLE), Looks.OWN),
        Case(new.ServerPuzzlesButton(), Looks.FREELY),
        Case(new.ServerPuzzleSelect(), Looks.OWN, A_PUZZLE),
        Case(new.PlayButton(PuzzleTarget(A_PUZZLE), 0, "1"), Looks.OWN),
        Case(new.PuzzleLineButton(A_PUZZLE), "You have not done this puzzle yet"),
        Case(new.RunButton("rules"), Looks.FREELY),
        Case(new.RunHereButton(1), "This run belongs to another member"),
        Case(new.AnotherButton("xlines", 1), Looks.OWN),
        Case(new.ArchiveSelect("xlines", 1, "game"), Looks.OWN, "skull"),
        Case(new.ShowPuzzleButton(A_PUZZLE), private),
        Case(new.RulesSelect(["alaric"]), Looks.FREELY, "alaric"),
        Case(new.CommandsButton(), Looks.FREELY),
        Case(new.StepButton(live.over, 0, "first"), Looks.FREELY),
        Case(new.WatchButton(live.over), Looks.FREELY),
        Case(new.WatchSelect(), Looks.FREELY, str(live.over)),
        Case(new.HistoryPageButton("older", live.over, "-", 0, 0, "-", label="Older"), Looks.FREELY),
        Case(new.HistoryButton("-", 0, 0, "-"), Looks.FREELY),
        Case(new.HistorySelect("game", "-", 0, 0, "-"), Looks.FREELY, "alaric"),
        Case(new.AchievementsButton(ada), Looks.FREELY),
        Case(new.VersusButton(ada), Looks.FREELY),
        Case(new.GamesButton(0, "back"), Looks.FREELY),
        Case(new.LeaderboardPageButton("first", 0, 0, "-", "here", "always", label="First"), Looks.FREELY),
        Case(new.GameSelect("here", "always"), Looks.FREELY, "alaric"),
        Case(new.LeaderboardSelect("-"), Looks.FREELY, "here:week"),
        Case(new.ProfileGameSelect(ada, "here"), Looks.FREELY, "alaric"),
        Case(new.ProfileScopeButton(ada, "-", "everywhere"), Looks.FREELY),
        Case(new.ProofSelect(), Looks.FREELY, f"{live.over}:yorick"),
        Case(new.AwayButton(), Looks.FREELY),
        Case(new.BackButton(), "You are not away"),
        Case(new.BlockSelect(), Looks.OWN, str(ada)),
        Case(new.PrivacyButton(), Looks.FREELY),
        Case(new.ExportButton(), Looks.FREELY),
        Case(new.DeleteButton(), Looks.FREELY),
        Case(new.PreferenceSelect("notice"), Looks.OWN, "none"),
        Case(new.PreferencesPageButton("play"), Looks.FREELY),
        Case(new.InterestButton(), Looks.FREELY),
        Case(new.DigestButton(), Looks.FREELY),
        Case(new.ReallyDeleteButton(), Looks.OWN, content=True),
    ]


async def going_on(club: Club) -> Live:
    """Ada and Grace play, have played, are about to play and talk of a draw. Nothing may be shown to channels."""
    await choose(club.ada, await open_settings(club.ada), "setting:showing", "off")
    last = await resigned(club.ada, await challenge(club.ada, club.grace, "alaric", "quick"))
    hidden = await challenge(club.ada, club.grace, "palindromes", "quick")
    running = await challenge(club.ada, club.grace, "alaric", "quick")
    await by_more(club.grace, running.match, "draw")
    offer = await board_saying(club.ada, running, "offers a draw.")
    draw = int(offer.buttons["Accept the draw"].removeprefix("agree:"))
    asked = await ask(club.ada, [club.grace], "skull")
    lobby = await opened(club.ada)
    await press(club.grace, lobby, "Join")
    await until(club.ada, lobby, "**2 of 6 have joined:**")
    await answered(club.ada, "cup", game="skull", size="quick", players=2)
    cup = await message_with(club.ada, "opens a cup")
    for member in (club.ada, club.grace):
        await press(member, cup, "Join")
    await message_with(club.ada, "0 of 2 games are over")
    number_of_cup = int(re.findall("cup-join:([0-9]+)", str(cup["components"]))[0])
    asked_now, lobby_now, role = number(asked), number(lobby), club.local.world.guild["roles"][2]["id"]
    return Live(running.match, hidden.match, last.match, asked_now, lobby_now, draw, number_of_cup, role)


def number(message: Json) -> int:
    """The number that stands on the buttons of a message."""
    return int(re.findall(r"'custom_id': '[a-z]+:([0-9]+)'", str(message["components"]))[0])


class Onlooker:
    """Uses anything in a channel where nobody plays, while another member looks at the channel where they do."""

    def __init__(self, club: Club, presser: Player, other: Player) -> None:
        self._local = club.local
        # SQLAlchemy would cost more than the bot's answer.
        self._database = sqlite3.connect(club.folder / FILE_NAME)
        self._version, self._kept = -1, set[str]()
        self.presser, self.other = presser, other
        self.lounge = str(club.local.channel("lounge")["id"])

    async def uses(self, case: Case) -> list[Json]:
        """The private answers to a button or menu; nothing that others see or that is kept has changed."""
        before = self._rows(case), self._messages()
        source = self._posted(case)
        custom_id = case.custom_id
        if isinstance(case.item.item, discord.ui.Button):
            answer = await self.presser.press(source, custom_id)
        else:
            answer = await self.presser.choose(source, custom_id, case.chosen)
        assert answer["outcome"] != "failed", custom_id
        replies = [] if answer["outcome"] == "modal" else await self._replies(case)
        assert self._rows(case) ^ before[0] == set(), custom_id
        assert self._messages() == before[1], custom_id
        seen_by_all = self._local.world.messages[self.lounge].items()
        left = [id_ for id_, it in seen_by_all if it.ephemeral_for is None]
        # A board that is not the message of its match is deleted when it is used.
        assert left == [source["id"]] or (
            left == [] and custom_id.startswith(("type:", "hand:", "row:", "name:"))
        ), custom_id
        assert {message["ephemeral_for"] for message in replies} <= {self.presser.id}
        world = self._local.world
        with world.store.transaction():
            for id_ in (*left, *(message["id"] for message in replies)):
                world.remove_message(world.messages[self.lounge][id_])
        return replies

    def _posted(self, case: Case) -> Json:
        """A message of the bot's with nothing else in it."""
        world, messages = self._local.world, self._local.services.messages
        row = {"type": 1, "components": [case.component()]}
        body: Json = {"flags": COMPONENTS_V2, "components": [{"type": 10, "content": "x"}, row]}
        if case.content:
            body = {"content": "x", "components": [row]}
        with world.store.transaction():
            draft = messages.draft_reader(self.lounge).read(body)
            return world.member_view(messages.send(world.channels[self.lounge], world.bot, draft))

    async def _replies(self, case: Case) -> list[Json]:
        """Wait for a private answer, or, where it may do, until the message itself is another; what is private then."""

        def find(seen: list[Json]) -> list[Json] | None:
            private = [one for one in seen if one["ephemeral_for"] and one["state"] == "sent"]
            turned = isinstance(case.says, Looks) and seen[0]["edited_timestamp"]
            return private if private or turned else None

        world = self._local.world

        async def look() -> list[Json] | None:
            return find([world.member_view(message) for message in world.messages[self.lounge].values()])

        return await self.presser.until(look)

    def _messages(self) -> dict[str, tuple[Any, ...]]:
        """The messages in the channel of the games, by their ids.

        Late answers to what others did there are theirs alone.
        """
        found = self._local.world.messages[self.other.channel]
        return {
            id_: (dict(it.body), list(it.files), it.pinned_at)
            for id_, it in found.items()
            if it.ephemeral_for in (None, self.presser.id)
        }

    def _rows(self, case: Case) -> set[str]:
        """Return the whole store, except what background tasks write by the clock."""
        (version,) = self._database.execute("PRAGMA data_version").fetchone()
        if version != self._version:  # Something was written since the last look.
            self._version, self._kept = version, set()
            for table in Base.metadata.sorted_tables:
                if table is not AliveRow.__table__:
                    columns = ", ".join(it.name for it in table.columns if it.name not in DATED)
                    found = self._database.execute(f"SELECT {columns} FROM {table.name}")
                    self._kept |= {f"{table.name} {row}" for row in found}
        return {row for row in self._kept if case.says is not Looks.OWN or self.presser.id not in row}


@dataclass(frozen=True)
class Party:
    """Two servers with the same bot. Members of the first do what `live` says; `there` are those of the other."""

    club: Club
    live: Live
    there: list[Player]


@pytest_asyncio.fixture(scope="module", loop_scope="session")
async def party(description: Description, tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Party]:
    contract, folder = Contract(description), tmp_path_factory.mktemp("party")
    async with (
        Sandbox(servers=2, channels=CHANNELS, privileged=False, observe=contract) as local,
        bot_at(local.url, folder) as bot,
        players_by_server(local.url, local.world) as (here, there),
    ):
        club = Club(local, bot, folder, *here)
        live = await going_on(club)
        await all_published(folder)
        yield Party(club, live, there)
        assert "Traceback" not in bot.log, bot.log
    assert contract.report() == ""


@whole_or_sample
async def test_members_press_buttons_that_are_not_theirs(party: Party, whole: bool) -> None:
    club, live = party.club, party.live
    stranger = Onlooker(club, club.emmy, club.grace)
    every = cases(live, int(club.ada.id), int(club.grace.id), stranger.lounge, stranger.presser.id)
    assert {type(case.item) for case in every} == kinds(), "every kind needs a case"
    looks = [case for case in every if isinstance(case.says, Looks)]
    left_out = [] if whole else [case for number, case in enumerate(looks) if number % 6]
    for case in every:
        if case in left_out:
            continue
        replies = await stranger.uses(case)
        if isinstance(case.says, str):
            assert_refused(replies, case.says)

    # Who plays, but is not on turn, may not move either.
    on_turn = (await panel_at(club.emmy, live.open, 0)).turn
    waits = club.grace if on_turn == club.ada.id else club.ada
    waiter = Onlooker(club, waits, club.emmy)
    for case in every[:5]:
        assert_refused(await waiter.uses(case), "not yours.")

    # What no button of ours says; the test below uses the numbers of games, challenges and offers that are not there.
    high = "9" * 40
    wrong = (
        f"play:{high}:0:3",
        f"accept:{high}",
        f"agree:{high}",
        "nonsense",
        "play:x:y",
        "accept:-1",
        "rules:chess",
        "how:chess:0:open",
        "learn:chess:0:open",
        "try:alaric:0:nonsense:1",
        "puzzle:chess-00000000:open",
    )
    for custom_id in wrong:
        assert_refused(await waiter.uses(replace(every[0], says="", stale=custom_id)))
    assert await stranger.presser.messages(stranger.lounge) == []


NUMBERED = {"match", "challenge", "proposal", "event", "user", "member", "one"}
"""The groups of custom ids that name a game, a challenge, an offer or a member."""
PAGES = {
    "HistoryButton",
    "HistoryPageButton",
    "HistorySelect",
    "LeaderboardPageButton",
    "ShowHistoryButton",
    "ShowLeaderboardButton",
}
"""Kinds whose numbers say where a page of what this server may see begins."""
BY_NUMBER = ("move", "board", "review", "replay")
"""The commands that take the number of a game."""
NOT_THERE = "999999"


@whole_or_sample
async def test_numbers_of_another_server_are_answered_like_unknown_ones(party: Party, whole: bool) -> None:
    """A member of one server uses every button, menu and command with the numbers of another server's games."""
    club, live, there = party.club, party.live, party.there
    local = club.local
    stranger = Onlooker(club, there[2], club.grace)
    stranger.lounge = next(
        id_
        for id_, it in local.world.channels.items()
        if it.get("name") == "lounge" and it["guild_id"] != local.world.guild["id"]
    )
    tried = set[tuple[type[PersistentItem[Any]] | None, str, str]]()
    for case in cases(live, int(club.ada.id), int(club.grace.id), stranger.lounge, stranger.presser.id):
        kind = type(case.item).__name__
        menu = isinstance(case.item, MatchMenu) or kind in ("WatchSelect", "ProofSelect")
        if kind in PAGES or not (menu or numbers(case.item)):
            continue
        like = type(case.item).__base__, type(case.item).__module__, str(sorted(numbers(case.item)))
        if like in tried and not whole:
            continue
        tried.add(like)
        unknown = replace(
            case,
            says="",
            stale=case.custom_id if menu else re.sub("[0-9]+", NOT_THERE, case.custom_id, count=1),
            chosen=re.sub("[0-9]+", NOT_THERE, case.chosen) if menu else case.chosen,
        )
        assert await said_to(stranger, replace(case, says="")) == await said_to(stranger, unknown), case

    asking = there[0].elsewhere(stranger.lounge)
    for command in BY_NUMBER:
        options = {"move": {"move": "3"}}.get(command, {})
        answers = [
            text_of(await answered(asking, command, number=number, **options))
            for number in (live.open, live.over, int(NOT_THERE))
        ]
        assert len({without_numbers(answer) for answer in answers}) == 1, answers


async def said_to(stranger: Onlooker, case: Case) -> str:
    """The one sentence that answers a button or menu, without numbers."""
    replies = await stranger.uses(case)
    assert_refused(replies)
    return without_numbers(text_of(replies[0]))


def without_numbers(text: str) -> str:
    return re.sub("[0-9]+", "N", text)


def kinds() -> set[type[PersistentItem[Any]]]:
    """All kinds that the bot has."""
    found = {kind for kinds in PersistentItem.kinds.values() for kind in kinds}
    return {kind for kind in found if kind.__module__.startswith("bot.")}


def numbers(item: PersistentItem[Any]) -> set[str]:
    """The groups of a custom id that name a game, a challenge, an offer or a member. An exercise has none."""
    exercise = isinstance(getattr(item, "target", None), ExerciseTarget)
    return set() if exercise else NUMBERED & set(item.template.groupindex)


def assert_refused(replies: Sequence[Json], words: str = "") -> None:
    """One sentence, with these words in it, and nothing else."""
    (reply,) = replies
    assert SENTENCE.fullmatch(text_of(reply)), text_of(reply)
    assert words in text_of(reply)
