from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.store.index.keeping import (
    ROWS,
    found,
    keep,
)
from trace_inspector.core.rows.safe_unpickle import Unreadable, unpack
from trace_inspector.store import index_cache
from trace_inspector.store.index_cache import IndexCache


@pytest.fixture
def cache(tmp_path: Path) -> IndexCache:
    return IndexCache(tmp_path / "data" / "index", lambda: "1.0")


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """A file that was there for a while, as far as its fingerprint tells."""
    path = tmp_path / "traces.json"
    path.write_text("{}", "utf-8")
    return path


@pytest.fixture(autouse=True)
def _no_clock_steps(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(index_cache, "_SETTLED_NS", -1_000_000_000)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(st.data())
def test_a_damaged_entry_is_thrown_away_or_its_bodies_are_lost(
    cache: IndexCache, file: Path, data: st.DataObject
) -> None:
    keep(cache, file)
    place = cache.entry_path(file)
    whole = place.read_bytes()
    at, flip = data.draw(st.integers(0, len(whole) - 1)), data.draw(st.integers(1, 255))
    place.write_bytes(whole[:at] + bytes([whole[at] ^ flip]) + whole[at + 1 :])
    entry = found(cache, file)
    if entry is None:
        assert not place.exists()
        return
    bodies = [body for batch in ROWS for body in batch.bodies]
    lost = [kept for kept, read in zip(entry.bodies, bodies, strict=True) if kept != read]
    assert len(lost) == 1
    assert isinstance(unpack(lost[0]), Unreadable)


@given(st.integers(0))
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
def test_a_truncated_entry_is_thrown_away(cache: IndexCache, file: Path, length: int) -> None:
    keep(cache, file)
    place = cache.entry_path(file)
    whole = place.read_bytes()
    place.write_bytes(whole[: length % len(whole)])
    assert found(cache, file) is None
    assert not place.exists()
