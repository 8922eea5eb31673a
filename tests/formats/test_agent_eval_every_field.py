"""Every field of agent-eval's files: what a file says in it is told, or left out with a reason."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from tests.formats import agent_eval_files as files
from tests.formats.agent_eval_patterns import PATTERNS
from tests.formats.span_files import opened
from tests.helpers.marked import Marks
from tests.helpers.tables import each
from trace_inspector.core.rows.contents import Contents
from trace_inspector.core.trace.trace import answer_text
from trace_inspector.flows.opening.open_file import open_file

# What is not told, and why.
LEFT_OUT = {
    "/final_session_state/id": "the row says it too",
    "/final_session_state/appName": "the row says it too",
    "/final_session_state/userId": "the row says it too",
    "/final_session_state/lastUpdateTime": "when its last event came",
    "/request/contents/0/parts/0/text": "the session or the inputs say it",
    "/response/candidates/0/content/parts/0/text": "the session says it",
    "/session_trace/0/attributes/gen_ai.request.model": "the session's events say it",
    "/session_trace/1/attributes/gen_ai.system": "the model's name says more",
    "/session_trace/0/trace_id": "spans of a row are of one trace",
    "/metrics/asked/metric_type": "whether there is a template says so",
    "/metrics/asked/score_range/description": "words on the scale; Raw shows them",
}
# The converter extracts these of the session, where they are shown.
AGAIN = "C1 extracted beside a session"
OWN = tuple(
    f"/extracted_data/{name}" for name in ("own_state", "state_variables", "tool_declarations", "system_instruction")
)


def untold(marks: Marks, contents: Contents) -> set[str]:
    """The leaves that are told nowhere and have no reason."""
    return {place for place in marks.untold(repr(contents)) if not place.endswith(tuple(LEFT_OUT))}


@each("kind", PATTERNS)
def test_all_of_it_is_told(kind: str) -> None:
    marks = Marks()
    missing = untold(marks, opened(marks.value(PATTERNS[kind])))
    if kind == AGAIN:
        stated = {place for place in marks.spellings if place.startswith("/extracted_data/")}
        own = {place for place in stated if place.startswith(OWN)}
        assert missing - own == stated - own
        missing &= own
    assert missing == set()


def test_cells_of_a_table_tell_the_same(tmp_path: Path) -> None:
    marks = Marks()
    row: Any = marks.value(PATTERNS["C1 row told by its session"])
    path = tmp_path / "rows.csv"
    path.write_text(files.table(row), encoding="utf-8")
    contents = open_file(path).contents
    assert contents.format == "agent-eval"
    assert untold(marks, contents) == set()


LATENCY_OF_TWO: list[dict[str, Any]] = [
    {
        "type": "invocation",
        "duration_seconds": 6,
        "children": [
            {
                "type": "agent",
                "duration_seconds": 5,
                "children": [
                    {"type": "llm", "duration_seconds": 0.5},
                    {"type": "tool", "duration_seconds": 2, "children": [{"type": "llm", "duration_seconds": 1}]},
                ],
            }
        ],
    },
    {"type": "invocation", "duration_seconds": 1},
]


def test_a_final_response_of_other_words_than_the_conversation_is_told() -> None:
    contents = opened([files.simulated(final_response="Something else.")])
    (found,) = [one for one in contents.findings if one.code == "sources-differ"]
    assert found.pointer == "/0/final_response"


def test_an_answer_in_words_that_look_like_json_stays_as_it_is() -> None:
    for words in ("[1]", '{"a":  1}', "[not json"):
        (trace,) = opened(
            {"question_id": "q", "user_inputs": ["Hi"], "final_response": words, "extracted_data": {}}
        ).traces
        assert answer_text(trace.turns[-1]) == words


def test_durations_are_those_of_the_whole_tree() -> None:
    row = files.live(session_trace=[], latency_data=[*LATENCY_OF_TWO])
    first, second = opened([row]).traces[0].turns
    assert (first.duration_s, first.model_duration_s, first.tool_duration_s) == (6.0, 1.5, 2.0)
    assert (second.duration_s, second.model_duration_s) == (1.0, None)


def test_latencies_of_a_simulated_row_are_counts_and_no_times() -> None:
    (trace,) = opened([files.simulated(session_trace=[], latency_data=[*LATENCY_OF_TWO])]).traces
    assert [turn.duration_s for turn in trace.turns] == [3.0, 5.0]  # those of events
    assert "latency_data" in {extra.name for extra in trace.extras}


def test_the_response_answers_a_session_that_ends_without_words_and_no_input_of_its_own() -> None:
    row = files.simulated(final_response=None)
    del row["final_session_state"]["events"][-1]
    assert answer_text(opened([row]).traces[0].turns[-1]) == "Done, see the list."
    extracted = files.simulated(final_response=None, final_session_state=None, session_trace=[])
    first, second = opened([extracted]).traces[0].turns
    assert (answer_text(first), answer_text(second)) == ("Done, see the list.", "")
