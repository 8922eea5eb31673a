"""Sets of files that are larger than what may be held: judged like any other, each file read at most twice."""

from __future__ import annotations

import asyncio
import json
import pickle
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import Executor, ProcessPoolExecutor, ThreadPoolExecutor
from contextlib import AbstractContextManager, nullcontext
from multiprocessing import get_context
from pathlib import Path

import pytest
from msgspec.structs import replace

from tests.formats.span_files import Made, agent, jaeger, model, says, tool, user, wants
from tests.helpers.eval_sets import call, case, turn, write_criteria, write_eval_set
from trace_inspector.core.errors import ReadError
from trace_inspector.core.rows.contents import Item
from trace_inspector.core.trace.criteria import Criteria, Criterion
from trace_inspector.core.values.values import JsonObject
from trace_inspector.core.verdict.verdict import CaseVerdict, RunVerdict, Status
from trace_inspector.engine.metrics import METRICS
from trace_inspector.engine.running.engine import Engine
from trace_inspector.engine.running.engine_runner import run_on
from trace_inspector.engine.running.live_runner import run_live
from trace_inspector.engine.running.runner import fetched, judge_item, run
from trace_inspector.engine.scoring.metric import Ask, Reply
from trace_inspector.flows.judges.judge_files import judge_named
from trace_inspector.flows.opening.open_file import BytesRead, Recognised, stream_file
from trace_inspector.flows.runs.dry_run import foresee
from trace_inspector.flows.runs.evaluate_files import Request, evaluate, open_given, prepared, sides
from trace_inspector.flows.runs.requested_reports import RUN_REPORTS, RequestedReport
from trace_inspector.flows.runs.save_reports import RereadTraces, save_report


