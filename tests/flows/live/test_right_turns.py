"""A turn that comes right is never marked: agents and tools below, and spans as they end or in any order."""

from __future__ import annotations

import json
import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, cast

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.flows.live.test_growing import Live
from tests.flows.live.test_partings import Call, parted
from tests.helpers.campaigns import examples
from tests.helpers.sent_spans import calling_spans, request, span
from trace_inspector.core.golden.matcher import Match, Matcher
from trace_inspector.core.trace.criteria import Criteria, Criterion
from trace_inspector.core.trace.parts import ToolCall
from trace_inspector.core.values.values import Json, JsonObject
from trace_inspector.core.verdict.verdict import Status
from trace_inspector.engine.scoring.matching import matchers_of
from trace_inspector.engine.scoring.partings import MadeCall, parting_from
from trace_inspector.flows.runs.evaluate_files import Request, open_given
from trace_inspector.work.live.listening import Grown, judge, ordered
from trace_inspector.work.runs.run_request import RunOrder

ASKED = "A table?"
SEARCH: Call = ("search", {"q": 1})
DELEGATE: Call = ("delegate", {"x": 1})
PAY: Call = ("pay", {"sum": 3})
EXACT = ("tool_trajectory_avg_score", "trajectory_match", "trajectory_exact_match")


def model(number: int, parent: int, at_ms: int, asked: str, *calls: Call, said: str = "Done.") -> JsonObject:
    """An answer of a model, which asks for tools or says something."""
    wanted: list[Json] = [
        {"type": "tool_call", "id": f"{number}-{nth}", "name": name, "arguments": given}
        for nth, (name, given) in enumerate(calls)
    ]
    answer: Json = {"role": "assistant", "parts": wanted or [{"type": "text", "content": said}]}
    question: Json = {"role": "user", "parts": [{"type": "text", "content": asked}]}
    texts = {"gen_ai.input.messages": json.dumps([question]), "gen_ai.output.messages": json.dumps([answer])}
    stated = {"gen_ai.operation.name": "chat", "gen_ai.request.model": "m", "gen_ai.conversation.id": "c1", **texts}
    return span(1, number, "chat m", parent, at_ms=at_ms, stated=stated)


def tool(number: int, parent: int, at_ms: int, call: Call, call_id: str = "", lasts_ms: int = 10) -> JsonObject:
    """A tool that runs; it may have been given more than was asked of it."""
    name, given = call
    stated = {
        "gen_ai.operation.name": "execute_tool",
        "gen_ai.tool.name": name,
        "gen_ai.conversation.id": "c1",
        "gen_ai.tool.call.arguments": json.dumps({**given, "note": None}),
        **({"gen_ai.tool.call.id": call_id} if call_id else {}),
    }
    return span(1, number, f"execute_tool {name}", parent, at_ms=at_ms, lasts_ms=lasts_ms, stated=stated)


def agent(number: int, parent: int | None, at_ms: int, lasts_ms: int) -> JsonObject:
    stated = {
        "gen_ai.operation.name": "invoke_agent",
        "gen_ai.agent.name": f"a{number}",
        "gen_ai.conversation.id": "c1",
    }
    return span(1, number, f"invoke_agent a{number}", parent, at_ms=at_ms, lasts_ms=lasts_ms, stated=stated)


def delegating() -> tuple[list[JsonObject], list[Call]]:
    """An agent below a tool: what it calls is its own."""
    below = [
        model(5, 4, 30, "Find tables", SEARCH),
        tool(6, 4, 45, SEARCH, "5-0"),
        model(7, 4, 60, "Find tables", said="found"),
        agent(4, 3, 25, 60),
        tool(3, 1, 20, DELEGATE, "2-0", lasts_ms=80),
    ]
    return [model(2, 1, 1, ASKED, DELEGATE), *below, model(8, 1, 120, ASKED), agent(1, None, 0, 200)], [DELEGATE]


def transferring() -> tuple[list[JsonObject], list[Call]]:
    """An agent that goes on with the turn."""
    below = [
        model(5, 4, 30, ASKED, SEARCH),
        tool(6, 4, 45, SEARCH, "5-0"),
        model(7, 4, 60, ASKED),
        agent(4, 1, 25, 60),
    ]
    first = [model(2, 1, 1, ASKED, DELEGATE), tool(3, 1, 15, DELEGATE, "2-0", lasts_ms=5)]
    return [*first, *below, agent(1, None, 0, 200)], [DELEGATE, SEARCH]


