"""The pictures of listening: its dialog, and the recording that grows in the window while a program sends."""

from __future__ import annotations

import http.client
import json
from pathlib import Path
from typing import TYPE_CHECKING

from tests.helpers.sent_spans import request, turn_spans
from tests.helpers.stage import do, save, settle, until

if TYPE_CHECKING:
    from trace_inspector.core.values.values import JsonObject

_SIZE_PX = (1600, 1000)
_CASES = {
    "refund": [
        ("I want my money back for order 4402.", "The refund of $18.00 for order 4402 is on its way."),
        ("When do I get it?", "It takes three to five working days."),
    ],
    "opening-hours": [("Are you open on Sunday?", "The shop in Seattle is open on Sundays from 8 to 16 o'clock.")],
}
_WRONG = "It takes ten days, I think."


def take_listening(images: Path, folder: Path) -> None:
    """A program sends three turns, the last but one of them wrong, and begins a fourth."""
    from tests.helpers.window import main_window
    from trace_inspector.models.base.selection import Selection
    from trace_inspector.models.evaluation.marks import mark_of
    from trace_inspector.models.runs.live_run import LiveState
    from trace_inspector.views.live.dialog import ListenDialog

    with main_window(folder / "listening.ini", *_SIZE_PX) as window:
        files = window.desk.workspace.files
        files.open([_golden(folder)])
        until(lambda: bool(files) and not files.reading)
        do(window, "listen")
        dialog = window.findChild(ListenDialog)
        assert dialog is not None
        dialog.start.click()
        until(lambda: dialog.live.state is LiveState.LISTENING)
        (first, second), (third,) = _CASES["refund"], _CASES["opening-hours"]
        _send(dialog.live.port, turn_spans(1, "refund-1", *first))
        _send(dialog.live.port, turn_spans(2, "hours-1", *third, at_ms=900))
        until(lambda: len(dialog.live.turns.records) == 2 and files.by_path(dialog.live.record) is not None)
        until(lambda: not files.reading)
        recording = files.by_path(dialog.live.record)
        assert recording is not None
        window.desk.workspace.selection.select(Selection(recording.number, recording.table.tops[0]))
        _send(dialog.live.port, turn_spans(3, "refund-1", second[0], _WRONG, at_ms=2_000))
        until(lambda: len(dialog.live.turns.records) == 3)
        _send(dialog.live.port, turn_spans(4, "hours-2", *third, at_ms=3_000)[:2])
        until(lambda: len(dialog.live.turns.records) == 3 and len(recording.table.tops) == 3)
        run = window.desk.workspace.run

        def marks() -> list[str]:
            """Of the conversations and their turns, as they are marked."""
            table = recording.table
            rows = [row for top in table.tops for row in (top, *table.turns(top))]
            return [mark_of(recording, row, run.value) for row in rows] if run.value is not None else []

        until(lambda: marks() == ["failed", "passed", "failed", "passed", "passed", "pending", "pending"])
        settle()
        save(dialog, images / "tour-listen.png")
        dialog.close()
        settle()
        save(window, images / "tour-growing.png")
        dialog.stop.click()
        until(lambda: dialog.live.state is LiveState.NONE)


def _golden(folder: Path) -> Path:
    cases = [
        {
            "eval_id": name,
            "conversation": [
                {
                    "user_content": {"role": "user", "parts": [{"text": asked}]},
                    "final_response": {"role": "model", "parts": [{"text": said}]},
                }
                for asked, said in turns
            ],
        }
        for name, turns in _CASES.items()
    ]
    golden = folder / "shop.evalset.json"
    golden.write_text(json.dumps({"eval_set_id": "shop", "eval_cases": cases}), encoding="utf-8")
    return golden


def _send(port: int, spans: list[JsonObject]) -> None:
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
    connection.request("POST", "/v1/traces", request(spans), {"Content-Type": "application/json"})
    connection.getresponse().read()
    connection.close()
