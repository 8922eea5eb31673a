"""The messages of Vertex AI's evaluation, key by key: items, requests, results, and what its SDK makes of them."""

from __future__ import annotations

from trace_inspector.formats.lenient import ANYTHING, BOOLEAN, LIST, NUMBER, OBJECT, STRING, Extra, Field, Shape
from trace_inspector.formats.messages import Message, message

_CALL = message("a function call", id=STRING, name=STRING, args=OBJECT, partial_args=LIST, will_continue=BOOLEAN)
_RESPONSE = message(
    "a function response",
    id=STRING,
    name=STRING,
    response=ANYTHING,
    parts=LIST,
    scheduling=ANYTHING,
    will_continue=BOOLEAN,
)
_PART = message(
    "a part",
    {"function_call": _CALL, "function_response": _RESPONSE},
    **dict.fromkeys(
        (
            "text", "inline_data", "file_data", "function_call", "function_response", "executable_code",
            "code_execution_result", "tool_call", "tool_response", "thought", "thought_signature", "video_metadata",
            "media_resolution", "part_metadata", "audio_transcription", "speech_metadata", "media_processing",
        ),
        ANYTHING,
    ),
)  # fmt: skip
CONTENT = message("a content", {"parts": _PART}, role=STRING, parts=LIST)
_RUBRIC = message(
    "a rubric",
    {
        "content": message(
            "a rubric's content",
            {"property": message("a rubric's property", description=STRING)},
            property=OBJECT,
            text_property=STRING,
        )
    },
    rubric_id=STRING,
    content=OBJECT,
    type=STRING,
    importance=ANYTHING,
)
_GROUP = message("a group of rubrics", {"rubrics": _RUBRIC}, group_id=STRING, display_name=STRING, rubrics=LIST)
_DECLARATION = message(
    "a function's declaration",
    name=STRING,
    description=STRING,
    parameters=OBJECT,
    parameters_json_schema=ANYTHING,
    response=OBJECT,
    response_json_schema=ANYTHING,
    behavior=ANYTHING,
)
_TOOL = message(
    "a tool",
    {"function_declarations": _DECLARATION},
    function_declarations=LIST,
    **dict.fromkeys(
        (
            "retrieval", "google_search", "google_search_retrieval", "enterprise_web_search", "code_execution",
            "url_context", "computer_use", "google_maps", "parallel_ai_search", "exa_ai_search", "file_search",
            "mcp_servers",
        ),
        ANYTHING,
    ),
)  # fmt: skip
_EVENT = message(
    "an event",
    {"content": CONTENT, "active_tools": _TOOL},
    author=STRING,
    content=ANYTHING,
    event_time=ANYTHING,
    state_delta=OBJECT,
    active_tools=LIST,
)
AGENT_DATA = message(
    "agent data",
    {"turns": message("a turn", {"events": _EVENT}, turn_index=NUMBER, turn_id=STRING, events=LIST)},
    agents=OBJECT,
    turns=LIST,
)
AGENT_DATA.named["agents"] = message(
    "an agent",
    {"tools": _TOOL},
    agent_id=STRING,
    agent_type=STRING,
    description=STRING,
    instruction=STRING,
    tools=LIST,
    sub_agents=LIST,
)
_SCENARIO = message("a scenario", starting_prompt=STRING, conversation_plan=STRING, test_case_title=STRING)
_DATA = {"text": STRING, "value": ANYTHING, "agent_data": OBJECT}
_PROMPT = message(
    "a prompt",
    {
        "agent_data": AGENT_DATA,
        "user_scenario": _SCENARIO,
        "prompt_template_data": message("a template's data", values=OBJECT),
    },
    **_DATA,
    prompt_template_data=OBJECT,
    user_scenario=OBJECT,
)
_ANSWER = message(
    "a response",
    {"agent_data": AGENT_DATA, "events": CONTENT},
    **_DATA,
    candidate=STRING,
    events=LIST,
    error=ANYTHING,
)
REQUEST = message(
    "a request",
    {"prompt": _PROMPT, "golden_response": _ANSWER, "candidate_responses": _ANSWER},
    prompt=OBJECT,
    golden_response=OBJECT,
    rubrics=OBJECT,
    candidate_responses=LIST,
    extra_context=OBJECT,
)
REQUEST.named.update({"rubrics": _GROUP, "extra_context": CONTENT})
_JUDGED = message(
    "a rubric's verdict", {"evaluated_rubric": _RUBRIC}, evaluated_rubric=OBJECT, verdict=BOOLEAN, reasoning=STRING
)
RESULT = message(
    "a result",
    {
        "request": REQUEST,
        "candidate_results": message(
            "a candidate's result",
            {"rubric_verdicts": _JUDGED},
            candidate=STRING,
            metric=STRING,
            explanation=STRING,
            rubric_verdicts=LIST,
            additional_results=ANYTHING,
            score=ANYTHING,  # what is no number is named where it is read
            error=ANYTHING,
        ),
    },
    evaluation_request=STRING,
    evaluation_request_revision=ANYTHING,
    evaluation_run=STRING,
    request=OBJECT,
    metric=STRING,
    candidate_results=LIST,
    metadata=ANYTHING,
)
_HOLDING = dict.fromkeys(
    ("response", "content", "role", "parts", "author", "event_id", "turn_id", "creation_timestamp"), ANYTHING
)
_OF_A_CASE = {
    "eval_case_id": STRING,
    "responses": LIST,
    "rubric_groups": OBJECT,
    "intermediate_events": LIST,
    "conversation_history": LIST,
    "user_scenario": OBJECT,
    "reference_trajectory": LIST,
}
SCORED = message(
    "a case's result",
    eval_case_index=NUMBER,
    response_candidate_results=LIST,
)
SCORED.inside["response_candidate_results"] = _CANDIDATE = message(
    "a response's result", response_index=NUMBER, metric_results=OBJECT
)
_CANDIDATE.named["metric_results"] = message(
    "a metric's result",
    {"rubric_verdicts": _JUDGED},
    metric_name=STRING,
    score=ANYTHING,
    explanation=STRING,
    rubric_verdicts=LIST,
    raw_output=ANYTHING,
    error_message=STRING,
)
_SAID = message("a held content", {"response": CONTENT, "content": CONTENT}, **_HOLDING)
# A case of the SDK may have any other key.
CASE = Message(
    Shape("a case", {name: Field(kinds) for name, kinds in _OF_A_CASE.items()}, Extra.KEPT),
    {"prompt": CONTENT, "reference": _SAID, "responses": _SAID, "intermediate_events": _SAID},
    {"rubric_groups": _GROUP},
)