def nested() -> tuple[list[JsonObject], list[Call]]:
    """A tool that uses another."""
    spans = [
        model(2, 1, 1, ASKED, SEARCH),
        tool(4, 3, 25, ("http_get", {"u": 1})),
        tool(3, 1, 20, SEARCH, "2-0", lasts_ms=30),
        model(8, 1, 120, ASKED),
        agent(1, None, 0, 200),
    ]
    return spans, [SEARCH]


def golden(folder: Path, metric: str, *turns: tuple[str, Sequence[Call]], case: str = "case") -> Path:
    """A case of these turns, with what they call."""
    return goldens(folder, metric, {case: turns})


def goldens(folder: Path, metric: str, cases: Mapping[str, Sequence[tuple[str, Sequence[Call]]]]) -> Path:
    """A file with cases by their names."""
    stated: list[Json] = []
    for name, turns in cases.items():
        conversation: list[Json] = [
            {
                "invocation_id": f"g{nth}",
                "user_content": {"role": "user", "parts": [{"text": asked}]},
                "intermediate_data": {"tool_uses": [{"name": called, "args": args} for called, args in calls]},
            }
            for nth, (asked, calls) in enumerate(turns)
        ]
        stated.append({"eval_id": name, "conversation": conversation})
    file = folder / "turns.evalset.json"
    file.write_text(json.dumps({"eval_set_id": "s", "eval_cases": stated}), encoding="utf-8")
    (folder / "test_config.json").write_text(json.dumps({"criteria": {metric: 1.0}}), encoding="utf-8")
    return file


def second() -> list[JsonObject]:
    """A turn that follows."""
    spans = calling_spans(2, "c1", "And pay", [PAY])
    for one in spans:
        for key in ("startTimeUnixNano", "endTimeUnixNano"):
            one[key] = str(int(str(one[key])) + 10**12)
    return spans


def never_marked(folder: Path, file: Path, spans: Sequence[JsonObject]) -> set[Status]:
    """The last verdicts of the turns, none of which was marked before."""
    live, verdicts = Live(folder / "r.jsonl", file), dict[int, Status]()
    for sent in spans:
        verdicts |= {turn: status for _name, turn, status, *_rest in live.told(request([sent]))}
        assert parted(live) == []
    return set(verdicts.values())


@pytest.mark.parametrize("metric", EXACT)
@pytest.mark.parametrize("turns", [1, 2])
@pytest.mark.parametrize("kind", [delegating, transferring, nested])
def test_as_its_spans_end(
    tmp_path: Path, kind: Callable[[], tuple[list[JsonObject], list[Call]]], turns: int, metric: str
) -> None:
    spans, calls = kind()
    expected = [(ASKED, calls), ("And pay", [PAY])][:turns]
    sent = [*spans, *(second() if turns > 1 else ())]
    assert Status.PASSED in never_marked(tmp_path, golden(tmp_path, metric, *expected), sent)


@given(
    st.integers(0, 1 << 32), st.sampled_from([delegating, transferring, nested]), st.integers(1, 2),
    st.sampled_from(EXACT), st.sampled_from(["case", "c1"]),
)  # fmt: skip
@settings(examples(40, 3_000), deadline=None)
def test_in_any_order(
    tmp_path_factory: pytest.TempPathFactory, seed: int, kind: Callable[[], tuple[list[JsonObject], list[Call]]],
    turns: int, metric: str, case: str,
) -> None:  # fmt: skip
    spans, calls = kind()
    sent = [*spans, *(second() if turns > 1 else ())]
    random.Random(seed).shuffle(sent)
    folder = tmp_path_factory.mktemp("right")
    file = golden(folder, metric, *[(ASKED, calls), ("And pay", [PAY])][:turns], case=case)
    assert never_marked(folder, file, sent)  # and there are verdicts in the end


def test_an_answer_that_is_sent_before_its_end_is_not_taken_at_its_word(tmp_path: Path) -> None:
    whole = model(2, 1, 1, ASKED, SEARCH)
    begun = model(2, 1, 1, ASKED, ("search", {"q": 0}))
    del begun["endTimeUnixNano"]
    file = golden(tmp_path, EXACT[0], (ASKED, [SEARCH]))
    assert never_marked(tmp_path, file, [begun, whole, agent(1, None, 0, 50)]) == {Status.PASSED}


