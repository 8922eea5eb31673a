"""Pickles that lay on a disk: values come back, nothing else is named, called or imported."""

from __future__ import annotations

import gc
import pickle
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.helpers.tables import each
from tests.models.stories import call, trace, turn
from trace_inspector.core.errors import ReadError
from trace_inspector.core.finding import warning
from trace_inspector.core.rows import safe_unpickle
from trace_inspector.core.rows.safe_unpickle import Unreadable, unpack
from trace_inspector.core.trace.parts import ToolResult
from trace_inspector.core.trace.trace import Event, SpanKind, Turn
from trace_inspector.work.processes import child


class Caller:
    """Pickled as a call of any function."""

    def __init__(self, function: object, *arguments: object) -> None:
        self._call = (function, arguments)

    def __reduce__(self) -> tuple[object, ...]:
        return self._call


@each(
    "value",
    [
        turn(0, "one?", call("search", q="x"), spans=2),
        trace("a", turn(1, "two?")),
        Turn(0, events=(Event("a", (ToolResult("t"),)),), guessed=frozenset({"times"})),
        SpanKind.AGENT,
        (warning("odd", "This is odd.", "/a"),),
        Unreadable("gone"),
    ],
)
def test_values_come_back(value: object) -> None:
    assert unpack(pickle.dumps(value, pickle.HIGHEST_PROTOCOL)) == value


def test_enums_come_back_as_early_3_11_pickles_them() -> None:
    assert unpack(pickle.dumps(Caller(getattr, SpanKind, "AGENT"))) is SpanKind.AGENT


@each(
    "arguments",
    [(SpanKind, "__class__"), (SpanKind, "mro"), (Turn, "events"), ("", "join"), (SpanKind.AGENT, "value")],
)
def test_nothing_else_is_asked_for(arguments: tuple[object, ...]) -> None:
    with pytest.raises(ReadError, match="damaged"):
        unpack(pickle.dumps(Caller(getattr, *arguments)))


def test_no_function_is_called(tmp_path: Path) -> None:
    hostile = pickle.dumps(Caller(Path.touch, tmp_path / "made"))
    with pytest.raises(ReadError, match="damaged"):
        unpack(hostile)
    assert not (tmp_path / "made").exists()


@each(
    ("module", "name"),
    [
        ("builtins", "eval"),
        ("os", "system"),
        ("trace_inspector.core.rows.safe_unpickle", "unpack"),
        ("trace_inspector.core.rows.safe_unpickle", "pickle"),
        ("trace_inspector.core.rows.safe_unpickle", "pickle.loads"),
        ("trace_inspector.core.rows.safe_unpickle", "ReadError"),
        ("trace_inspector.core.rows.row_writer", "RowWriter"),
        ("trace_inspector.core.rows.row_writer", "Turn"),
        ("trace_inspector.core.trace.trace", "Turn.__init__.__globals__"),
        ("trace_inspector.core.trace.trace", "Nothing"),
        (child.__name__, "Failed"),
    ],
)
def test_only_values_may_be_named(module: str, name: str) -> None:
    assert {"trace_inspector.core.rows.row_writer", "trace_inspector.work.processes.child"} <= sys.modules.keys()
    for naming in (f"c{module}\n{name}\n.".encode(), b"\x80\x04" + _text(module) + _text(name) + b"\x93."):
        with pytest.raises(ReadError, match="damaged"):
            unpack(naming)


def _text(words: str) -> bytes:
    return b"\x8c" + bytes([len(words)]) + words.encode()


def test_nothing_is_imported(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delitem(sys.modules, "trace_inspector.core.alignment.turn_alignment", raising=False)
    monkeypatch.setattr(safe_unpickle, "_VALUES", {})  # what was found to be a value before
    with pytest.raises(ReadError):
        unpack(b"ctrace_inspector.core.alignment.turn_alignment\nMatch\n.")
    assert "trace_inspector.core.alignment.turn_alignment" not in sys.modules


@given(st.integers(0))
def test_the_beginning_of_a_value_is_a_sentence(length: int) -> None:
    whole = pickle.dumps(turn(0, "one?", call("search", q="x")), pickle.HIGHEST_PROTOCOL)
    with pytest.raises(ReadError) as caught:
        unpack(whole[: length % len(whole)])
    assert str(caught.value).endswith("Close the file and open it again.")


def test_garbage_is_collected_again_afterwards() -> None:
    unpack(pickle.dumps(turn(0, "one?")))
    assert gc.isenabled()
    with pytest.raises(ReadError):
        unpack(b"no pickle")
    assert gc.isenabled()
    gc.disable()
    try:
        unpack(pickle.dumps(turn(0, "one?")))
        assert not gc.isenabled()
    finally:
        gc.enable()
