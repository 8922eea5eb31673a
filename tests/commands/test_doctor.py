from __future__ import annotations

import argparse
import io
import os
import socket
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.helpers.judge_server import VARIABLES
from tests.helpers.raw_server import RawServer, http, raw_server
from trace_inspector.commands import doctor
from trace_inspector.commands.output.terminal import Terminal
from trace_inspector.commands.window import display, qt_probe
from trace_inspector.engine.judges.backends import reach
from trace_inspector.flows.opening.index_entries import index_cache

SECRET = "a-secret-of-somebody"


def examine() -> tuple[int, str]:
    out = io.StringIO()
    status = doctor.run(argparse.Namespace(), Terminal(out, out))
    return status, out.getvalue()


@pytest.fixture(autouse=True)
def _offscreen(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in (*display.VARIABLES, *VARIABLES):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("QT_QPA_PLATFORM", "offscreen")


def test_a_whole_installation_is_well() -> None:
    status, said = examine()
    assert status == 0, said
    assert "opens, Qt platform offscreen" in said
    assert "ok       judge gemini     not configured" in said
    assert "ok       judge openai     not configured" in said
    assert "missing" not in said


def test_libraries_that_few_need_are_only_noted(monkeypatch: pytest.MonkeyPatch) -> None:
    for library in ("tokenizers", "duckdb"):
        monkeypatch.setitem(sys.modules, library, None)  # as if it were not installed
    status, said = examine()
    assert status == 0, said
    assert "ok       extra judges     installed" in said
    assert "note     extra sql        not installed" in said
    assert "note     extra grounding  not installed" in said
    assert "Only for --grounding-model: pip install 'trace-inspector[grounding]'" in said


def test_a_judge_that_is_configured_but_not_installed_is_noted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "httpx2", None)
    monkeypatch.setenv("OPENAI_API_KEY", SECRET)
    status, said = examine()
    assert status == 0, said
    assert "note     judge openai     key in OPENAI_API_KEY" in said
    assert "httpx2 is not installed; this brings what is missing: pip install 'trace-inspector[judges]'" in said


def answers(_server: RawServer) -> list[bytes]:
    return [http(b"{}", "401 Unauthorized")]


def test_a_judge_that_answers_is_named_without_its_key(monkeypatch: pytest.MonkeyPatch) -> None:
    with raw_server(answers) as server:
        for kind in ("GOOGLE", "OPENAI"):
            monkeypatch.setenv(f"{kind}_API_KEY", SECRET)
        monkeypatch.setenv("GOOGLE_GEMINI_BASE_URL", server.url)
        monkeypatch.setenv("OPENAI_BASE_URL", f"{server.url}/v1")
        status, said = examine()
    assert status == 0, said
    assert f"ok       judge gemini     key in GOOGLE_API_KEY, {server.url}/v1beta answers" in said
    assert f"ok       judge openai     key in OPENAI_API_KEY, {server.url}/v1 answers" in said
    assert [request.split(b" HTTP")[0] for request in server.requests] == [b"GET /v1beta/models", b"GET /v1/models"]
    assert SECRET not in said
    assert SECRET.encode() not in b"".join(server.requests)


def test_a_judge_out_of_reach_is_a_note_and_no_fault(monkeypatch: pytest.MonkeyPatch) -> None:
    with socket.socket() as closed:
        closed.bind(("127.0.0.1", 0))
        monkeypatch.setenv("OPENAI_BASE_URL", f"http://127.0.0.1:{closed.getsockname()[1]}")
        monkeypatch.setenv("GOOGLE_API_KEY", SECRET)
        monkeypatch.setenv("GOOGLE_GEMINI_BASE_URL", "http://judge.example")
        status, said = examine()
    assert status == 0, said
    assert "note     judge openai     no key, http://127.0.0.1:" in said
    assert "cannot be reached" in said
    assert "no connection (ConnectError" in said
    assert "A key would go to judge.example unencrypted." in said
    assert SECRET not in said


def test_a_judge_that_is_silent_is_given_up() -> None:
    def says(server: RawServer) -> Iterator[bytes]:
        server.let_go.wait(200)
        yield b""

    with raw_server(says) as server:
        assert reach.unreachable(server.url, 0.05) == "no answer within 0.05 s"


def test_a_display_that_cannot_be_opened_is_a_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("QT_QPA_PLATFORM", "no-such-platform")
    _status, said = examine()
    assert "missing  window           does not open" in said
    assert "Commands work without a window." in said


@pytest.mark.skipif(sys.platform != "linux", reason="only there a display can be absent")
def test_no_display_is_no_fault(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("QT_QPA_PLATFORM")
    status, said = examine()
    assert status == 0, said
    assert "none; commands work" in said


def test_a_broken_version_of_the_window_library_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(qt_probe, "probe", lambda **_asked: qt_probe.Probed("6.12.0", "offscreen"))
    status, said = examine()
    assert status == 1
    assert "Install 6.11.3 instead: this version ends the program on Python 3.11." in said


def test_missing_libraries_come_with_the_packages_that_hold_them(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(qt_probe, "missing_libraries", lambda _displays: ["libEGL.so.1", "libodd.so.9"])
    status, said = examine()
    assert status == 1
    assert "libEGL.so.1, libodd.so.9" in said
    assert "apt install libegl1" in said


def test_an_unwritable_data_folder_is_missing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "file").write_text("", encoding="utf-8")
    monkeypatch.setenv("TRACE_INSPECTOR_DATA", str(tmp_path / "file" / "data"))
    status, said = examine()
    assert status == 1
    assert "Nothing can be saved there" in said


def test_the_linker_is_asked_for_the_plugin_of_the_display(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    if sys.platform != "linux":
        pytest.skip("only there plugins are looked through")
    listed = tmp_path / "asked"
    ldd = tmp_path / "ldd"
    ldd.write_text(f'#!/bin/sh\necho "$1" >> "{listed}"\necho "	libgone.so.1 => not found"\n', encoding="utf-8")
    ldd.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}{os.pathsep}{os.environ['PATH']}")
    assert qt_probe.missing_libraries({"DISPLAY"}) == ["libgone.so.1"]
    asked = [Path(line).name for line in listed.read_text(encoding="utf-8").splitlines()]
    assert asked == ["QtGui.abi3.so", "QtWidgets.abi3.so", "libqxcb.so"]


def test_the_index_is_named_with_its_size() -> None:
    folder = index_cache().folder
    folder.mkdir(parents=True)
    (folder / "a.index").write_bytes(bytes(2_600_000))
    (folder / "something else").write_bytes(bytes(5_000_000))
    _status, said = examine()
    assert f"ok       index of files   {folder}, 3 MB; safe to delete at any time" in said
