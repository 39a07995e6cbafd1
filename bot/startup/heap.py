"""The heap of the C library that this process runs on, where that is glibc; elsewhere these functions do nothing."""

import ctypes

_M_TRIM_THRESHOLD, _M_MMAP_THRESHOLD, _M_ARENA_MAX = -1, -3, -8
"""The numbers by which glibc knows its settings."""
_BIG = 256 << 10
"""Bytes from which a block is mapped apart from the heap, so that it leaves no hole in it."""

_libc = ctypes.CDLL(None)


def set_up_heap() -> None:
    """Let all threads share one heap, in which nothing big is put.

    glibc would give several heaps to each processor. What one thread has freed in a heap of its own the others cannot
    use: pictures, which pool threads draw in turn, left tens of megabytes in each. Threads of Python rarely allocate at
    the same moment anyway. It would also put ever bigger blocks into the heap, and what lasts longer between them.
    """
    if hasattr(_libc, "mallopt"):
        _libc.mallopt(_M_ARENA_MAX, 1)
        _libc.mallopt(_M_MMAP_THRESHOLD, _BIG)
        _libc.mallopt(_M_TRIM_THRESHOLD, _BIG)


def give_back() -> None:
    """Give unused pages in the midst of the heap back to the system, which takes a few milliseconds."""
    if hasattr(_libc, "malloc_trim"):
        _libc.malloc_trim(0)
