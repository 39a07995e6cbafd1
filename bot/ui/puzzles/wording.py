"""Sentences about puzzles: the question, the worth of a move, and the result."""

from collections.abc import Sequence
from datetime import date

from bot.app.matches.loaded import name_of
from bot.app.mentions import mention
from bot.app.puzzles.puzzles import Record, Standing
from bot.ui.components.message_parts import seat_token, with_emoji
from bot.ui.components.wording import score
from db.values.puzzles import StoredMoment
from render.board.phrases import counted
from rules.core.notation import suits
from rules.core.sizes import spell
from rules.puzzles.puzzle import Puzzle, row_worth

DIFFICULTIES = {1: "One move", 2: "Two moves in a row", 3: "Three moves in a row", 4: "Four moves or more"}
"""The words for a puzzle's difficulty, by its only moves in a row; the last one holds for more as well."""
CARD_DIFFICULTIES = {1: "Easy", 2: "Medium", 3: "Hard", 4: "Very hard"}
"""The words for the difficulty of a puzzle with cards."""

UNRATED = " · does not change your puzzle rating"
AGAIN = " · a later try, which does not count"


def spell_day(day: date) -> str:
    """Return a day like `22 November`."""
    return f"{day.day} {day:%B}"


def puzzle_title(days: Sequence[date]) -> str:
    """Return the title of a puzzle that was published on these days, which begin with the last one."""
    return f"Puzzle of {spell_day(days[0])}" if days else "Puzzle"


def challenge(puzzle: Puzzle | StoredMoment) -> str:
    """Return the task in a few words, such as `one move wins`."""
    count = (len(puzzle.line) + 1) // 2
    one = "one move wins" if puzzle.value == 1 else "one move keeps the draw"
    return one if count == 1 else f"{one}, {count} times in a row"


def about(puzzle: Puzzle) -> str:
    """Return the game and the size of a puzzle."""
    game = puzzle.match.game
    return f"{with_emoji(game.key, game.sheet.title)} · {spell(game, dict(puzzle.match.setup.options))}"


def task(puzzle: Puzzle) -> str:
    """Return sentences with the seat of the member and the task."""
    count, mark = puzzle.only_moves, seat_token(puzzle.seat)
    you = f"You are {mark}, and it is your turn."
    if puzzle.lays:
        return f"You are {mark}. **{card_goal(puzzle)}** {ROW_WORTH}"
    if puzzle.cards:
        return f"You are {mark}. **{card_goal(puzzle)}** Your third wrong guess ends the attempt."
    if puzzle.value == 1:
        if count == 1:
            return f"{you} **You can win, but only by one move: find it.**"
        return f"{you} **{several(count)} only one wins.**"
    if count == 1:
        return f"{you} **One move keeps the draw, all others lose: find it.**"
    return f"{you} **{several(count)} only one keeps the draw.**"


ROW_WORTH = "A row is worth its red cards, less the different palindromes in it."


def card_goal(puzzle: Puzzle) -> str:
    """Return the task of a puzzle with cards as a sentence."""
    if puzzle.lays:
        worth = row_worth(_cards(puzzle.line[0]))
        return f"Lay your cards in a row that is worth {worth}, the most that they can be worth."
    return f"Find all {puzzle.only_moves} palindromes in the other row."


def _cards(move: str) -> str:
    """Return the cards of a move, without its verb."""
    return move.split()[-1]


def several(count: int) -> str:
    """Return the beginning of the task of a puzzle with several moves: `Two moves to find: each time`."""
    return f"{_NUMBERS.get(count, str(count))} moves to find: each time"


_NUMBERS = {2: "Two", 3: "Three", 4: "Four", 5: "Five"}


def heading(standing: Standing) -> str:
    """Return the title of a puzzle, its game and size, and whether the try counts."""
    counts = AGAIN if not standing.counts else UNRATED if standing.moment is not None else ""
    return f"### {_title(standing)}\n-# {about(standing.puzzle)}{counts}"


def verdict(standing: Standing) -> str:
    """Return the task of a puzzle, and the result of the last move."""
    lines = []
    if standing.solved is None:
        lines.append(task(standing.puzzle))
        if standing.puzzle.cards:
            lines += card_progress(standing.puzzle, standing.moves)
        elif standing.found:
            lines.append(f"Found so far: {_moves(standing.moves)}. {counted(_left(standing), 'move')} to go.")
    if standing.reply:
        lines.append(f"> `{standing.made}` is the only move. I answer `{standing.reply}`.")
    if standing.refusal is not None:
        lines.append(f"> {standing.refusal}")
    if standing.solved is not None:
        lines.append(f"> {_outcome(standing)}")
        if standing.moment is not None and not second_attempt(standing):
            lines.append(f"> {_in_the_game(standing.moment)}")
    return "\n".join(lines)


def _title(standing: Standing) -> str:
    moment = standing.moment
    if moment is None:
        return puzzle_title(standing.days)
    return f"{name_of(moment.game, moment.match)}, move {moment.ply + 1}"


def record_line(record: Record) -> str:
    """Return a member's days in a row, solved puzzles and rating as a small line; "" if they have done no puzzle."""
    if not record.solver.ended:
        return ""
    now, most = record.streak
    parts = [f"{counted(now, 'day')} in a row"] if now else []
    parts += [f"longest streak {counted(most, 'day')}"] if most > now else []
    parts += [
        f"{record.solver.solved} of {record.solver.ended} solved",
        f"rating {score(record.solver.skill)}",
    ]
    return f"-# Puzzles: {' · '.join(parts)}"