@pytest.mark.parametrize("metric", EXACT)
def test_a_turn_that_turns_out_to_be_another_cases(tmp_path: Path, metric: str) -> None:
    """As long as one of the cases that ask the same has room for a call, nothing is told."""
    cases = {"short": [(ASKED, [SEARCH])], "long": [(ASKED, [DELEGATE]), ("And pay", [PAY])]}
    file = goldens(tmp_path, metric, cases)
    assert Status.PASSED in never_marked(tmp_path, file, [*calling_spans(1, "c1", ASKED, [DELEGATE]), *second()])


def test_what_is_in_none_of_the_cases_is_told_where_the_last_of_them_parts(tmp_path: Path) -> None:
    cases = {"short": [(ASKED, [SEARCH])], "long": [(ASKED, [DELEGATE, SEARCH]), ("And pay", [PAY])]}
    live = Live(tmp_path / "r.jsonl", goldens(tmp_path, EXACT[0], cases))
    first, *_tools = calling_spans(1, "c1", ASKED, [DELEGATE, PAY])
    assert parted(live, first) == [("c1", 1, "pay was called but is not expected")]
    assert [each.path for found in live.arrivals.partings.values() for each in found] == [str(tmp_path / "r.jsonl")]


def test_other_goldens_move_the_marks_of_turns_that_run(tmp_path: Path) -> None:
    live = Live(tmp_path / "r.jsonl", golden(tmp_path, EXACT[0], (ASKED, [SEARCH])))
    first, *_rest = calling_spans(1, "c1", ASKED, [PAY])
    assert parted(live, first) == [("c1", 0, "pay was called but is not expected")]
    for calls, marks in (([PAY], 0), ([DELEGATE], 1)):
        live.arrivals.use(Request((), open_given([golden(tmp_path, EXACT[0], (ASKED, calls))])))
        assert live.arrivals.partings == {}
        live.told()
        assert len(live.arrivals.partings) == marks
    live.arrivals.use(Request((), ()))
    live.told()
    assert live.arrivals.partings == {}


def test_the_difference_that_is_told_is_one_that_the_matchers_find() -> None:
    matchers = matchers_of([Matcher("/args/id", Match.ANY)])
    expected, made = (ToolCall("book", {"id": given, "party": party}) for given, party in (("x", 4), ("y7", 6)))
    there = [MadeCall(0, 0, made, is_told=True)]
    parting = parting_from([expected], there, matchers.same_call, matchers.differing)
    assert parting is not None
    assert parting.sentence == "book: party 4 ≠ 6"


class Script:
    """What a child is sent, and what happens to the recording meanwhile; it keeps what the child sends."""

    def __init__(self, *steps: bytes | Callable[[], object]) -> None:
        self._steps, self.sent = [*steps], list[Any]()

    def incoming(self) -> Iterator[bytes]:
        while self._steps:
            step = self._steps.pop(0)
            if isinstance(step, bytes):
                yield step
            else:
                step()

    @property
    def is_awaited(self) -> bool:
        if self._steps and callable(step := self._steps[0]):
            del self._steps[0]
            step()
            return False
        return True

    def send(self, message: object) -> None:
        self.sent.append(message)


def test_turns_that_come_while_criteria_cannot_be_used_are_judged_when_others_are_ordered(tmp_path: Path) -> None:
    choices: list[JsonObject] = [{"match_type": "NONE"}, {}]
    bad, usable = (
        next(ordered(RunOrder((), criteria=Criteria((Criterion(EXACT[0], 1.0, options),))), ()))
        for options in choices
    )
    file = tmp_path / "r.jsonl"
    script = Script(bad, lambda: file.write_bytes(request(calling_spans(1, "c1", ASKED, [PAY])) + b"\n"), usable)
    judge(cast("Any", script), str(file))
    seen = [
        (message.orders, [arrival.trace_id for arrival in message.arrivals] if isinstance(message, Grown) else "not")
        for message in script.sent
    ]
    assert seen == [(1, []), (1, "not"), (2, ["c1"])]
