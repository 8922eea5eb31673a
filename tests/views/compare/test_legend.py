"""What signs and colours mean stands below the rows, in as few words as there is room for."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.views.compare.comparing import Call, compared, eval_set, session
from trace_inspector.views.compare.head import SignLegend
from trace_inspector.views.shell.main_window import MainWindow

A: Call = ("look", {"area": "Capitol Hill"})
SIGNS = [("same", "same"), ("differs", "differs"), ("missing", "missing"), ("extra", "extra"), ("moved", "moved")]
LONG = [*SIGNS, ("failed", "counts against the verdict"), ("skip", "differs, allowed")]
SHORT = [*SIGNS, ("failed", "counts"), ("skip", "allowed")]


@pytest.fixture
def legend(window: MainWindow, tmp_path: Path) -> SignLegend:
    golden = eval_set(tmp_path / "set.evalset.json", ("Where?", [A], "Here."))
    page = compared(window, golden, session(tmp_path / "s.json", ("Where?", [A], "There.")))
    return page.findChildren(SignLegend)[0]


def test_words_get_fewer_with_the_room(legend: SignLegend) -> None:
    whole = legend.texts(2_000)
    assert whole == (LONG, ["only in golden", "only in observed"])
    forms = [legend.texts(room) for room in range(2_000, 0, -5)]
    short_of = [form for at, form in enumerate(forms) if at == 0 or form != forms[at - 1]]
    assert short_of == [whole, (LONG, ["golden", "observed"]), (SHORT, ["golden", "observed"]), (LONG, [])]
