"""Every kind of button and menu, pressed by a member whom it does not concern, or too late: that member reads one clear
sentence, and nothing changes."""

import re
import sqlite3
from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import Enum, auto
from pathlib import Path
from typing import Any

import discord
import pytest

import bot.pencilbox  # noqa: F401 - imports every kind of button and menu
from bot.sandbox import Sandbox
from bot.ui.administration import REFUSAL as OWNERS
from bot.ui.administration import LeaveServerButton, ServersButton
from bot.ui.challenges.commands import ChallengeButton
from bot.ui.challenges.message import (
    AcceptButton,
    ChangeButton,
    ChooseGameSelect,
    LeaveButton,
    MembersSelect,
    RefuseButton,
    RemoveButton,
    StartButton,
    TableSelect,
)
from bot.ui.challenges.offers import KeepOfferingButton, TakeOfferButton
from bot.ui.challenges.posting import RematchButton
from bot.ui.computers import BeginnerButton, PlayGameButton, PlayGameSelect, PlayLevelSelect, PlayMeButton
from bot.ui.conditional import (
    ClearVariationsButton,
    ConditionalButton,
    ConditionalGoButton,
    ConditionalTarget,
    RemoveVariationSelect,
)
from bot.ui.events.buttons import (
    CorrectCupButton,
    EndCupButton,
    JoinCupButton,
    LateCupButton,
    LeaveCupButton,
    ManageCupButton,
    QuitCupButton,
    RemoveCupSelect,
    StartCupButton,
)
from bot.ui.explorer import (
    ExploreButton,
    ExploreGameButton,
    ExploreGoButton,
    ExploreMoveButton,
    ExploreSelect,
    ExploreTypeButton,
)
from bot.ui.history import HistoryButton, HistoryPageButton, HistorySelect, ShowHistoryButton
from bot.ui.interactions.buttons import MatchMenu, PersistentItem
from bot.ui.lessons import LearnButton, LearnSelect, LessonButton, LessonsButton, RulesSelect, StepTarget
from bot.ui.matches.board_actions import (
    EndButton,
    EndByOpponentButton,
    HintButton,
    MoreButton,
    OpenButton,
    ProofButton,
    ReallyResignButton,
    ResignButton,
    RulesButton,
    TextBoardButton,
    WholeBoardButton,
    WhyNotButton,
)
from bot.ui.matches.commands import BoardMenu
from bot.ui.matches.followers import FollowButton, FollowingButton
from bot.ui.matches.panel import SecretMoveButton
from bot.ui.matches.touch import TouchButton
from bot.ui.members.help import CommandsButton
from bot.ui.members.interests import InterestButton
from bot.ui.members.overview import GamesButton, ListedDropButton, ListedShowButton, ShowBoardButton
from bot.ui.members.preferences import (
    AwayButton,
    BackButton,
    BlockSelect,
    DigestButton,
    PreferenceSelect,
    PreferencesPageButton,
)
from bot.ui.members.privacy import DeleteButton, ExportButton, PrivacyButton, ReallyDeleteButton
from bot.ui.members.settings import ChannelSetting, ExclusionSelect, PageButton, SettingSelect
from bot.ui.members.setup import NotNowButton, SetupButton
from bot.ui.members.vote_games import AcceptVoteButton, VoteCodeButton, VoteGameButton
from bot.ui.moves.card_row import LayCardButton, OrderButton, SealButton, SwapButton, TypeRowButton
from bot.ui.moves.controls import MoveGroupSelect, OldPartButton, PartButton
from bot.ui.moves.exercises import ExerciseTarget
from bot.ui.moves.play import (
    MatchTarget,
    MoveMenu,
    PlayButton,
    PlayItButton,
    PlaySelect,
    TypeButton,
)
from bot.ui.moves.words import NameWordsButton, PointButton, StopButton
from bot.ui.proposals import (
    AgreeButton,
    DisagreeButton,
    DrawButton,
    EndPauseButton,
    MoreTimeButton,
    PauseButton,
    TakebackButton,
)
from bot.ui.puzzles.buttons import (
    AnotherButton,
    ArchiveSelect,
    PuzzleButton,
    PuzzleLineButton,
    PuzzleTarget,
    ServerPuzzlesButton,
    ServerPuzzleSelect,
    ShowPuzzleButton,
)
from bot.ui.puzzles.run import RunButton, RunHereButton
from bot.ui.replay import (
    ExploreRecordButton,
    RecordStepButton,
    SaveButton,
    ShowReplayButton,
    StepButton,
    WatchButton,
    WatchSelect,
)
from bot.ui.reports import FeedbackButton, ReportButton
from bot.ui.review import (
    BetterButton,
    LineBackButton,
    LineMoveButton,
    MomentButton,
    ReviewButton,
    ShowReviewButton,
    WhatIfButton,
)
from bot.ui.standings.achievements import AchievementsButton, ProofSelect, ShowAchievementsButton
from bot.ui.standings.leaderboard import (
    GameSelect,
    LeaderboardPageButton,
    LeaderboardSelect,
    ShowLeaderboardButton,
)
from bot.ui.standings.profile import (
    ProfileGameSelect,
    ProfileScopeButton,
    ShowProfileButton,
    ShowVersusButton,
    VersusButton,
)
from db.address import FILE_NAME
from db.models import AliveRow, Base
from rules.puzzles.stock import of_game
from tests.contract.checker import Contract
from tests.contract.player import Player, players_by_server
from tests.e2e.bot_process import bot_at
from tests.e2e.challenges.test_lobbies import opened
from tests.e2e.club import Club
from tests.e2e.messages import (
    Json,
    answered,
    choose,
    found_in,
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


def cases(live: Live, ada: int, grace: int, lounge: str, own: str) -> list[Case]:
    """Every kind, on something that is going on, of which Emmy has no part; `own` is the member who presses."""
    playing = hand = "is played by"
    running, hidden = MatchTarget(live.open), MatchTarget(live.hidden)
    private = "In this server, answers cannot be shown to the channel."
    return [
        Case(PlayButton(running, 0, "3"), playing),
        Case(PlayItButton(live.open, 0, "3"), playing),
        Case(TypeButton(running, 0), playing),
        Case(PlaySelect(running, 0), playing, "3"),
        Case(MoveGroupSelect(running, 0), playing, "0"),
        Case(PartButton(running, 0, "0."), playing),
        Case(OldPartButton(running, 0, "0."), playing),
        Case(HintButton(live.open), playing),
        Case(ReviewButton(live.open), "is still being played"),
        Case(MomentButton(live.over, 0, "overview"), "is no longer there"),
        Case(WhatIfButton(live.over, 1), "is no longer there"),
        Case(LineMoveButton(1, 0), "This line"),
        Case(BetterButton(1), "This line"),
        Case(LineBackButton(1, 2), "This line"),
        Case(ExploreGameButton(live.open, 0), "is still being played"),
        Case(ExploreButton(f"puzzle:{A_PUZZLE}:0"), "You have not done this puzzle yet"),
        Case(ExploreMoveButton(1, 0, "3"), "This exploration"),
        Case(ExploreSelect(1, 0, 0), "This exploration", "3"),
        Case(ExploreGoButton(1, 0, "first"), "This exploration"),
        Case(ExploreTypeButton(1, 0), "This exploration"),
        Case(ExploreRecordButton(0), "record"),
        Case(DrawButton(live.open), playing),
        Case(TakebackButton(live.open), playing),
        Case(MoreTimeButton(live.open), playing),
        Case(FollowButton(live.open), Looks.FREELY),
        Case(FollowingButton(live.open, "moves"), Looks.OWN),
        Case(PauseButton(live.open), playing),
        Case(EndPauseButton(live.open), playing),
        Case(ConditionalButton(live.open), playing),
        Case(ConditionalGoButton(live.open, 1, 2, "back"), playing),
        Case(RemoveVariationSelect(live.open), playing, "1"),
        Case(ClearVariationsButton(live.open), playing),
        Case(PlayButton(ConditionalTarget(live.open, 1, 1), 1, "3"), playing),
        Case(ResignButton(live.open), playing),
        Case(ReallyResignButton(live.open), playing),
        Case(EndButton(live.open), "Only moderators can end games"),
        Case(EndByOpponentButton(live.open), playing),
        Case(SaveButton(live.hidden), "it can be saved as a file when it is over."),
        Case(SecretMoveButton(live.hidden, 0), hand),
        Case(LayCardButton(hidden, 0, "red", "R"), hand),
        Case(OrderButton(hidden, 0, "R1", "R", "B"), hand),
        Case(SwapButton(hidden, 0, 1, "R", "B"), hand),
        Case(SealButton(hidden, 0, "arrange RB"), hand),
        Case(TypeRowButton(hidden, 0), hand),
        Case(NameWordsButton(hidden, 0), hand),
        Case(PointButton(hidden, 0, 1, 3), hand),
        Case(StopButton(hidden, 0, 1), hand),
        Case(AgreeButton(live.proposal), "Only those who play"),
        Case(DisagreeButton(live.proposal), "Only those who play"),
        Case(AcceptButton(live.challenge), "This challenge is for"),
        Case(ChooseGameSelect(live.challenge), "This challenge is for", "alaric"),
        Case(RefuseButton(live.challenge), "This challenge is between"),
        Case(ListedShowButton(live.challenge, 0), "This challenge is between others"),
        Case(ListedDropButton(live.challenge, 0), "This challenge is between others"),
        Case(TakeOfferButton(live.challenge), "This challenge is for"),
        Case(KeepOfferingButton(live.lobby), "can change, start or withdraw this game."),
        Case(LeaveButton(live.lobby), "You have not joined this game."),
        Case(StartButton(live.lobby), "can change, start or withdraw this game."),
        Case(ChangeButton(live.lobby), "can change, start or withdraw this game."),
        Case(TableSelect(live.lobby, "seats"), "can change, start or withdraw this game.", "3"),
        Case(MembersSelect(live.lobby), "can change, start or withdraw this game.", own),
        Case(RemoveButton(live.lobby, ada), "can change, start or withdraw this game."),
        Case(RematchButton(live.over), "Only those who played"),
        Case(JoinCupButton(live.cup), "Nobody can join this cup any more"),
        Case(LeaveCupButton(live.cup), "This cup has started"),
        Case(QuitCupButton(live.cup), "You do not take part in this cup."),
        Case(ManageCupButton(live.cup), "can change it."),
        Case(StartCupButton(live.cup), "can change it."),
        Case(LateCupButton(live.cup), "can change it."),
        Case(RemoveCupSelect(live.cup), "can change it.", own),
        Case(CorrectCupButton(live.cup), "can change it."),
        Case(EndCupButton(live.cup), "can change it."),
        Case(SettingSelect("theme"), "Only members with the permission Manage Server", "slate"),
        Case(ChannelSetting("channels"), "Only members with the permission Manage Server", lounge),
        Case(PageButton("posts"), "Only members with the permission Manage Server"),
        Case(ExclusionSelect(), "Only members with the permission Manage Server", own),
        Case(ReportButton(live.open), "Games cannot be reported here"),
        Case(FeedbackButton(), "I cannot send feedback to the operator."),
        Case(VoteCodeButton(), "Only members with the permission Manage Server"),
        Case(AcceptVoteButton("0123456789"), "Only members with the permission Manage Server"),
        Case(VoteGameButton(), "Only members with the permission Manage Server"),
        Case(SetupButton(), "Only members with the permission Manage Server"),
        Case(NotNowButton(), Looks.FREELY),
        Case(ShowLeaderboardButton(0, 0, "-", "here", "always"), private),
        Case(ShowProfileButton(ada, "-", "here"), private),
        Case(ShowVersusButton(ada, grace), private),
        Case(ShowAchievementsButton(ada), private),
        Case(ShowHistoryButton(0, "-", 0, 0, "-"), private),
        Case(ShowReplayButton(live.over, 0, "whole"), private),
        Case(ShowReviewButton(live.over, 0), private),
        Case(ServersButton(0, "more"), OWNERS),
        Case(LeaveServerButton(1), OWNERS),
        Case(ProofButton(live.open), "Nothing is sealed"),
        Case(WhyNotButton(live.open), "Every move that looks legal in"),
        Case(WholeBoardButton(live.open), "leaves nothing out now"),
        Case(TouchButton(live.open), "cannot be opened for tapping"),
        Case(RecordStepButton(0, "first"), "record"),
        Case(PlayGameSelect(1), "`chess` is no game here", "chess"),
        Case(PlayGameButton(1, "chess"), "`chess` is no game here"),
        Case(OpenButton(live.open), "is played by"),
        Case(ShowBoardButton(live.open), "is played by"),
        Case(ChallengeButton(), Looks.FREELY),
        Case(BeginnerButton("chess"), "`chess` is no game here"),
        Case(PlayLevelSelect(), Looks.FREELY, "2"),
        Case(PlayMeButton(), Looks.FREELY),
        Case(MoveMenu("3"), playing, str(live.open)),
        Case(BoardMenu("text"), Looks.FREELY, str(live.open)),
        Case(MoreButton(live.open), Looks.FREELY),
        Case(TextBoardButton(live.hidden), Looks.FREELY),
        Case(RulesButton("alaric"), Looks.FREELY),
        Case(LessonButton("alaric"), Looks.FREELY),
        Case(LessonButton("alaric", 1, "next"), Looks.FREELY),
        Case(LearnButton("alaric"), Looks.OWN),
        Case(LearnButton("alaric", 2, "skip"), Looks.OWN),
        Case(LearnSelect(), Looks.OWN, "alaric"),
        Case(LessonsButton(), Looks.FREELY),
        Case(PlayButton(StepTarget("alaric", 0), 4, "6"), Looks.OWN),
        Case(PuzzleButton(A_PUZZLE), Looks.OWN),
        Case(ServerPuzzlesButton(), Looks.FREELY),
        Case(ServerPuzzleSelect(), Looks.OWN, A_PUZZLE),
        Case(PlayButton(PuzzleTarget(A_PUZZLE), 0, "1"), Looks.OWN),
        Case(PuzzleLineButton(A_PUZZLE), "You have not done this puzzle yet"),
        Case(RunButton("rules"), Looks.FREELY),
        Case(RunHereButton(1), "This run belongs to another member"),
        Case(AnotherButton("xlines", 1), Looks.OWN),
        Case(ArchiveSelect("xlines", 1, "game"), Looks.OWN, "skull"),
        Case(ShowPuzzleButton(A_PUZZLE), private),
        Case(RulesSelect(["alaric"]), Looks.FREELY, "alaric"),
        Case(CommandsButton(), Looks.FREELY),
        Case(StepButton(live.over, 0, "first"), Looks.FREELY),
        Case(WatchButton(live.over), Looks.FREELY),
        Case(WatchSelect(), Looks.FREELY, str(live.over)),
        Case(HistoryPageButton("older", live.over, "-", 0, 0, "-"), Looks.FREELY),
        Case(HistoryButton("Games", "-", 0, 0, "-"), Looks.FREELY),
        Case(HistorySelect("game", "-", 0, 0, "-"), Looks.FREELY, "alaric"),
        Case(AchievementsButton(ada), Looks.FREELY),
        Case(VersusButton(ada), Looks.FREELY),
        Case(GamesButton(0, "back"), Looks.FREELY),
        Case(LeaderboardPageButton("first", 0, 0, "-", "here", "always"), Looks.FREELY),
        Case(GameSelect("here", "always"), Looks.FREELY, "alaric"),
        Case(LeaderboardSelect("-"), Looks.FREELY, "here:week"),
        Case(ProfileGameSelect(ada, "here"), Looks.FREELY, "alaric"),
        Case(ProfileScopeButton(ada, "-", "everywhere"), Looks.FREELY),
        Case(ProofSelect(), Looks.FREELY, f"{live.over}:yorick"),
        Case(AwayButton(), Looks.FREELY),
        Case(BackButton(), "You are not away"),
        Case(BlockSelect(), Looks.OWN, str(ada)),
        Case(PrivacyButton(), Looks.FREELY),
        Case(ExportButton(), Looks.FREELY),
        Case(DeleteButton(), Looks.FREELY),
        Case(PreferenceSelect("notice"), Looks.OWN, "none"),
        Case(PreferencesPageButton("play"), Looks.FREELY),
        Case(InterestButton(), Looks.FREELY),
        Case(DigestButton(), Looks.FREELY),
        Case(ReallyDeleteButton(), Looks.OWN, content=True),
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
    return Live(running.match, hidden.match, last.match, number(asked), number(lobby), draw, number_of_cup)


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
        for message in replies:
            assert message["ephemeral_for"] == self.presser.id
            await self.presser.post("dismiss", message=message["id"])
        with self._local.world.store.transaction():
            if left:
                self._local.world.remove_message(self._local.world.messages[self.lounge][source["id"]])
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

        return await found_in(self.presser, find, self.lounge)

    def _messages(self) -> dict[str, str]:
        """The texts of the messages in the channel of the games, by their ids."""
        found = self._local.world.messages[self.other.channel]
        return {id_: f"{it.body} {it.files} {it.pinned_at}" for id_, it in found.items()}

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


@whole_or_sample
async def test_members_press_buttons_that_are_not_theirs(club: Club, whole: bool) -> None:
    live = await going_on(club)
    await all_published(club.folder)
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
PAGES = (
    HistoryButton,
    HistoryPageButton,
    HistorySelect,
    ShowHistoryButton,
    LeaderboardPageButton,
    ShowLeaderboardButton,
)
"""Kinds whose numbers say where a page of what this server may see begins."""
BY_NUMBER = ("move", "board", "review", "replay")
"""The commands that take the number of a game."""
NOT_THERE = "999999"


@whole_or_sample
async def test_numbers_of_another_server_are_answered_like_unknown_ones(
    contract: Contract, tmp_path: Path, whole: bool
) -> None:
    """A member of one server uses every button, menu and command with the numbers of another server's games."""
    made = Sandbox(servers=2, channels=CHANNELS, privileged=False, observe=contract)
    async with (
        made as local,
        bot_at(local.url, tmp_path) as bot,
        players_by_server(local.url, local.world) as (here, there),
    ):
        club = Club(local, bot, tmp_path, *here)
        live = await going_on(club)
        await all_published(tmp_path)
        stranger = Onlooker(club, there[2], club.grace)
        stranger.lounge = next(
            id_
            for id_, it in local.world.channels.items()
            if it.get("name") == "lounge" and it["guild_id"] != local.world.guild["id"]
        )
        tried = set[tuple[type[PersistentItem[Any]] | None, str, str]]()
        for case in cases(live, int(club.ada.id), int(club.grace.id), stranger.lounge, stranger.presser.id):
            menu = isinstance(case.item, WatchSelect | ProofSelect | MatchMenu)
            if isinstance(case.item, PAGES) or not (menu or numbers(case.item)):
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
    return {kind for kind in PersistentItem.kinds if kind.__module__.startswith("bot.")}


def numbers(item: PersistentItem[Any]) -> set[str]:
    """The groups of a custom id that name a game, a challenge, an offer or a member. An exercise has none."""
    exercise = isinstance(getattr(item, "target", None), ExerciseTarget)
    return set() if exercise else NUMBERED & set(item.template.groupindex)


def assert_refused(replies: Sequence[Json], words: str = "") -> None:
    """One sentence, with these words in it, and nothing else."""
    (reply,) = replies
    assert SENTENCE.fullmatch(text_of(reply)), text_of(reply)
    assert words in text_of(reply)
