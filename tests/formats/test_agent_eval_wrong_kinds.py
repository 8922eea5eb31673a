"""Fields of agent-eval's files of a wrong kind, and keys that nobody knows: each is named at its place or shown."""

from __future__ import annotations

import copy
import re
from pathlib import Path
from typing import Any

from hypothesis import given
from hypothesis import strategies as some

from tests.formats import agent_eval_files as files
from tests.formats.agent_eval_patterns import PATTERNS
from tests.formats.odd_members import members, oddly
from tests.formats.span_files import opened
from tests.helpers.campaigns import examples, is_long
from tests.helpers.marked import Marks
from tests.helpers.tables import each
from trace_inspector.core.rows.contents import Contents, collect
from trace_inspector.core.trace.parts import spoken_text
from trace_inspector.core.trace.trace import Trace
from trace_inspector.core.values.pointer import resolve
from trace_inspector.core.values.values import ABSENT, Json
from trace_inspector.flows.opening.open_file import open_file
from trace_inspector.formats import recognise
from trace_inspector.formats.common.format import Source

ROWS: dict[str, Json] = {
    "simulated": [files.simulated(eval_results=files.results())],
    "live": [files.live()],
    "without a session": [files.live(final_session_state=None, session_trace=[])],
    "golden questions": files.golden(),
    "metrics": files.metrics(),
    "summary": files.summary(),
}
FILES: dict[str, Json] = {
    "simulated": ROWS["simulated"],
    "without a session": ROWS["without a session"],
    **{kind: Marks().value(pattern) for kind, pattern in PATTERNS.items()},
}
# What may be of several kinds, or is named elsewhere than at its place.
UNDERSTOOD = {
    r"/parts/\d+$|/candidates/0/content$": "a bare text is a part or a content too",
    r"/trace_id$": "a text or a number, and not shown",
    r"/timestamp$": "a text or a number, and the session tells it",
    r"/attributes$": "a list of names and values, as OTLP has it",
    r"/attributes/gcp\.vertex\.agent\.llm_re\w+$": "JSON in a text, or what it says",
    r"/(input_arguments|output_result|web)(/\w+)?$": "any value; of what is extracted the session tells it",
    r"/dataset_mapping/\w+$|/score_range/\d$": "named one level above",
    r"/final_response/role$": "not shown",
}
NEIGHBOUR: Json = files.live(question_id="lyon", session_id="s-lyon")
LEAF = "odd_leaf"
ODD: tuple[Json, ...] = ({"od": LEAF}, [LEAF], 7_777, LEAF)
BRAND_NEW = "brand_new"
# Objects in which any key is a value, or which are told by another object.
FREE = (
    r"/(args|input_arguments|output_result|response|state\w*|stateDelta|attributes|web|dataset_mapping)$"
    r"|/(grounding_chunks|per_turn_tokens)/\d+$"
)


def is_named(place: str, contents: Contents) -> bool:
    """Whether a finding stands at a place or inside it."""
    return any(found.pointer == place or found.pointer.startswith(f"{place}/") for found in contents.findings)


def is_ours(value: Json) -> bool:
    """Whether a file is still one of agent-eval's."""
    known = recognise(value)
    return known is not None and known.system == "agent-eval"


@each("kind", FILES)
def test_what_is_of_a_wrong_kind_is_named_at_its_place_or_shown(kind: str) -> None:
    silent = set()
    before = {found for found in opened(FILES[kind]).findings if found.code == "wrong-type"}
    assert before == set()
    value = copy.deepcopy(FILES[kind])
    for place, odd in oddly(value, ODD, is_long=is_long()):
        known = recognise(value)
        if known is None or known.system != "agent-eval":
            continue
        contents = collect(known.name, known.read(Source(value)))
        assert len(contents.findings) == len(set(contents.findings)), (place, odd)
        told = str(odd) if isinstance(odd, int) else LEAF
        if not is_named(place, contents) and told not in repr(contents):
            silent.add(place)
    assert {place for place in silent if not any(re.search(ending, place) for ending in UNDERSTOOD)} == set()


@each(
    ("kind", "name", "wrong", "place", "message"),
    [
        (
            "live",
            "user_inputs",
            7,
            "/0/user_inputs",
            "“user_inputs” of a row should be a text or a list, not a number.",
        ),
        (
            "live",
            "user_inputs",
            ["Hi", 7],
            "/0/user_inputs/1",
            "An entry of “user_inputs” of a row should be a text, not a number.",
        ),
        (
            "live",
            "session_trace",
            {"spans": []},
            "/0/session_trace",
            "“session_trace” of a row should be a list, not an object.",
        ),
        (
            "live",
            "session_trace",
            [{"name": "call_llm", "span_id": "a", "start_time": "noon"}],
            "/0/session_trace/0/start_time",
            "“start_time” of a span should be a time, not a text.",
        ),
        (
            "live",
            "reference_data",
            {"reference_tool_interactions": 7},
            "/0/reference_data/reference_tool_interactions",
            "“reference_tool_interactions” of reference data should be a list, not a number.",
        ),
        (
            "live",
            "extracted_data",
            {"per_turn_tokens": [{"prompt_token_count": "many"}]},
            "/0/extracted_data/per_turn_tokens/0/prompt_token_count",
            "“prompt_token_count” of token counts should be a number, not a text.",
        ),
        (
            "live",
            "eval_results",
            {"tone": ["x"]},
            "/0/eval_results/tone",
            "This metric's result should be a number or an object, not a list; it has no score.",
        ),
    ],
)
def test_a_wrong_kind_is_a_finding_with_its_place_and_what_to_do(
    kind: str, name: str, wrong: Json, place: str, message: str
) -> None:
    row: Any = copy.deepcopy(ROWS[kind])
    row[0][name] = wrong
    found = {one.pointer: one for one in opened(row).findings if one.code == "wrong-type"}
    assert set(found) == {place}
    assert found[place].message == f"{message} Correct it in the file; until then it is not used."


