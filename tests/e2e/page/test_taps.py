"""The taps and scrolls that a move takes, counted in the page on a desktop and on a phone. The table of them stands in
docs/playing.md.

Set PENCILBOX_SCREENSHOTS to a folder to keep a picture of what is seen before every tap on the phone.
"""

import os
import random
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import pytest
from playwright.async_api import TimeoutError as TooLate
from playwright.async_api import expect

from bot.ui.moves.controls import each_has_button
from bot.ui.moves.parts import ON_BOARD, Part, divide
from rules.core.match import Match
from rules.core.prompt import CellPrompt, Prompt, SegmentPrompt, StepPrompt
from rules.games import find
from tests.e2e import secret_rows
from tests.e2e.club import Club
from tests.e2e.panels import panel_at
from tests.e2e.play import by_command, challenge
from tests.rules.walks import step
from tests.sandbox.page.chat import Chat
from tests.sandbox.page.windows import Windows

WIDTHS = {"desktop": 1280, "phone": 400}
HEIGHT = 800
MOST = 3
"""Taps for a move where more than 20 are legal."""

MOMENTS = {
    "skull": {0: "first skull", 5: "next skull"},
    "alaric": {0: "first stone", 6: "next stone"},
    "xlines": {0: "first x", 5: "next x", 8: "first line", 10: "next line"},
    "polygons": {0: "first dot", 5: "next dot", 10: "first segment", 12: "next segment"},
    "spaghetti": {0: "first meatball", 5: "next meatball", 8: "first strand", 13: "next strand"},
    "maze": {0: "first wall", 4: "next wall"},
    "cocomposite": {0: "first number", 6: "next number"},
}
"""By game, the moves that are counted: the plies before them, and their names. Filling a maze is found by itself."""

CARDS = "palindromes"
NARROWEST = 270
"""The pixels of the width of a board, and of a picture above its parts, that make its labels legible on a phone."""
LOOK = 50
"""Milliseconds between two looks at the page; looking at every frame keeps a processor busy."""

VISIBLE = """key => {
    const found = document.querySelector(`button[data-key="${key}"]`);
    const message = found?.closest("article.message");
    const shown = message?.querySelector(".picture")?.getBoundingClientRect();
    if (shown && !message.contains(document.elementFromPoint(shown.x + shown.width / 2, shown.y + 2))) return false;
    const moves = ["play", "among", "hand", "order", "swap", "seal", "point"].map(it => `[data-key^='${it}:']`);
    return message && [...message.querySelectorAll(`button:is(${moves})`)].every(it => {
        const box = it.getBoundingClientRect();
        return it.contains(document.elementFromPoint(box.x + box.width / 2, box.y + box.height / 2));
    });
}"""
"""True if the button of this key, all others of its message and the top of its picture are in view and uncovered."""
PICTURE = """button => {
    const shown = button.closest("article.message").querySelector(".picture");
    return shown ? shown.getBoundingClientRect().width : Infinity;
}"""
AT_REST = "() => document.fonts.status === 'loaded' && [...document.images].every(image => image.complete)"
"""True if all pictures and fonts are there, so that nothing moves by itself."""


@dataclass(frozen=True)
class Row:
    """A row of the table: a move, the number of legal ones (None where moves are secret), and for each width the taps
    and the scrolls."""

    game: str
    move: str
    legal: int | None
    counted: tuple[tuple[int, int], ...]

    def __str__(self) -> str:
        cells = [f"{taps}" + (f" and {scrolls} scrolls" if scrolls else "") for taps, scrolls in self.counted]
        return f"| {self.game} | {self.move} | {self.legal or 'secret'} | {' | '.join(cells)} |"


