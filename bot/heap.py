"""The heap of the C library that this process runs on."""

import ctypes

_M_ARENA_MAX = -8
"""The number by which glibc knows the most heaps that a process may have."""


def share_one_heap() -> None:
    """Let all threads share one heap, where the C library is glibc, which would give several to each processor.

    What one thread has freed in a heap of its own the others cannot use: pictures, which pool threads draw in turn,
    left tens of megabytes in each. Threads of Python rarely allocate at the same moment anyway.
    """
    mallopt = getattr(ctypes.CDLL(None), "mallopt", None)
    if mallopt is not None:
        mallopt(_M_ARENA_MAX, 1)