def _outcome(standing: Standing) -> str:
    puzzle, found = standing.puzzle, standing.found
    if puzzle.cards:
        return _card_outcome(standing)
    if standing.solved:
        all_found = "the only move" if puzzle.only_moves == 1 else f"all {puzzle.only_moves} moves"
        return f"**Solved.** You found {all_found}: {_moves(standing.moves)}."
    lost, better = standing.moves[-1], puzzle.answers[found]
    if second_attempt(standing):
        gives = "gives the win away" if puzzle.value == 1 else "loses"
        return f"**Not yet.** `{lost}` {gives}. Try once more, or look at the moves."
    if puzzle.value == 1:
        gives = f"`{lost}` gives the win away. Only `{better}` wins"
    else:
        gives = f"`{lost}` loses. Only `{better}` keeps the draw"
    so_far = f" You had found {_moves(standing.moves[:-1])}." if found else ""
    return f"**Not solved.** {gives}; it is marked with a tick.{so_far}"


def card_progress(puzzle: Puzzle, moves: Sequence[str]) -> list[str]:
    """Return lines with the palindromes found so far and the wrong guesses; none before the first move."""
    named = {
        right: [suits(_cards(it)) for it in moves if (it in puzzle.line) == right] for right in (True, False)
    }
    lines = (
        [f"Found {len(named[True])} of {puzzle.only_moves}: {', '.join(named[True])}."] if named[True] else []
    )
    return lines + ([f"Wrong guesses: {', '.join(named[False])}."] if named[False] else [])


def _card_outcome(standing: Standing) -> str:
    """Return the result of a puzzle with cards. It names the answer only after a second attempt."""
    puzzle, laid = standing.puzzle, _cards(standing.moves[-1])
    if puzzle.lays:
        row = f"Your row, {suits(laid)}, is worth {row_worth(laid)}"
        best = f"{suits(_cards(puzzle.line[0]))} is worth {row_worth(_cards(puzzle.line[0]))}."
        solved, answer = f"{row}, the most that your cards can be worth.", f"{row}. {best}"
        hint = f"{row}."
    else:
        solved = f"You found all {puzzle.only_moves} palindromes."
        hint = f"You found {standing.found} of {puzzle.only_moves} palindromes."
        missed = [suits(_cards(text)) for text in puzzle.line if text not in standing.moves]
        answer = f"{hint} You missed {', '.join(missed)}."
    if standing.solved:
        return f"**Solved.** {solved}"
    if second_attempt(standing):
        return f"**Not yet.** {hint} Try once more, or look at the moves."
    return f"**Not solved.** {answer}"


def second_attempt(standing: Standing) -> bool:
    """Return True if the first attempt has failed, so that the answer stays hidden for a second one."""
    return standing.counts and standing.solved is False


def _in_the_game(moment: StoredMoment) -> str:
    player = f"{mention(moment.user)} {seat_token(moment.seat)}"
    return f"In the game, {player} {'found it' if moment.found else f'played `{moment.played}`'}."


def line_text(standing: Standing, plies: int) -> str:
    """Return the text below the position after `plies` of the line."""
    line, keeps = standing.puzzle.line, "wins" if standing.puzzle.value == 1 else "keeps the draw"
    if standing.puzzle.cards:
        return _card_text(standing.puzzle, plies)
    played = "" if plies == 0 else f"`{line[plies - 1]}` was played. "
    if plies == len(line):
        ending = "Here the game is over." if standing.at(plies).match.over else "Here the line ends."
        return f"{played}{ending}"
    if plies % 2 == 0:
        return f"{played}Only `{line[plies]}` {keeps}; it is marked with a tick."
    return f"{played}The answer is `{line[plies]}`."


def _card_text(puzzle: Puzzle, plies: int) -> str:
    """Return the text below the position after `plies` of the line of a puzzle with cards."""
    if puzzle.lays:
        best = _cards(puzzle.line[0])
        return f"{suits(best)} is worth {row_worth(best)}. {ROW_WORTH}"
    found = f"{plies} of {counted(len(puzzle.line), 'palindrome')}."
    return (
        found
        if plies == len(puzzle.line)
        else f"{found} The next one is {suits(_cards(puzzle.line[plies]))}."
    )


def line_heading(standing: Standing, plies: int) -> str:
    """Return the title of the position after `plies` of the line."""
    where = f"move {plies} of {len(standing.puzzle.line)}" if plies else "the position"
    return f"### {_title(standing)}\n-# {about(standing.puzzle)} · {where}"


def shared_line(standing: Standing, record: Record, today: date) -> str:
    """Return the result of a member without the moves of the puzzle."""
    title = f"Pencilbox {puzzle_title(standing.days).replace('Puzzle', 'puzzle')}"
    game = with_emoji(standing.puzzle.game, standing.puzzle.match.game.sheet.title)
    thing = "palindrome" if standing.puzzle.cards and not standing.puzzle.lays else "move"
    parts = [
        "solved" if standing.solved else "not solved",
        f"{standing.found} of {counted(standing.puzzle.only_moves, thing)}",
    ]
    if standing.solved and today in standing.days and record.streak.now:
        parts.append(f"{counted(record.streak.now, 'day')} in a row")
    return f"**{title}**, {game}: {', '.join(parts)}"


def _moves(moves: Sequence[str]) -> str:
    return ", ".join(f"`{text}`" for text in moves)


def _left(standing: Standing) -> int:
    return standing.puzzle.only_moves - standing.found
