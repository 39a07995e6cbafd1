"""The daily message fits into a message of Discord."""

from bot.ui.matches.direct_message_task import FOOT, LONGEST, MORE, fitted


def test_daily_message_is_cut_at_a_line() -> None:
    lines = [f"- game {number} {'x' * 90}" for number in range(30)]
    text = fitted(lines)
    shown = text.split("\n")
    assert shown == [*lines[: len(shown) - 2], MORE, FOOT]
    assert LONGEST - 101 < len(text) <= LONGEST
    assert fitted(lines[:3]) == "\n".join([*lines[:3], FOOT])
