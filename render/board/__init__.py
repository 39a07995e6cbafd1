"""Helpers for the picture and the text of a game, by what they are for.

Register a game, in `render/games/<key>.py` or a package of that name:
    game_board      `Board`, the drawn board; `draw_board`, for which a game registers its picture
    text            `Description`, the position in words; `describe`, for which a game registers its text; `lettered`,
                    a text board with the letters and numbers of its cells
    annotations.draft
                    `lay_row` and `point_at`, only for games in which a player lays or searches a row of cards in secret

Lay out a board and name its spots:
    squares         `Squares`: squared paper with grid, letters and numbers, of any width and height, whole or in part;
                    `Lattice`: the middles of square cells, their letters and numbers, without a grid
    spots           `spot_by_cells` for boards with cells or points like `c4`; `Spot` and `spot_through` for others

Draw and write:
    seats           `piece`, a round piece of a seat with its mark; `marking`, the mark alone; `who`, a seat in prose;
                    `SEAT_MARKS`, the words, signs and letters of seats; text, seat marks and spaces in one line,
                    for legends
    phrases         plurals, ranges of numbers and lines of limited width, for sentences and text boards; `joined` of
                    `rules.core.notation` makes lists

In `render.engine`: `scene` has the shapes (`Stroke`, `Area`, `Disc`, `Ring`, `Text`, `Group`), the corners of a
`rectangle` and the roles of colours, `theme.SEATS` the colours of seats, `hatch` hatching, and the point of an area
with the most room for a label, `fonts` measures of text.

The rest is the same for all games: `page` draws turn, scores and result around a board and celebrates a win,
`phrases` names early endings, `players` names the players of a match. In `annotations`, `correction` and
`rejected_move` mark moves that the rules reject, `advice` marks a better move, `candidates` marks what a player is
choosing from.
"""
