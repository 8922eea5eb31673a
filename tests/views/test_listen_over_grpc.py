"""A window that listens hears programs over gRPC on the same port."""

from __future__ import annotations

import pytest
from pytestqt.qtbot import QtBot

from tests.helpers.sent_spans import turn_spans
from tests.views.test_listen_dialog import WAIT_MS, listening, stopped
from trace_inspector.views.shell.main_window import MainWindow

grpc = pytest.importorskip("grpc", reason="grpcio is not installed")
pytest.importorskip("h2", reason="h2 is not installed")
sent_protobuf = pytest.importorskip("tests.helpers.sent_protobuf", reason="opentelemetry-proto is not installed")


def test_a_window_hears_programs_over_grpc_as_well(window: MainWindow, qtbot: QtBot) -> None:
    shown = listening(window, qtbot)
    body = sent_protobuf.as_protobuf(turn_spans(1, "c1", "one?", "one is the answer"))
    with grpc.insecure_channel(f"127.0.0.1:{shown.live.port}") as channel:
        export = channel.unary_unary("/opentelemetry.proto.collector.trace.v1.TraceService/Export")
        assert export(body, timeout=WAIT_MS / 1000) == b""
    qtbot.waitUntil(lambda: bool(shown.live.turns.records), timeout=WAIT_MS)
    assert [row.conversation for row in shown.live.turns.records] == ["c1"]
    stopped(shown, qtbot)
