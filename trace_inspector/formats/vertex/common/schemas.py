"""The messages of Vertex AI's evaluation, key by key: items, requests, results, and what its SDK makes of them."""

from __future__ import annotations

from trace_inspector.formats.common.schema import (
    ANYTHING,
    BOOLEAN,
    LIST,
    NUMBER,
    OBJECT,
    OBJECT_OR_LIST,
    TEXT,
    ExtraKeys,
    Schema,
)

_CALL = Schema("a function call", TEXT("id name"), OBJECT("args"), LIST("partial_args"), BOOLEAN("will_continue"))
_RESPONSE = Schema(
    "a function response", TEXT("id name"), ANYTHING("response scheduling"), LIST("parts"), BOOLEAN("will_continue")
)
PART = Schema(
    "a part",
    BOOLEAN("thought"),
    TEXT("thought_signature"),
    ANYTHING("function_call", of=_CALL),
    ANYTHING("function_response", of=_RESPONSE),
    ANYTHING("inline_data", of=Schema("inline data", TEXT("mime_type data display_name"))),
    ANYTHING("file_data", of=Schema("file data", TEXT("file_uri mime_type display_name"))),
    ANYTHING("executable_code", of=Schema("code", TEXT("language code id"))),
    ANYTHING("code_execution_result", of=Schema("a result of code", ANYTHING("outcome"), TEXT("output id"))),
    ANYTHING("text tool_call tool_response video_metadata media_resolution part_metadata audio_transcription"),
    ANYTHING("speech_metadata media_processing"),
)
CONTENT = Schema("a content", TEXT("role"), LIST("parts", of=PART))
_STATUS = Schema("an error", NUMBER("code"), TEXT("message"), LIST("details"))
RUBRIC_CONTENT = Schema(
    "a rubric's content",
    OBJECT("property", of=Schema("a rubric's property", TEXT("description"))),
    TEXT("text_property"),
)
_RUBRIC = Schema("a rubric", OBJECT("content", of=RUBRIC_CONTENT), TEXT("rubric_id type"), ANYTHING("importance"))
_GROUP = Schema("a group of rubrics", TEXT("group_id display_name"), LIST("rubrics", of=_RUBRIC))
_DECLARATION = Schema(
    "a function's declaration",
    TEXT("name description"),
    OBJECT("parameters response"),
    ANYTHING("parameters_json_schema response_json_schema behavior"),
)
_TOOL = Schema(
    "a tool",
    LIST("function_declarations", of=_DECLARATION, entries=OBJECT),
    ANYTHING("retrieval google_search google_search_retrieval enterprise_web_search code_execution url_context"),
    ANYTHING("computer_use google_maps parallel_ai_search exa_ai_search file_search mcp_servers"),
)
_EVENT = Schema(
    "an event",
    TEXT("author"),
    ANYTHING("content", of=CONTENT),
    ANYTHING("event_time"),
    OBJECT("state_delta"),
    LIST("active_tools", of=_TOOL, entries=OBJECT),
)
_AGENT = Schema(
    "an agent",
    TEXT("agent_id agent_type description instruction"),
    LIST("tools", of=_TOOL),
    LIST("sub_agents", entries=TEXT),
)
AGENT_DATA = Schema(
    "agent data",
    OBJECT("agents", named=_AGENT),
    LIST("turns", of=Schema("a turn", NUMBER("turn_index"), TEXT("turn_id"), LIST("events", of=_EVENT))),
)
_SCENARIO = Schema("a scenario", TEXT("starting_prompt conversation_plan test_case_title"))
_DATA = TEXT("text") | ANYTHING("value") | OBJECT("agent_data", of=AGENT_DATA)
_PROMPT = Schema(
    "a prompt",
    _DATA,
    OBJECT("prompt_template_data", of=Schema("a template's data", OBJECT("values", named=CONTENT))),
    OBJECT("user_scenario", of=_SCENARIO),
)
_ANSWER = Schema("a response", _DATA, TEXT("candidate"), LIST("events", of=CONTENT), OBJECT("error", of=_STATUS))
REQUEST = Schema(
    "a request",
    OBJECT("prompt", of=_PROMPT),
    OBJECT("golden_response", of=_ANSWER),
    OBJECT("rubrics", named=_GROUP, entries=OBJECT_OR_LIST),  # the SDK's own rows have bare lists
    LIST("candidate_responses", of=_ANSWER),
    OBJECT("extra_context", named=CONTENT),
)
_RUBRIC_VERDICT = Schema(
    "a rubric's verdict", OBJECT("evaluated_rubric", of=_RUBRIC), BOOLEAN("verdict"), TEXT("reasoning")
)
_CANDIDATE_RESULT = Schema(
    "a candidate's result",
    TEXT("candidate metric explanation"),
    LIST("rubric_verdicts", of=_RUBRIC_VERDICT),
    ANYTHING("additional_results score"),  # what is no number is named where it is read
    OBJECT("error", of=_STATUS),
)
RESULT = Schema(
    "a result",
    TEXT("evaluation_request evaluation_run metric"),
    ANYTHING("evaluation_request_revision metadata"),
    OBJECT("request", of=REQUEST),
    LIST("candidate_results", of=_CANDIDATE_RESULT),
)
# What an item holds is a message of its own, checked where it is known what it is.
ITEM = Schema(
    "an item",
    TEXT("name display_name gcs_uri create_time"),
    OBJECT("labels", entries=TEXT),
    OBJECT("error", of=_STATUS),
    OBJECT("evaluation_request evaluation_response"),
    OBJECT("harbor_task", of=Schema("a harness task", TEXT("dataset task gcs_uri"))),
    extra=ExtraKeys.KEPT,
)
_METRIC_RESULT = Schema(
    "a metric's result",
    TEXT("metric_name explanation error_message"),
    ANYTHING("score raw_output"),
    LIST("rubric_verdicts", of=_RUBRIC_VERDICT),
)
_RESPONSE_RESULT = Schema(
    "a response's result",
    NUMBER("response_index"),
    OBJECT("metric_results", named=_METRIC_RESULT, entries=OBJECT),
)
SCORED = Schema("a case's result", NUMBER("eval_case_index"), LIST("response_candidate_results", of=_RESPONSE_RESULT))
_HELD_CONTENT = Schema(
    "a held content",
    ANYTHING("response content", of=CONTENT),  # a content or a text; named where it is read
    TEXT("role author event_id turn_id"),
    LIST("parts"),
    ANYTHING("creation_timestamp"),
)
CASE = Schema(
    "a case",
    TEXT("eval_case_id"),
    OBJECT("rubric_groups", named=_GROUP, entries=OBJECT_OR_LIST),
    OBJECT("user_scenario", of=_SCENARIO),
    LIST("responses intermediate_events conversation_history", of=_HELD_CONTENT),
    LIST("reference_trajectory"),
    ANYTHING("prompt system_instruction", of=CONTENT),
    ANYTHING("reference", of=_HELD_CONTENT),
    extra=ExtraKeys.KEPT,
)
DATASET = Schema("a dataset", TEXT("candidate_name"), extra=ExtraKeys.KEPT)
