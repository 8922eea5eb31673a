"""What is asked of a display before Qt is: a connection that was made is closed, one that was not is left alone.

The libraries are made up here: closing a connection that there is none of ends the program.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from typing import Any

import pytest

from trace_inspector.commands.window import display


class Function:
    """A function of a library. It takes the types that are put on it."""

    def __init__(self, answer: object, heard: list[object]) -> None:
        self.restype: object = None
        self._answer = answer
        self._heard = heard

    def __call__(self, *given: Any) -> object:
        self._heard.append(given[0].value if isinstance(given[0], ctypes.c_void_p) else given[0])
        return self._answer


def library(closed: list[object], **answers: object) -> Callable[[str], object]:
    """What stands for `ctypes.CDLL`; what is disconnected is heard."""
    functions = {
        name: Function(answer, closed if name.endswith("_disconnect") else []) for name, answer in answers.items()
    }
    return lambda _name: type("Library", (), functions)()


@pytest.mark.parametrize(("connection", "answers"), [(77, True), (None, False)])
def test_a_wayland_display_is_left_as_it_was(
    connection: int | None, answers: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    closed: list[object] = []
    made = library(closed, wl_display_connect=connection, wl_display_disconnect=None)
    monkeypatch.setattr(ctypes, "CDLL", made)
    assert display._CHECKS["wayland"]() is answers
    assert closed == ([77] if answers else [])


@pytest.mark.parametrize(("error", "answers"), [(0, True), (1, False)])
def test_an_x_display_that_refuses_does_not_answer(
    error: int, answers: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    closed: list[object] = []
    made = library(closed, xcb_connect=5, xcb_connection_has_error=error, xcb_disconnect=None)
    monkeypatch.setattr(ctypes, "CDLL", made)
    assert display._CHECKS["xcb"]() is answers
    assert closed == [5]  # the library wants that after an error too


@pytest.mark.parametrize("name", ["xcb", "wayland"])
def test_without_the_library_nobody_answers(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def missing(_name: str) -> object:
        raise OSError(_name)

    monkeypatch.setattr(ctypes, "CDLL", missing)
    assert display._CHECKS[name]() is False
