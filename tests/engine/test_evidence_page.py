"""The page of an evidence pack: its size is bounded whatever is in the pack, and it says what had no room."""

from __future__ import annotations

from trace_inspector.core.rows.evidence import EvidencePack, EvidenceSide
from trace_inspector.core.trace.criteria import Criteria
from trace_inspector.core.trace.parts import Text
from trace_inspector.core.trace.trace import Event, Trace, Turn
from trace_inspector.core.verdict.verdict import CaseVerdict, MetricVerdict, RubricVerdict, Status
from trace_inspector.engine.evidence.gathering import Gathered, pack_of
from trace_inspector.engine.evidence.page import data_of, page_of

MOST = 6_000_000


def page(side: EvidenceSide) -> str:
    pack = EvidencePack("run", (side,))
    return page_of(pack, b"{}" if len(data_of(pack)) else b"")


def test_very_many_empty_parts_and_turns_have_an_end() -> None:
    event = Event("agent", (Text(""),) * 200)
    turns = tuple(Turn(index, events=(event,)) for index in range(2_000))
    shown = page(EvidenceSide("run", traces=(Trace("t", turns),)))
    assert len(shown) < MOST
    assert "more turns are left out here; they are in the data" in shown


def test_very_long_verdicts_and_very_many_criteria_have_an_end() -> None:
    rubrics = tuple(RubricVerdict(f"r{number}", 1.0, "why " * 400, "text " * 300) for number in range(20))
    metrics = tuple(MetricVerdict(f"metric {number}", 0.5, Status.FAILED, rubrics=rubrics) for number in range(60))
    cases = tuple(CaseVerdict(f"case {number}", "s", None, Status.FAILED, metrics) for number in range(60))
    shown = page(EvidenceSide("run", verdicts=cases))
    assert len(shown) < MOST
    assert "more cases are left out here; they are in the data" in shown


def test_folders_of_files_of_criteria_are_left_out() -> None:
    criteria = Criteria((), "/home/jo/private/test_config.json; C.json")
    (side,) = pack_of("run", [Gathered("run", (), (), criteria)]).sides
    assert side.criteria is not None
    assert side.criteria.source == "test_config.json; C.json"
