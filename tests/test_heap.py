"""The heap of the C library."""

import subprocess
import sys
from pathlib import Path

import pytest

THREADS = """
import ctypes, sys, threading
from bot.heap import share_one_heap
if sys.argv[1] == "shared":
    share_one_heap()
libc = ctypes.CDLL(None)
libc.malloc.restype = libc.fopen.restype = ctypes.c_void_p
allocated = threading.Barrier(4)
def allocate():
    libc.malloc(1000)
    allocated.wait()
threads = [threading.Thread(target=allocate) for _ in range(4)]
for thread in threads: thread.start()
for thread in threads: thread.join()
file = ctypes.c_void_p(libc.fopen(sys.argv[2].encode(), b"w"))
libc.malloc_info(0, file)
libc.fclose(file)
"""


@pytest.mark.skipif(sys.platform != "linux", reason="only glibc has several heaps")
@pytest.mark.parametrize("heaps", ["shared", "separate"])
def test_threads_share_one_heap(heaps: str, tmp_path: Path) -> None:
    subprocess.run([sys.executable, "-c", THREADS, heaps, str(tmp_path / "info")], check=True, timeout=60)
    found = (tmp_path / "info").read_text().count("<heap nr=")
    assert (found == 1) is (heaps == "shared")
