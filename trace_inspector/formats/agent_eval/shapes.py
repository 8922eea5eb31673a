"""The objects of agent-eval's files, key by key: rows, golden questions, metric files and summaries."""

from __future__ import annotations

from trace_inspector.formats.common.fields import (
    ANYTHING,
    BOOLEAN,
    LIST,
    NUMBER,
    OBJECT,
    OBJECT_OR_LIST,
    STRING,
    TEXT_OR_LIST,
    TEXT_OR_NUMBER,
    TEXT_OR_OBJECT,
    TEXT_OR_WHOLE,
    Extra,
    Field,
    Shape,
)
from trace_inspector.formats.common.schema import Message, holding, message, open_message
from trace_inspector.formats.vertex.common.shapes import CONTENT as _ANY_CONTENT
from trace_inspector.formats.vertex.common.shapes import RUBRIC_CONTENT

_PART_OF_ANY = _ANY_CONTENT.inside["parts"]
_PART = Message(
    Shape("a part", {**_PART_OF_ANY.shape.fields, "text": Field(STRING)}, Extra.TOLD), _PART_OF_ANY.inside
)
_CONTENT = holding(message("a content", {"parts": _PART}, role=STRING, parts=LIST), parts=TEXT_OR_OBJECT)
_CONTENTS = holding(message("a request", {"contents": _CONTENT}, contents=LIST), contents=OBJECT)
_CANDIDATES = holding(
    message(
        "a response",
        {"candidates": message("a candidate", {"content": _CONTENT}, content=TEXT_OR_OBJECT)},
        candidates=LIST,
    ),
    candidates=OBJECT,
)
USAGE = open_message(
    "token counts",
    {},
    prompt_token_count=NUMBER,
    candidates_token_count=NUMBER,
    total_token_count=NUMBER,
    cached_content_token_count=NUMBER,
    thoughts_token_count=NUMBER,
    tool_use_prompt_token_count=NUMBER,
)
_ACTIONS = open_message("actions", {}, state_delta=OBJECT, transfer_to_agent=STRING)
_SESSION = message(
    "a session",
    {
        "events": open_message("an event", {"usage_metadata": USAGE, "actions": _ACTIONS})
    },  # all else is checked as ADK's
    id=STRING,
    app_name=STRING,
    user_id=STRING,
    state=OBJECT,
    events=LIST,
    last_update_time=NUMBER,
)
_ATTRIBUTES = open_message(
    "a span's attributes",
    {},
    **dict.fromkeys(("gen_ai.usage.input_tokens", "gen_ai.usage.output_tokens"), NUMBER),
    **dict.fromkeys(
        (
            "gcp.vertex.agent.llm_request", "gcp.vertex.agent.llm_response", "gcp.vertex.agent.tool_call_args",
        ),
        TEXT_OR_OBJECT,
    ),
    **dict.fromkeys(
        (
            "gen_ai.system", "gen_ai.request.model", "gen_ai.tool.name", "gen_ai.operation.name",
            "gen_ai.response.finish_reason", "gcp.vertex.agent.invocation_id",
        ),
        STRING,
    ),
)  # fmt: skip
_SPAN = message(
    "a span",
    {"attributes": _ATTRIBUTES},
    name=STRING,
    span_id=TEXT_OR_WHOLE,
    trace_id=TEXT_OR_WHOLE,
    parent_span_id=TEXT_OR_WHOLE,
    start_time=ANYTHING,  # what is no time is named where it is read
    end_time=ANYTHING,
    attributes=OBJECT_OR_LIST,
)
_LATENCY = message("a latency", name=STRING, type=STRING, duration_seconds=NUMBER, children=LIST)
_LATENCY.inside["children"] = _LATENCY
holding(_LATENCY, children=OBJECT)
_CALL: dict[str, tuple[type, ...]] = {
    "tool_name": STRING,
    "input_arguments": OBJECT,
    "call_id": STRING,
    "output_result": ANYTHING,
}
_DECLARATION = message(
    "a function's declaration",
    name=STRING,
    description=STRING,
    **dict.fromkeys(
        ("parameters", "parameters_json_schema", "response", "response_json_schema", "behavior"), ANYTHING
    ),
)
EXTRACTED = holding(
    open_message(
        "extracted data",
        {
            "tool_interactions": message("a tool interaction", None, **_CALL, status=STRING),
            "sub_agent_trace": message(
                "an agent's words", agent_name=STRING, text_response=STRING, timestamp=TEXT_OR_NUMBER
            ),
            "tool_declarations": holding(
                message("a tool", {"function_declarations": _DECLARATION}, function_declarations=LIST),
                function_declarations=OBJECT,
            ),
            "per_turn_tokens": USAGE,
            "conversation_history": _CONTENT,
        },
        state_variables=OBJECT,
        system_instruction=STRING,
        **dict.fromkeys(
            (
                "tool_interactions", "sub_agent_trace", "tool_declarations", "thinking_trace", "grounding_chunks",
                "per_turn_tokens", "stop_reasons", "conversation_history",
            ),
            LIST,
        ),
    ),
    tool_interactions=OBJECT,
    sub_agent_trace=OBJECT,
    tool_declarations=OBJECT,
    per_turn_tokens=OBJECT,
    conversation_history=OBJECT,
    grounding_chunks=OBJECT,
    thinking_trace=STRING,
    stop_reasons=STRING,
)  # fmt: skip
REFERENCE = holding(
    open_message(
        "reference data",
        {"reference_tool_interactions": message("an expected call", None, **_CALL)},
        reference_tool_interactions=LIST,
        reference_trajectory=LIST,
        expected_response_contains=TEXT_OR_LIST,
        reference_response=STRING,
    ),
    reference_tool_interactions=OBJECT,
    reference_trajectory=STRING,
    expected_response_contains=STRING,
)
_RUBRIC_VERDICT = message(
    "a rubric's verdict",
    {
        "evaluated_rubric": open_message(
            "a rubric",
            {"content": RUBRIC_CONTENT},
            rubric_id=STRING,
            content=OBJECT,
        )
    },
    evaluated_rubric=OBJECT,
    verdict=BOOLEAN,
    reasoning=STRING,
)
_RESULT = open_message(
    "a metric's result",
    {"rubric_verdicts": _RUBRIC_VERDICT},
    score=ANYTHING,  # what is no number is named where it is read
    explanation=STRING,
    details=OBJECT,
    rubric_verdicts=LIST,
    error=TEXT_OR_OBJECT,
    input=ANYTHING,
)
ROW = holding(
    open_message(
        "a row",
        {
            "request": _CONTENTS,
            "response": _CANDIDATES,
            "reference_data": REFERENCE,
            "final_session_state": _SESSION,
            "session_trace": _SPAN,
            "latency_data": _LATENCY,
            "extracted_data": EXTRACTED,
        },
        user_inputs=TEXT_OR_LIST,
        final_response=TEXT_OR_OBJECT,
        **dict.fromkeys(("question_id", "session_id", "run_id", "ADK_USER_ID"), TEXT_OR_WHOLE),
        **dict.fromkeys(("app_name", "base_url", "interaction_datetime", "USER"), STRING),
        **dict.fromkeys(("agents_evaluated", "session_trace", "latency_data", "trace_summary"), LIST),
        **dict.fromkeys(
            (
                "request", "response", "status", "question_metadata", "reference_data", "missing_information",
                "final_session_state", "extracted_data", "eval_results",
            ),
            OBJECT,
        ),
    ),
    user_inputs=STRING,
    agents_evaluated=STRING,
    trace_summary=STRING,
    latency_data=OBJECT,
)  # fmt: skip
ROW.named["eval_results"] = _RESULT
QUESTION = holding(
    open_message(
        "a question",
        {"reference_data": REFERENCE},
        id=TEXT_OR_WHOLE,
        user_inputs=TEXT_OR_LIST,
        agents_evaluated=LIST,
        metadata=OBJECT,
        reference_data=OBJECT,
        updated_datetime=STRING,
    ),
    user_inputs=STRING,
    agents_evaluated=STRING,
)
_RANGE = message("a range of scores", min=NUMBER, max=NUMBER, description=STRING)
_COLUMN = message("a mapping", source_column=STRING, template=STRING, source_columns=LIST)
METRIC = message(
    "a metric",
    {"score_range": _RANGE},
    metric_type=STRING,
    agents=LIST,
    score_range=OBJECT_OR_LIST,
    dataset_mapping=OBJECT,
    template=STRING,
    is_managed=BOOLEAN,
    managed_metric_name=STRING,
    use_gemini_format=BOOLEAN,
)
METRIC.named["dataset_mapping"] = holding(_COLUMN, source_columns=STRING)
holding(METRIC, agents=STRING, dataset_mapping=TEXT_OR_OBJECT)
METRICS = message("a metric file", metrics=OBJECT)
METRICS.named["metrics"] = METRIC
_AVERAGE = message("an average", {"score_range": _RANGE}, average=NUMBER, score_range=OBJECT_OR_LIST)
_OVERALL = message("an overall summary", deterministic_metrics=OBJECT, llm_based_metrics=OBJECT)
_OVERALL.named["llm_based_metrics"] = _AVERAGE
holding(_OVERALL, deterministic_metrics=NUMBER)
_OF_A_QUESTION = open_message(
    "a question's summary", {}, question_id=TEXT_OR_WHOLE, deterministic_metrics=OBJECT, llm_metrics=OBJECT
)
_OF_A_QUESTION.named["llm_metrics"] = _RESULT
SUMMARY = open_message(
    "a summary",
    {"overall_summary": _OVERALL, "per_question_summary": _OF_A_QUESTION},
    overall_summary=OBJECT,
    per_question_summary=LIST,
    **dict.fromkeys(("experiment_id", "run_type", "test_description", "interaction_datetime"), STRING),
)
