"""The words beside an expected call: how it fares in the turn that was observed."""

from __future__ import annotations

from pathlib import Path

import pytest

from trace_inspector.core.alignment.sequence_alignment import Order
from trace_inspector.core.alignment.turn_alignment import CallMatch, CallPair
from trace_inspector.core.golden.golden import Case
from trace_inspector.core.trace.parts import ToolCall
from trace_inspector.engine.scoring.call_comparison import CallComparison
from trace_inspector.models.base.open_file import OpenFile
from trace_inspector.models.golden.context import GoldenContext
from trace_inspector.models.golden.live_status import Comparison, Now
from trace_inspector.models.workspace.workspace import Workspace


@pytest.mark.parametrize(
    ("pair", "now"),
    [
        (CallPair(CallMatch.SAME, 0, 0), Now("passed", "matches")),
        (CallPair(CallMatch.SAME, 0, 0, order=Order.MOVED), Now("moved", "matches, out of order")),
        (CallPair(CallMatch.MISSING, 0, None), Now("failed", "not called")),
        (CallPair(CallMatch.RENAMED, 0, 0), Now("failed", "pay called")),
        (CallPair(CallMatch.RENAMED, 0, 7), Now("failed", "– called")),
        (CallPair(CallMatch.ARGUMENTS, 0, 0, ("a",)), Now("failed", "differs")),
        (CallPair(CallMatch.ARGUMENTS, 0, 0, ("a", "b")), Now("failed", "2 differ")),
    ],
)
def test_each_way_to_fare_has_its_words(workspace: Workspace, pair: CallPair, now: Now) -> None:
    file = OpenFile(1, Path("golden.json"))
    owners = (workspace.files, workspace.run, workspace.evaluation, workspace.goldens)
    context = GoldenContext(*owners, file, "/cases/0", Case("one"), calls=(ToolCall("pay", {}),))
    assert Comparison(context, CallComparison({0: pair})).of_call(0) == now