@pytest.fixture
def golden(tmp_path: Path) -> Path:
    """Six cases; nobody recorded the last one."""
    cases = [case(f"c{at}", turn(f"q{at}", f"answer {at}", [call("look", n=at)])) for at in range(6)]
    return write_eval_set(tmp_path / "g.json", *cases)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Spans and eval sets as recordings, in another order than the goldens; a trace without a golden."""
    folder = tmp_path / "traces"
    write_eval_set(folder / "a.json", _said(4), _said(0, wrong=True))
    write_eval_set(folder / "b.json", _said(1), _said(4, wrong=True))
    (folder / "c.json").write_text(json.dumps(jaeger(*_spans(3), *_spans(2))), encoding="utf-8")
    write_eval_set(folder / "d.json", case("stranger", turn("who are you?", "nobody")))
    return folder


def _said(at: int, *, wrong: bool = False) -> JsonObject:
    return case(f"c{at}", turn(f"q{at}", f"answer {at}", [call("look", n=-1 if wrong else at)]))


def _spans(at: int) -> list[Made]:
    spans = [
        agent(f"a{at}", None, "guide"),
        model(f"m{at}", f"a{at}", 2, asked=[user(f"q{at}")], said=[wants("look", n=at)], invocation=f"e-{at}"),
        tool(f"x{at}", f"a{at}", 3, "look", {"n": at}, {"r": at}),
        model(f"n{at}", f"a{at}", 4, said=says(f"answer {at}"), invocation=f"e-{at}"),
    ]
    for span in spans:
        span.trace = f"trace-{at}"
    return spans


def request(folder: Path, golden: Path, held_bytes: int | None) -> Request:
    """The same request with more or less of the traces held."""
    return Request(open_given([folder], held_bytes=held_bytes), open_given([golden]))


def plain(run: RunVerdict) -> RunVerdict:
    """A run without what is another each time."""
    return replace(run, id="", started_s=0)


@pytest.fixture
def reads(monkeypatch: pytest.MonkeyPatch) -> Counter[str]:
    """How often each file is read."""
    counted: Counter[str] = Counter()

    def counting(path: Path, *, placed: bool, every_span: bool) -> Iterator[Recognised | BytesRead | Item]:
        counted[path.name] += 1
        return stream_file(path, placed=placed, every_span=every_span)

    monkeypatch.setattr("trace_inspector.flows.opening.given_files.stream_file", counting)
    return counted


@pytest.mark.parametrize("held_bytes", [0, 1, 600])
def test_verdicts_are_those_of_a_set_that_is_held(folder: Path, golden: Path, held_bytes: int) -> None:
    whole = evaluate(request(folder, golden, None))
    assert Counter(one.status for one in whole.cases) == {
        Status.PASSED: 4, Status.FAILED: 2, Status.NOT_EVALUATED: 2,
    }  # fmt: skip
    lean = request(folder, golden, held_bytes)
    assert any(given.outlined for given in lean.traces)
    assert plain(evaluate(lean)) == plain(whole)


def test_each_file_is_read_twice_at_most(folder: Path, golden: Path, reads: Counter[str]) -> None:
    evaluate(request(folder, golden, 0))
    assert reads == {"a.json": 2, "b.json": 2, "c.json": 2, "d.json": 2, "g.json": 1}


def test_what_is_outlined_holds_no_more_than_pairing_needs(folder: Path, golden: Path) -> None:
    traces, _goldens = sides(request(folder, golden, 0))
    assert len(traces) == 7
    for recorded in traces:
        assert recorded.elsewhere is not None
        for one in recorded.trace.turns:
            assert one.user
            assert not one.events
            assert one.final_response is None


def test_goldens_among_the_traces_stay_whole(folder: Path, golden: Path, tmp_path: Path) -> None:
    """A result file is judged against the cases in it."""
    result = tmp_path / "r.evalset_result.json"
    held = request(folder, golden, None)
    save_report(RequestedReport("adk", result), evaluate(held), held)
    whole, lean = (Request(open_given([result], held_bytes=held_bytes)) for held_bytes in (None, 0))
    assert lean.traces[0].outlined
    assert plain(evaluate(lean)) == plain(evaluate(whole))


def _executor(kind: str) -> AbstractContextManager[Executor | None]:
    if kind == "threads":
        return ThreadPoolExecutor(2)
    return ProcessPoolExecutor(2, get_context("spawn")) if kind == "processes" else nullcontext()


@pytest.mark.parametrize("kind", ["here", "threads", "processes"])
def test_any_executor_reads_what_it_judges(folder: Path, golden: Path, kind: str) -> None:
    expected = [judge_item(item, METRICS) for item in prepared(request(folder, golden, None))[1]]
    items = prepared(request(folder, golden, 0))[1]
    order = items.reading_order()
    with _executor(kind) as executor:
        listed = [items[at] for at in order]
        judged = run_on(Engine(kind, executor, 2), listed, METRICS) if executor else enumerate(run(listed, METRICS))
        found = {order[nth]: one for nth, one in judged}
    assert [found[at] for at in range(len(items))] == expected


def test_items_travel_without_their_traces(folder: Path, golden: Path) -> None:
    items = prepared(request(folder, golden, 0))[1]
    order = items.reading_order()
    travelled = pickle.loads(pickle.dumps([items[at] for at in order]))
    whole = prepared(request(folder, golden, None))[1]
    assert [item.trace for item in fetched(travelled)] == [whole[at].trace for at in order]
    assert not any(turn.events for item in items if item.trace for turn in item.trace.turns)


class Yes:
    """Finds every answer valid."""

    in_flight = 4

    async def ask(self, question: Ask, nth: int = 0) -> Reply:
        """One reply, after a turn of the loop."""
        await asyncio.sleep(0)
        reason = f"{question.metric}, {nth} times before"
        return Reply(json.dumps({"reasoning": reason, "is_the_agent_response_valid": "valid"}))

    async def close(self) -> None:
        """Nothing is open."""


def test_a_judge_on_its_loop_sees_the_same(folder: Path, golden: Path) -> None:
    found = []
    for held_bytes in (None, 0):
        asked = replace(
            request(folder, golden, held_bytes), criteria=Criteria((Criterion("final_response_match_v2", 0.5),))
        )
        items = prepared(asked)[1]
        order = items.reading_order()
        verdicts = {order[nth]: one for nth, one in run_live([items[at] for at in order], METRICS, Yes)}
        found.append([verdicts[at] for at in range(len(items))])
    assert found[0] == found[1]
    assert Counter(one.status for one in found[0])[Status.PASSED] == 6


@pytest.mark.parametrize(("change", "jobs"), [("other", 1), ("gone", 1), ("broken", 1), ("other", 2)])
def test_a_file_that_changed_is_an_error_of_its_cases_alone(
    folder: Path, golden: Path, change: str, jobs: int
) -> None:
    asked = replace(request(folder, golden, 0), jobs=jobs)
    path = folder / "a.json"
    path.unlink()
    if change != "gone":
        path.write_bytes(b"\xff{" if change == "broken" else (folder / "b.json").read_bytes())
    verdicts = evaluate(asked).cases
    broken = [one for one in verdicts if one.status is Status.ERROR]
    assert {(one.case_id, one.trace_path) for one in broken} == {("c0", str(path)), ("c4", str(path))}
    assert all(str(path) in one.reason for one in broken)
    assert "changed while it was being evaluated" in broken[0].reason or change != "other"
    assert Counter(one.status for one in verdicts)[Status.PASSED] == 3


def test_stopping_keeps_what_is_done(folder: Path, golden: Path) -> None:
    def progress(done: int, _total: int, _verdict: CaseVerdict) -> None:
        if done == 3:
            raise KeyboardInterrupt

    stopped = evaluate(request(folder, golden, 0), progress)
    assert stopped.stopped
    assert len(stopped.cases) == 3
    whole = evaluate(request(folder, golden, None)).cases
    assert [one for one in whole if one in stopped.cases] == list(stopped.cases)


@pytest.mark.parametrize("kind", sorted(RUN_REPORTS))
def test_reports_show_the_whole_conversations(folder: Path, golden: Path, tmp_path: Path, kind: str) -> None:
    verdict = evaluate(request(folder, golden, None))
    pages = []
    for held_bytes in (None, 0):
        path = tmp_path / f"report-{held_bytes}"
        save_report(RequestedReport(kind, path), verdict, request(folder, golden, held_bytes))
        pages.append(path.read_text(encoding="utf-8"))
    assert pages[0] == pages[1]


def test_reports_keep_files_only_while_there_is_room(folder: Path, golden: Path, reads: Counter[str]) -> None:
    traces, _goldens = sides(request(folder, golden, 0))
    for held_bytes, times in ((1 << 20, 1), (0, 3)):
        again = RereadTraces(traces, held_bytes)
        reads.clear()
        for _ in range(3):
            for one in traces[::2]:
                assert again[one.path, one.trace.place, one.trace.id].turns[0].final_response
        assert set(reads.values()) == {times}


def test_a_report_of_files_that_changed_is_refused(folder: Path, golden: Path, tmp_path: Path) -> None:
    asked = request(folder, golden, 0)
    verdict = evaluate(asked)
    write_eval_set(folder / "a.json", _said(4))
    with pytest.raises(ReadError, match="changed while it was being evaluated"):
        save_report(RequestedReport("html", tmp_path / "r.html"), verdict, asked)


def test_a_dry_run_reads_each_file_twice_at_most(
    folder: Path, golden: Path, tmp_path: Path, reads: Counter[str]
) -> None:
    write_criteria(tmp_path / "test_config.json", final_response_match_v2=0.5)
    judge = judge_named("openai:small", environment={"OPENAI_BASE_URL": "http://127.0.0.1:9/v1"})
    found = [foresee(replace(request(folder, golden, held_bytes), judge=judge)) for held_bytes in (None, 0)]
    assert found[0] == found[1]
    assert found[0][0].calls
    assert reads["a.json"] == 3
