"""The buttons and menus of earlier versions are answered: their messages are posted and never change by themselves."""

from typing import Any, cast

import bot.pencilbox  # noqa: F401 - imports every kind of button and menu
from bot.ui.interactions.buttons import PersistentItem

USER, OTHER = 80351110224678912, 80351110224678913

POSTED: tuple[tuple[str, tuple[int | str, ...]], ...] = (
    ("accept:12", (12,)),
    ("achievements:watch", ()),
    ("agree:12", (12,)),
    (f"career:{USER}:here", (USER, "here")),
    (f"career:{USER}:everywhere", (USER, "everywhere")),
    (f"career-in:{USER}:alaric:here", (USER, "alaric", "here")),
    (f"career-in:{USER}:-:everywhere", (USER, "-", "everywhere")),
    ("disagree:12", (12,)),
    ("draw:17", (17,)),
    ("games:0:back", (0, "back")),
    ("games:3:more", (3, "more")),
    ("hand:17:4", (17, 4)),
    ("help:commands", ()),
    ("help:rules", ()),
    ("history:newer:25:-:0:0:-", ("newer", 25, "-", 0, 0, "-")),
    (f"history:older:25:alaric:{USER}:{OTHER}:won", ("older", 25, "alaric", USER, OTHER, "won")),
    ("history:watch", ()),
    ("ladder:first:0:0:-:here:always", ("first", 0, 0, "-", "here", "always")),
    (f"ladder:mine:-12:{USER}:maze:everywhere:season", ("mine", -12, USER, "maze", "everywhere", "season")),
    (f"ladder:back:1500:{USER}:maze:here:week", ("back", 1500, USER, "maze", "here", "week")),
    (f"ladder:forward:1500:{USER}:maze:here:always", ("forward", 1500, USER, "maze", "here", "always")),
    ("ladder-board:-", ("-",)),
    ("ladder-board:alaric", ("alaric",)),
    ("ladder-game:here:always", ("here", "always")),
    ("ladder-game:everywhere:season", ("everywhere", "season")),
    ("ladder-game:here:week", ("here", "week")),
    ("lay:17:4:red:R", (17, 4, "red", "R")),
    ("lay:17:4:black:RRB", (17, 4, "black", "RRB")),
    ("lay:17:4:back:RR", (17, 4, "back", "RR")),
    ("lay:17:4:clear:", (17, 4, "clear", "")),
    ("leave:12", (12,)),
    ("letters:17", (17,)),
    ("more:17", (17,)),
    ("name:17:4", (17, 4)),
    ("narrow:17:4:", (17, 4, "")),
    ("narrow:17:4:3.11", (17, 4, "3.11")),
    ("part:17:4:", (17, 4, "")),
    ("part:17:4:4.11.", (17, 4, "4.11.")),
    ("pick:17:4", (17, 4)),
    ("play:17:4:c3", (17, 4, "c3")),
    ("play:17:4:a1-b2 c3:d4", (17, 4, "a1-b2 c3:d4")),
    ("prefer:theme", ("theme",)),
    ("prefer:notice", ("notice",)),
    ("prefer:forced", ("forced",)),
    ("prefer:away", ("away",)),
    ("prefer:listed", ("listed",)),
    ("privacy:delete", ()),
    ("privacy:export", ()),
    ("privacy:really-delete", ()),
    ("really-resign:17", (17,)),
    ("record:3:first", (3, "first")),
    ("record:3:back", (3, "back")),
    ("record:3:forward", (3, "forward")),
    ("record:3:last", (3, "last")),
    ("refuse:12", (12,)),
    ("rematch:17", (17,)),
    ("removals:12", (12,)),
    (f"remove:12:{USER}", (12, USER)),
    ("resign:17", (17,)),
    ("row:17:4", (17, 4)),
    ("rules:alaric", ("alaric",)),
    ("seal:17:4:arrange RRBB", (17, 4, "arrange RRBB")),
    ("setting:theme", ("theme",)),
    ("setting:games", ("games",)),
    ("setting:clock", ("clock",)),
    ("setting:threads", ("threads",)),
    ("setting:podium", ("podium",)),
    ("setting:everywhere", ("everywhere",)),
    ("setting:channels", ("channels",)),
    ("setting:results", ("results",)),
    ("start:12", (12,)),
    ("step:17:3:first", (17, 3, "first")),
    ("step:17:3:back", (17, 3, "back")),
    ("step:17:3:forward", (17, 3, "forward")),
    ("step:17:3:last", (17, 3, "last")),
    ("stop:17:4:0", (17, 4, 0)),
    ("stop:17:4:1", (17, 4, 1)),
    ("takeback:17", (17,)),
    ("type:17:4", (17, 4)),
    ("watch:17", (17,)),
)
"""Custom ids and their arguments. Frozen: at commit 0f7ae59 these met all of the 43 kinds, and every word in them."""

