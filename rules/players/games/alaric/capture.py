"""Captures on a ring whose cells are the bits of an integer, cell 1 the lowest."""


def captured(own: int, enemy: int, cell: int, size: int) -> int:
    """Return the enemy stones that a new stone of one's own on `cell` takes off. `own` need not hold it."""
    if size == 1:
        return 0
    rest = size - 1
    # Both sets are turned round so that bit 0 is the next cell after `cell`, and `cell` itself is left out.
    turn = (cell + 1) % size
    back = size - turn
    full = (1 << rest) - 1
    foes = (enemy >> turn | enemy << back) & full
    friends = own >> turn | own << back
    taken = 0
    if foes & 1:
        bound = ~foes & (foes + 1)  # the first cell after the run; beyond `full` it is the new stone itself
        if friends & bound or bound > full:
            taken = bound - 1
    if foes >> rest - 1:
        length = (foes ^ full).bit_length()  # the run's cells are above this one
        if not length or friends >> (length - 1) & 1:
            taken |= full >> length << length
    return (taken << turn | taken >> back) & ((1 << size) - 1) if taken else 0
