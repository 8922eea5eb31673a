"""Run as a program: a pool whose first process dies when the second runs and the pool has not written it down yet."""

from __future__ import annotations

import os
import signal
import sys
import time
from multiprocessing.context import SpawnProcess
from multiprocessing.process import BaseProcess
from unittest import mock

from trace_inspector.engine.running.process_pool import Processes


def square(number: int) -> int:
    """What a process does."""
    return number * number


def main(count: int, *, again: bool) -> None:
    """Print what comes back. What a process had in hand when it died is asked for again, or given up."""
    started: list[int | None] = []
    start = SpawnProcess.start

    def start_late(process: BaseProcess) -> None:
        start(process)
        started.append(process.pid)
        if len(started) == 2 and started[0] is not None:
            os.kill(started[0], signal.SIGKILL)
            time.sleep(0.5)  # as on a machine that does much else

    with mock.patch.object(SpawnProcess, "start", start_late), Processes(2) as pool:
        waiting = [pool.submit(square, number) for number in range(count)]
        results = []
        for number, future in enumerate(waiting):
            if future.exception(30) is None:
                results.append(future.result())
            elif again:
                results.append(pool.submit(square, number).result(30))
    sys.stdout.write(" ".join(map(str, results)))


if __name__ == "__main__":
    main(int(sys.argv[1]), again=sys.argv[2] == "again")
