"""A turn that comes right is never marked: agents and tools below, and spans as they end or in any order."""

from __future__ import annotations

import json
import random
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.flows.live.test_growing import Live
from tests.flows.live.test_partings import Call, parted
from tests.helpers.campaigns import examples
from tests.helpers.sent_spans import calling_spans, request, span
from trace_inspector.core.values.values import Json, JsonObject
from trace_inspector.core.verdict.verdict import Status

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
    conversation: list[Json] = [
        {
            "invocation_id": f"g{nth}",
            "user_content": {"role": "user", "parts": [{"text": asked}]},
            "intermediate_data": {"tool_uses": [{"name": name, "args": args} for name, args in calls]},
        }
        for nth, (asked, calls) in enumerate(turns)
    ]
    file = folder / "turns.evalset.json"
    suite: JsonObject = {"eval_set_id": "s", "eval_cases": [{"eval_id": case, "conversation": conversation}]}
    file.write_text(json.dumps(suite), encoding="utf-8")
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
    never_marked(folder, golden(folder, metric, *[(ASKED, calls), ("And pay", [PAY])][:turns], case=case), sent)


def test_an_answer_that_is_sent_before_its_end_is_not_taken_at_its_word(tmp_path: Path) -> None:
    whole = model(2, 1, 1, ASKED, SEARCH)
    begun = model(2, 1, 1, ASKED, ("search", {"q": 0}))
    del begun["endTimeUnixNano"]
    file = golden(tmp_path, EXACT[0], (ASKED, [SEARCH]))
    assert never_marked(tmp_path, file, [begun, whole, agent(1, None, 0, 50)]) == {Status.PASSED}