def longest_way(prompt: Prompt) -> tuple[tuple[str, ...], str]:
    """The paths of the parts that lead to a move that takes as many taps as any, and that move."""
    if each_has_button(prompt) or isinstance(prompt, StepPrompt):
        return (), prompt.choices[len(prompt.choices) // 2]
    if first := offered_first(prompt):
        return (), first[-1]
    return _inside(prompt, Part("", prompt.choices), "")


def offered_first(prompt: Prompt) -> tuple[str, ...]:
    """The moves that alone are buttons on the board: the cheapest lines, or cells all over the board."""
    if isinstance(prompt, CellPrompt):
        return prompt.spread
    return prompt.cheapest if isinstance(prompt, SegmentPrompt) else ()


def other_way(prompt: Prompt) -> tuple[tuple[str, ...], str] | None:
    """The paths to a move that is not among those offered first; None if all moves or none are offered first."""
    if len(offered_first(prompt)) in (0, len(prompt.choices)):
        return None
    paths, move = _inside(prompt, Part("", prompt.choices), "")
    return ("", *paths), move


def _inside(prompt: Prompt, part: Part, path: str) -> tuple[tuple[str, ...], str]:
    parts = [it for row in divide(prompt, part) for it in row]
    if not parts:
        return (), part.moves[len(part.moves) // 2]
    ways = []
    for index, it in enumerate(parts):
        # A part with the name of its only move has the button of this move.
        if it.moves and it.moves != (it.name,):
            deeper, move = _inside(prompt, it, f"{path}{index}.")
            ways.append(((f"{path}{index}.", *deeper), move))
    return max(ways, key=lambda way: len(way[0])) if ways else ((), part.moves[0])


class Member:
    """A member who makes a move by tapping, in one window."""

    def __init__(self, chat: Chat, pictures: Path | None) -> None:
        self._chat = chat
        self._pictures = pictures

    async def taps(
        self, match: int, plies: int, way: tuple[tuple[str, ...], str], *, play: bool, name: str = ""
    ) -> tuple[int, int]:
        """Tap on to a move, and `play` it or not. Returns the taps, with that on the move itself, and the scrolls."""
        paths, move = way
        keys = [*(f"among:{match}:{plies}:{path}" for path in paths), f"play:{match}:{plies}:{move}"]
        counted = await self.follow(keys, play=play, name=name)
        if paths and not play:
            await self.dismiss()
        return counted

    async def dismiss(self) -> None:
        """Take the private message away."""
        dismiss = self._chat.page.locator("[data-key='dismiss']")
        await dismiss.click()
        await expect(dismiss).to_have_count(0)

    async def follow(self, keys: Sequence[str], *, play: bool, name: str = "") -> tuple[int, int]:
        """Tap these buttons one after the other, the last one only to `play`. Returns the taps and the scrolls."""
        scrolls = 0
        for number, key in enumerate(keys, 1):
            press = play or number < len(keys)
            scrolls += await self.tap(key, press=press, name=name and f"{name}-{number}")
        return len(keys), scrolls

    async def tap(self, key: str, *, press: bool = True, name: str = "") -> bool:
        """Find the button whose key begins so, and `press` it or not. Returns True if that takes a scroll."""
        button = self._chat.page.locator(f"button[data-key^='{key}']:not(:disabled)").last
        await expect(button).to_be_visible()
        await self._chat.page.wait_for_function(AT_REST, polling=LOOK)
        assert await button.evaluate(PICTURE) >= NARROWEST
        scrolls = not await self._in_view(await button.get_attribute("data-key") or key)
        if self._pictures is not None and name:
            await self._chat.page.screenshot(path=self._pictures / f"taps-{name}.png")
        if press:
            await button.click()
        return scrolls

    async def _in_view(self, key: str) -> bool:
        """True if no scroll is needed to see the button of this key and those beside it."""
        try:
            await self._chat.page.wait_for_function(VISIBLE, arg=key, polling=LOOK)
        except TooLate:
            return False
        return True


@pytest.mark.soak
@pytest.mark.parametrize("game", [*MOMENTS, CARDS])
async def test_every_move_takes_few_taps_and_no_scroll(club: Club, windows: Windows, game: str) -> None:
    """In `make test`, `test_first_game.py` counts taps on a phone."""
    pictures = Path(folder) if (folder := os.environ.get("PENCILBOX_SCREENSHOTS")) else None
    async with windows.lend(width=WIDTHS["desktop"], height=HEIGHT) as chat:
        if game == CARDS:
            rows = await counted_cards(club, chat, pictures)
        else:
            rows = await counted(club, chat, game, pictures)
        assert chat.faults == []
    assert rows
    for row in rows:
        for taps, scrolls in row.counted:
            few = row.legal is not None and row.legal <= ON_BOARD and "wall" not in row.move
            assert taps <= (1 if few else MOST), row
            assert scrolls == 0, row
    table = "\n".join(map(str, rows))
    documented = Path("docs/playing.md").read_text(encoding="utf-8")
    assert table in documented, f"The table in docs/playing.md should hold these rows:\n{table}"


async def counted(club: Club, chat: Chat, game: str, pictures: Path | None) -> list[Row]:
    """Play a game by typed moves, and count at its moments."""
    chance = random.Random(1)
    match = Match.start(find(game), find(game).sizes["standard"], 2)
    panel = await challenge(club.ada, club.grace, game)
    moments = dict(MOMENTS[game])
    member = Member(chat, pictures)
    rows = []
    while len(match.log) <= max(moments) or (game == "maze" and len(moments) == 2):
        plies = len(match.log)
        mover, _ = club.by_turn(panel)
        after = step(match, chance)
        if plies in moments:
            prompt = match.observe(match.to_move[0]).prompt
            assert prompt is not None
            found, others = [], []
            way, other = longest_way(prompt), other_way(prompt)
            await chat.page.goto(f"{club.local.url}/?as={mover.id}")
            for width in WIDTHS.values():
                await chat.page.set_viewport_size({"width": width, "height": HEIGHT})
                last = width == WIDTHS["phone"]
                name = f"{game}-{plies}" if last else ""
                if other is not None:
                    others.append(
                        await member.taps(
                            panel.match, plies, other, play=False, name=name and f"{name}-other"
                        )
                    )
                found.append(await member.taps(panel.match, plies, way, play=last, name=name))
            if other is not None:
                title = find(game).sheet.title
                rows.append(Row(title, f"{moments[plies]} by **Others**", len(prompt.choices), tuple(others)))
            rows.append(Row(find(game).sheet.title, moments[plies], len(prompt.choices), tuple(found)))
            after = match.play(match.to_move[0], longest_way(prompt)[1])
        else:
            await chat.page.goto("about:blank")  # a page that looks on costs more than the moves
            await by_command(mover, panel, after.log[-1].text)
        panel = await panel_at(mover, panel.match, plies + 1)
        match = after
        if game == "maze" and len(moments) == 2 and match.observe(None).phase == "fill":
            moments |= {plies + 1: "first section", plies + 5: "next section"}
    return rows


async def counted_cards(club: Club, chat: Chat, pictures: Path | None) -> list[Row]:
    """Lay and search rows of cards, on the phone to the end, and count."""
    panel = await challenge(club.ada, club.grace, CARDS)
    match, member = panel.match, Member(chat, pictures)
    laid: list[tuple[int, int]] = []
    found: list[tuple[int, int]] = []
    again: list[tuple[int, int]] = []
    for width in WIDTHS.values():
        await chat.page.set_viewport_size({"width": width, "height": HEIGHT})
        await chat.page.goto(f"{club.local.url}/?as={club.ada.id}")
        phone = width == WIDTHS["phone"]
        keys = [f"hand:{match}:{panel.plies}", f"seal:{match}:{panel.plies}"]
        laid.append(await member.follow(keys, play=phone, name="palindromes-row" if phone else ""))
        if phone:
            await expect(chat.page.get_by_text("your row is sealed")).to_be_visible()
        await member.dismiss()
    await secret_rows.lay(club.grace, await panel_at(club.grace, match, panel.plies + 1), reds_first=True)
    panel = await panel_at(club.ada, match, panel.plies + 2)
    for width in WIDTHS.values():
        await chat.page.set_viewport_size({"width": width, "height": HEIGHT})
        await chat.page.goto(f"{club.local.url}/?as={club.ada.id}")
        phone = width == WIDTHS["phone"]
        # Grace's red cards lie first: first one is named alone, then two.
        for last, counts in ((1, found), (2, again)):
            point = f"point:{match}:{panel.plies}:1"
            keys = [f"{point}:0", f"{point}:{last}"]
            keys = [f"hand:{match}:{panel.plies}", *keys] if last == 1 else keys
            name = f"palindromes-find{last}" if phone else ""
            counts.append(await member.follow(keys, play=phone, name=name))
            if not phone:
                await member.tap(f"point:{match}:{panel.plies}:0:0")
                await member.tap(f"{point}:0", press=False)
        if not phone:
            await member.dismiss()
    title = find(CARDS).sheet.title
    moves = {"row as proposed": laid, "first palindrome": found, "next palindrome": again}
    return [Row(title, name, None, tuple(counts)) for name, counts in moves.items()]
