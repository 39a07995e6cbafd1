"""The heap of the C library, and what a start imports."""

import subprocess
import sys
from pathlib import Path

import pytest

from tests.db.migrated import lay

THREADS = """
import ctypes, sys, threading
from bot.startup.system import set_up_heap
set_up_heap()
libc = ctypes.CDLL(None)
libc.malloc.restype = libc.fopen.restype = ctypes.c_void_p
allocated = threading.Barrier(4)
def allocate():
    libc.malloc(1000)
    allocated.wait()
threads = [threading.Thread(target=allocate) for _ in range(4)]
for thread in threads: thread.start()
for thread in threads: thread.join()
file = ctypes.c_void_p(libc.fopen(sys.argv[1].encode(), b"w"))
libc.malloc_info(0, file)
libc.fclose(file)
"""


@pytest.mark.soak
@pytest.mark.skipif(sys.platform != "linux", reason="only glibc has several heaps")
def test_threads_share_one_heap(tmp_path: Path) -> None:
    subprocess.run([sys.executable, "-c", THREADS, str(tmp_path / "info")], check=True, timeout=60)
    assert (tmp_path / "info").read_text().count("<heap nr=") == 1


HOLES = """
import re
from pathlib import Path
from bot.startup.system import give_back, set_up_heap
def resident():
    return int(re.search(r"VmRSS:\\s+([0-9]+)", Path("/proc/self/status").read_text())[1])
set_up_heap()
blocks = [bytes([1]) * 50_000 for _ in range(1000)]
kept = blocks[::10]
del blocks
full = resident()
give_back()
print(full - resident())
"""


@pytest.mark.skipif(
    sys.platform != "linux", reason="only glibc gives back what is unused between other blocks"
)
def test_unused_memory_is_given_back() -> None:
    ended = subprocess.run(
        [sys.executable, "-c", HOLES], check=True, timeout=60, capture_output=True, text=True
    )
    assert int(ended.stdout) > 30_000


START = """
import asyncio, sys
from pathlib import Path
import bot.__main__, bot.jobs.worker, bot.operators.check
from db.engine import open_store

async def main():
    async with open_store(None, Path(sys.argv[1])) as store:
        await store.matches.running()

asyncio.run(main())
print(*{"alembic", "asyncpg", "bot.sandbox"}.intersection(sys.modules))
"""


@pytest.mark.soak
def test_start_with_nothing_to_migrate_imports_no_unused_library(tmp_path: Path) -> None:
    lay(tmp_path)
    ended = subprocess.run(
        [sys.executable, "-c", START, str(tmp_path)],
        capture_output=True,
        text=True,
        check=True,
        timeout=120,
    )
    assert ended.stdout == "\n"
