"""While a turn runs: a call that cannot be the golden's any more is told, and one that still can never is."""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import TypeAlias

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.flows.live.test_growing import Live
from tests.helpers.campaigns import examples
from tests.helpers.sent_spans import calling_spans, request, span
from trace_inspector.core.values.values import Json, JsonObject
from trace_inspector.core.verdict.verdict import Status

Call: TypeAlias = tuple[str, JsonObject]
SEARCH: Call = ("search", {"city": "Rome"})
BOOK: Call = ("book", {"party": 4})
PAY: Call = ("pay", {"sum": 12.5})
LATE: JsonObject = {"party": 6}


def golden_with_calls(folder: Path, *calls: Call, criteria: Json = None) -> Path:
    used: list[Json] = [{"name": name, "args": args} for name, args in calls]
    invocation: JsonObject = {
        "invocation_id": "g1",
        "user_content": {"role": "user", "parts": [{"text": "A table?"}]},
        "final_response": {"role": "model", "parts": [{"text": "Done."}]},
        "intermediate_data": {"tool_uses": used, "intermediate_responses": []},
    }
    file = folder / "table.evalset.json"
    case: JsonObject = {"eval_id": "case", "conversation": [invocation]}
    file.write_text(json.dumps({"eval_set_id": "s", "eval_cases": [case]}), encoding="utf-8")
    if criteria is not None:
        (folder / "test_config.json").write_text(json.dumps({"criteria": criteria}), encoding="utf-8")
    return file


def parted(live: Live, *spans: JsonObject) -> list[tuple[str, int, str]]:
    """Where running turns part after these spans came as well: the conversation, the call in its turn, and why."""
    live.told(*(request([span]) for span in spans))
    found = live.arrivals.partings
    return [(name, parting.call, parting.sentence) for name, partings in found.items() for parting in partings]


def test_a_second_call_with_other_arguments_is_told_before_the_turn_ends(tmp_path: Path) -> None:
    live = Live(tmp_path / "r.jsonl", golden_with_calls(tmp_path, SEARCH, BOOK))
    first, tool, second, *rest, root = calling_spans(1, "c1", "A table?", [SEARCH], [("book", LATE)])
    assert parted(live, first, tool) == []  # what is missing may still come
    assert parted(live, second) == [("c1", 1, "book: party 4 ≠ 6")]
    assert parted(live, *rest) == [("c1", 1, "book: party 4 ≠ 6")]
    assert parted(live, root) == []  # there is a verdict now


@pytest.mark.parametrize(
    ("rounds", "told"),
    [
        ([[SEARCH], [PAY]], ["pay was called but is not expected"]),
        ([[SEARCH], [SEARCH]], ["search was called but is not expected"]),
        ([[BOOK], [SEARCH]], ["search was called out of order"]),
        ([[BOOK]], []),  # the answer that asked for the search may come late
        ([[SEARCH, BOOK]], []),
        ([[SEARCH], [BOOK]], []),
    ],
)
def test_what_no_call_to_come_can_repair_is_told(tmp_path: Path, rounds: list[list[Call]], told: list[str]) -> None:
    live = Live(tmp_path / "r.jsonl", golden_with_calls(tmp_path, SEARCH, BOOK))
    *spans, _root = calling_spans(1, "c1", "A table?", *rounds)
    assert [sentence for _name, _call, sentence in parted(live, *spans)] == told


@pytest.mark.parametrize("match_type", ["IN_ORDER", "ANY_ORDER"])
def test_where_other_calls_may_be_made_no_call_parts(tmp_path: Path, match_type: str) -> None:
    criteria: JsonObject = {"tool_trajectory_avg_score": {"threshold": 1.0, "match_type": match_type}}
    live = Live(tmp_path / "r.jsonl", golden_with_calls(tmp_path, SEARCH, BOOK, criteria=criteria))
    *spans, _root = calling_spans(1, "c1", "A table?", [SEARCH], [("book", LATE)], [PAY])
    assert parted(live, *spans) == []


@given(st.integers(0, 1 << 32), st.booleans(), st.booleans())
@settings(examples(60, 3_000), deadline=None)
def test_a_turn_that_comes_right_is_never_marked_in_whatever_order_its_spans_come(
    tmp_path_factory: pytest.TempPathFactory, seed: int, is_named: bool, is_served: bool
) -> None:
    chance = random.Random(seed)
    folder = tmp_path_factory.mktemp("partings")
    calls = chance.choices([SEARCH, BOOK, PAY, ("book", LATE)], k=chance.randint(0, 5))
    rounds, left = list[list[Call]](), list(calls)
    while left:
        size = chance.randint(1, len(left))
        rounds.append(left[:size])
        del left[:size]
    live = Live(folder / "r.jsonl", golden_with_calls(folder, *calls))
    spans = calling_spans(1, "c1", "A table?", *rounds, is_named=is_named)
    if is_served:  # so that the turn runs on when its agent has ended, and some answers of its model come late
        spans[-1]["parentSpanId"] = f"{1 << 16 | 500:016x}"
        spans.append(span(1, 500, "POST /chat", lasts_ms=10_000))
    chance.shuffle(spans)
    verdicts: list[tuple[str, Status]] = []
    for sent in spans:
        verdicts += [(name, status) for name, _turn, status, *_rest in live.told(request([sent]))]
        assert parted(live) == []
    assert verdicts[-1:] == [("case", Status.PASSED)]