def test_a_count_of_tokens_that_is_none_is_named_at_its_event() -> None:
    row = files.simulated()
    row["final_session_state"]["events"][1]["usageMetadata"]["promptTokenCount"] = ["many"]
    contents = opened([row])
    assert is_named("/0/final_session_state/events/1/usageMetadata/promptTokenCount", contents)


@each("kind", FILES)
def test_a_key_that_nobody_knows_is_told_wherever_it_stands(kind: str) -> None:
    silent = set()
    for at, (owner, key, place) in enumerate(members(FILES[kind])):
        if not isinstance(owner[key], dict) or re.search(FREE, place):
            continue
        made = copy.deepcopy(FILES[kind])
        holder, inner, _place = [*members(made)][at]
        holder[inner][BRAND_NEW] = LEAF
        if is_ours(made) and BRAND_NEW not in repr(opened(made)):
            silent.add(place)
    assert silent == set()


def test_cells_of_a_table_are_checked_by_what_they_say(tmp_path: Path) -> None:
    path = tmp_path / "rows.csv"
    odd = {"user_inputs": ["Hi", 7], "latency_data": "soon", "adk_score.safety_v1": "good"}
    path.write_text(files.table(files.live(**odd)), encoding="utf-8")
    found = {one.pointer for one in open_file(path).contents.findings if one.code == "wrong-type"}
    assert found == {"/0/user_inputs/1", "/0/latency_data", "/0/adk_score.safety_v1"}


def test_empty_cells_of_a_table_say_nothing(tmp_path: Path) -> None:
    path = tmp_path / "rows.csv"
    path.write_text(files.table(dict.fromkeys(files.live(), "") | {"question_id": "q"}), encoding="utf-8")
    contents = open_file(path).contents
    assert contents.format == "agent-eval"
    assert [found for found in contents.findings if found.code == "wrong-type"] == []


def test_what_the_state_has_written_over_extracted_data_is_no_mistake() -> None:
    row = files.simulated()
    row["extracted_data"]["stop_reasons"] = row["final_session_state"]["state"]["stop_reasons"]
    assert not is_named("/0/extracted_data", opened([row]))
    row["extracted_data"]["stop_reasons"] = "others"
    assert is_named("/0/extracted_data/stop_reasons", opened([row]))


def test_spans_that_tell_no_turn_stay_beside_what_is_extracted() -> None:
    spans = [files.span("work", 1, None, 0, 2.0), {"name": "no id"}]
    contents = opened([files.live(final_session_state=None, session_trace=spans)])
    assert contents.traces[0].span_count == 1
    assert is_named("/0/session_trace/1", contents)


@examples(40, 1000)
@given(
    some.sampled_from(sorted(ROWS)), some.integers(0, 10_000), some.sampled_from([*ODD, True, None, -1, "", "[", {}])
)
def test_any_value_anywhere_leaves_its_neighbour_as_it_is(kind: str, number: int, odd: Json) -> None:
    """Whatever is odd about a row is said of that row, at places which are there."""
    made = copy.deepcopy(ROWS[kind])
    owner, key, _place = [*members(made)][number % len([*members(made)])]
    owner[key] = odd
    if isinstance(made, list):
        made.append(NEIGHBOUR)
    if not is_ours(made):
        return
    contents = opened(made)
    assert all(found.message and resolve(made, above(found.pointer)) is not ABSENT for found in contents.findings)
    if isinstance(made, list):
        of_neighbour = {found.code for found in contents.findings if found.pointer.startswith("/1")}
        assert of_neighbour <= {"reference-turns"}  # which it tells alone too
        assert said(contents.traces[-1]) == said(opened([NEIGHBOUR]).traces[0])


def above(pointer: str) -> str:
    """The place that holds another, which may be the one that is missing."""
    return pointer.rpartition("/")[0]


def said(trace: Trace) -> tuple[object, ...]:
    """What a row says, wherever it stands in its file."""
    texts = [(spoken_text(turn.user), spoken_text(turn.final_response or ())) for turn in trace.turns]
    return trace.id, trace.session_id, trace.span_count, texts
