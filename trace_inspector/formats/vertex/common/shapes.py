"""The messages of Vertex AI's evaluation, key by key: items, requests, results, and what its SDK makes of them."""

from __future__ import annotations

from trace_inspector.formats.common.fields import ANYTHING, BOOLEAN, LIST, NUMBER, OBJECT, OBJECT_OR_LIST, STRING
from trace_inspector.formats.common.schema import holding, message, open_message

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
_CODE = message("code", language=STRING, code=STRING, id=STRING)
_CODE_RESULT = message("a result of code", outcome=ANYTHING, output=STRING, id=STRING)
_PART = message(
    "a part",
    {
        "function_call": _CALL,
        "function_response": _RESPONSE,
        "inline_data": message("inline data", mime_type=STRING, data=STRING, display_name=STRING),
        "file_data": message("file data", file_uri=STRING, mime_type=STRING, display_name=STRING),
        "executable_code": _CODE,
        "code_execution_result": _CODE_RESULT,
    },
    thought=BOOLEAN,
    thought_signature=STRING,
    **dict.fromkeys(
        (
            "text", "inline_data", "file_data", "function_call", "function_response", "executable_code",
            "code_execution_result", "tool_call", "tool_response", "video_metadata", "media_resolution",
            "part_metadata", "audio_transcription", "speech_metadata", "media_processing",
        ),
        ANYTHING,
    ),
)  # fmt: skip
CONTENT = message("a content", {"parts": _PART}, role=STRING, parts=LIST)
_STATUS = message("an error", code=NUMBER, message=STRING, details=LIST)
RUBRIC_CONTENT = message(
    "a rubric's content",
    {"property": message("a rubric's property", description=STRING)},
    property=OBJECT,
    text_property=STRING,
)
_RUBRIC = message(
    "a rubric",
    {"content": RUBRIC_CONTENT},
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
holding(_TOOL, function_declarations=OBJECT)
_EVENT = message(
    "an event",
    {"content": CONTENT, "active_tools": _TOOL},
    author=STRING,
    content=ANYTHING,
    event_time=ANYTHING,
    state_delta=OBJECT,
    active_tools=LIST,
)
holding(_EVENT, active_tools=OBJECT)
AGENT_DATA = message(
    "agent data",
    {"turns": message("a turn", {"events": _EVENT}, turn_index=NUMBER, turn_id=STRING, events=LIST)},
    agents=OBJECT,
    turns=LIST,
)
AGENT_DATA.named["agents"] = _AGENT = message(
    "an agent",
    {"tools": _TOOL},
    agent_id=STRING,
    agent_type=STRING,
    description=STRING,
    instruction=STRING,
    tools=LIST,
    sub_agents=LIST,
)
holding(_AGENT, sub_agents=STRING)
_SCENARIO = message("a scenario", starting_prompt=STRING, conversation_plan=STRING, test_case_title=STRING)
_DATA = {"text": STRING, "value": ANYTHING, "agent_data": OBJECT}
_TEMPLATE = message("a template's data", values=OBJECT)
_TEMPLATE.named["values"] = CONTENT
_PROMPT = message(
    "a prompt",
    {"agent_data": AGENT_DATA, "user_scenario": _SCENARIO, "prompt_template_data": _TEMPLATE},
    **_DATA,
    prompt_template_data=OBJECT,
    user_scenario=OBJECT,
)
_ANSWER = message(
    "a response",
    {"agent_data": AGENT_DATA, "events": CONTENT, "error": _STATUS},
    **_DATA,
    candidate=STRING,
    events=LIST,
    error=OBJECT,
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
holding(REQUEST, rubrics=OBJECT_OR_LIST)  # the SDK's own rows have bare lists
_JUDGED = message(
    "a rubric's verdict", {"evaluated_rubric": _RUBRIC}, evaluated_rubric=OBJECT, verdict=BOOLEAN, reasoning=STRING
)
RESULT = message(
    "a result",
    {
        "request": REQUEST,
        "candidate_results": message(
            "a candidate's result",
            {"rubric_verdicts": _JUDGED, "error": _STATUS},
            candidate=STRING,
            metric=STRING,
            explanation=STRING,
            rubric_verdicts=LIST,
            additional_results=ANYTHING,
            score=ANYTHING,  # what is no number is named where it is read
            error=OBJECT,
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
_TASK = message("a harness task", dataset=STRING, task=STRING, gcs_uri=STRING)
_OF_AN_ITEM = {
    **dict.fromkeys(("name", "display_name", "gcs_uri", "create_time"), STRING),
    **dict.fromkeys(("labels", "error", "evaluation_request", "evaluation_response", "harbor_task"), OBJECT),
}
# What an item holds is a message of its own, checked where it is known what it is.
ITEM = open_message("an item", {"error": _STATUS, "harbor_task": _TASK}, **_OF_AN_ITEM)
holding(ITEM, labels=STRING)
_HOLDING = {
    **dict.fromkeys(("response", "content"), ANYTHING),  # a content or a text; named where it is read
    **dict.fromkeys(("role", "author", "event_id", "turn_id"), STRING),
    "parts": LIST,
    "creation_timestamp": ANYTHING,
}
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
holding(_CANDIDATE, metric_results=OBJECT)
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
_OF_A_CASE_INSIDE = {
    **dict.fromkeys(("prompt", "system_instruction"), CONTENT),
    **dict.fromkeys(("reference", "responses", "intermediate_events", "conversation_history"), _SAID),
    "user_scenario": _SCENARIO,
}
CASE = open_message("a case", _OF_A_CASE_INSIDE, **_OF_A_CASE)
CASE.named["rubric_groups"] = _GROUP
holding(CASE, rubric_groups=OBJECT_OR_LIST)
DATASET = open_message("a dataset", candidate_name=STRING)
