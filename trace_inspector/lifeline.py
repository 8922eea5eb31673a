"""Lets a process end with the one that started it, however that ends.

A process that waits for work from a pipe may wait for ever: where others hold the other end too, it never breaks.
"""

from __future__ import annotations

import multiprocessing
import os
import threading
from collections.abc import Callable


def end_with_parent(before: Callable[[], None] = lambda: None) -> None:
    """From now on this process ends when its parent does; `before` is called just then.

    What tells of the parent's end is a pipe that the parent alone holds, also where a server forked this process.
    """
    parent = multiprocessing.parent_process()
    if parent is None:
        return

    def watch() -> None:
        parent.join()
        before()
        os._exit(1)

    threading.Thread(target=watch, name="lifeline", daemon=True).start()
