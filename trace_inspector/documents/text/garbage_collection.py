"""Keeping Python's collector from walking through many values again and again."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def gc_paused() -> Iterator[None]:
    """Building millions of objects takes half the time without a search for cycles among them."""
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_enabled:
            gc.enable()


@contextmanager
def gc_frozen() -> Iterator[None]:
    """What exists now lasts for the time of a block: the collector looks only at what comes."""
    gc.freeze()
    try:
        yield
    finally:
        gc.unfreeze()


@contextmanager
def gc_less_often() -> Iterator[None]:
    """Most of what a command makes lasts until its end: fewer looks for cycles save a tenth of a small one."""
    before = gc.get_threshold()
    gc.set_threshold(5_000, 20, 20)
    try:
        yield
    finally:
        gc.set_threshold(*before)


def gc_settle(*, anew: bool = False) -> None:
    """What lasts goes out of the collector's sight, which would walk through all of it again and again.

    `anew`: with what went out of its sight before, which takes the longer the more there is.
    """
    if anew:
        gc.unfreeze()
    gc.collect()
    gc.freeze()
