"""What a long-lived process keeps is out of the collector's sight until it rests."""

from __future__ import annotations

import gc
import weakref
from collections.abc import Iterator

import pytest

from trace_inspector.documents.text.garbage_collection import gc_settle


class _Ring:
    def __init__(self) -> None:
        self.other = self


@pytest.fixture(autouse=True)
def unfrozen() -> Iterator[None]:
    yield
    gc.unfreeze()


def test_what_lasts_is_not_walked_through_and_a_ring_among_it_goes_when_it_is_looked_at_anew() -> None:
    ring = _Ring()
    seen = weakref.ref(ring)
    gc_settle()
    assert not any(each is ring for each in gc.get_objects())
    del ring
    gc_settle()
    assert seen() is not None
    gc_settle(anew=True)
    assert seen() is None


def test_a_ring_that_is_new_goes_at_once() -> None:
    gc_settle()
    ring = _Ring()
    seen = weakref.ref(ring)
    del ring
    gc_settle()
    assert seen() is None
