"""The words for prompts: how the answer to a prompt is written, and what its button is called."""

from functools import singledispatch

from rules.core.prompt import (
    CellPrompt,
    NumberPrompt,
    Prompt,
    RowPrompt,
    SegmentPrompt,
    StepPrompt,
    WordsPrompt,
)

OPEN_LABEL = "Secret move"
"""The label of the button that opens a private board, where `open_label` has no better one."""


@singledispatch
def open_label(prompt: Prompt | None) -> str:
    """Return the label of the button that opens a private board to answer a prompt."""
    return OPEN_LABEL


@open_label.register
def _lay(prompt: RowPrompt) -> str:
    return "Lay my cards"


@open_label.register
def _search(prompt: WordsPrompt) -> str:
    return "Find palindromes"


@singledispatch
def how_to_write(prompt: Prompt) -> str:
    """Return how the answer to a prompt is written, in at most 100 characters."""
    return prompt.ask


@how_to_write.register
def _cell(prompt: CellPrompt) -> str:
    return f"Name the {prompt.noun}, like {prompt.example}."


@how_to_write.register
def _step(prompt: StepPrompt) -> str:
    return prompt.how or f"Name the cell that you go to, like {prompt.example}."


@how_to_write.register
def _number(prompt: NumberPrompt) -> str:
    if all(text.isdecimal() for text in prompt.choices):
        return f"Type its number, like {prompt.example}."
    return "Type its number, or several numbers with a hyphen between."


@how_to_write.register
def _segment(prompt: SegmentPrompt) -> str:
    starts = {text.split("-")[0] for text in prompt.choices}
    free = f" You may leave out {starts.pop()}." if len(starts) == 1 else ""
    if prompt.bends:
        return f"Name its start, its corner if it turns, and its end, with hyphens between.{free}"
    if prompt.sides:
        return f"Name both ends of the {prompt.noun}, with a hyphen: {prompt.example}."
    return f"Name its start and its end, with a hyphen between.{free}"
