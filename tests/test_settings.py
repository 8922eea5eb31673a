"""Where the program keeps what is the person's own."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from trace_inspector.settings import data_folder


def test_the_variable_stands_first(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TRACE_INSPECTOR_DATA", "/somewhere/else")
    assert data_folder() == Path("/somewhere/else")


@pytest.mark.skipif(sys.platform in ("win32", "darwin"), reason="the freedesktop folders")
def test_freedesktop_folders(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("TRACE_INSPECTOR_DATA")
    monkeypatch.setenv("HOME", "/home/me")
    monkeypatch.setenv("XDG_DATA_HOME", "/data")
    assert data_folder() == Path("/data/trace-inspector")
    monkeypatch.setenv("XDG_DATA_HOME", "relative")
    assert data_folder() == Path("/home/me/.local/share/trace-inspector")


@pytest.mark.parametrize(
    ("platform", "expected"),
    [("win32", "Trace Inspector"), ("darwin", "Library/Application Support/Trace Inspector")],
)
def test_other_systems(platform: str, expected: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("TRACE_INSPECTOR_DATA")
    monkeypatch.setattr(sys, "platform", platform)
    monkeypatch.setenv("LOCALAPPDATA", "/local")
    assert data_folder().as_posix().endswith(expected)