SINCE: tuple[tuple[str, tuple[int | str, ...]], ...] = (
    ("beginner:alaric", ("alaric",)),
    ("choose-game:12", (12,)),
    ("hint:17", (17,)),
    ("how:alaric:0:open", ("alaric", 0, "open")),
    ("how:alaric:2:words", ("alaric", 2, "words")),
    ("learn", ()),
    ("learn:skull:3:open", ("skull", 3, "open")),
    ("learn:skull:3:hint", ("skull", 3, "hint")),
    ("lessons", ()),
    ("lineback:5:4", (5, 4)),
    ("linebetter:5", (5,)),
    ("linemove:5:4", (5, 4)),
    ("listed-drop:12:0", (12, 0)),
    ("listed-show:12:3", (12, 3)),
    ("moment:17:2:open", (17, 2, "open")),
    ("moment:17:2:overview", (17, 2, "overview")),
    ("order:17:4:R2:RB.RB", (17, 4, "R2", "RB", "RB")),
    ("order:17:4:back:RB.", (17, 4, "back", "RB", "")),
    ("part:17:4:", (17, 4, "")),
    ("part:17:4:3.11", (17, 4, "3.11")),
    ("play-game:3", (3,)),
    ("play-level", ()),
    ("play-me", ()),
    ("point:17:4:0:24", (17, 4, 0, 24)),
    ("proof:17", (17,)),
    ("puzzle:skull-3fa9c1d0:open", ("skull-3fa9c1d0", "open")),
    ("puzzle-line:skull-3fa9c1d0:2:next", ("skull-3fa9c1d0", 2, "next")),
    ("puzzle-next:skull:5", ("skull", 5)),
    ("puzzles:server", ()),
    ("puzzles:server:choose", ()),
    ("puzzles:skull:5:difficulty", ("skull", 5, "difficulty")),
    ("review:17", (17,)),
    ("setting:puzzles", ("puzzles",)),
    ("settings:page:posts", ("posts",)),
    (f"show-awards:{USER}", (USER,)),
    (f"show-career:{USER}:-:here", (USER, "-", "here")),
    (f"show-history:25:alaric:{USER}:{OTHER}:won", (25, "alaric", USER, OTHER, "won")),
    (f"show-ladder:1500:{USER}:maze:here:week", (1500, USER, "maze", "here", "week")),
    ("show-puzzle:skull-3fa9c1d0", ("skull-3fa9c1d0",)),
    ("show-review:17:2", (17, 2)),
    ("show-step:17:3:whole", (17, 3, "whole")),
    (f"show-versus:{USER}:{OTHER}", (USER, OTHER)),
    ("solve:skull-3fa9c1d0:play:0:0:c3", ("solve:skull-3fa9c1d0", 0, 0, "c3")),
    ("swap:17:4:2:RB.RB", (17, 4, 2, "RB", "RB")),
    ("try:skull:3:play:0:0:c3", ("try:skull:3", 0, 0, "c3")),
    ("whatif:17:2", (17, 2)),
    ("why:17", (17,)),
)
"""Those that the versions after 0.1 added until commit 50da8a01, but for the button of a mode that ends."""


def kinds() -> list[type[PersistentItem[Any]]]:
    """Every kind of button and menu that the bot registers."""
    return [kind for kind in PersistentItem.kinds if kind.__module__.startswith("bot.")]


async def test_posted_custom_ids_keep_their_meaning() -> None:
    for custom_id, arguments in POSTED + SINCE:
        found = [(kind, match) for kind in kinds() if (match := kind.pattern.fullmatch(custom_id))]
        assert len(found) == 1, f"{len(found)} kinds answer to {custom_id}"
        kind, match = found[0]
        assert tuple(it for it in match.groups() if it is not None) == tuple(map(str, arguments)), custom_id
        # No kind asks for the interaction or for the item that was pressed.
        item = await kind.from_custom_id(cast("Any", None), cast("Any", None), match)
        assert item.custom_id == custom_id
