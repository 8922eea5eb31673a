"""The messages of CES's results, runs and conversations, key by key."""

from __future__ import annotations

from trace_inspector.formats.ces.common.evaluation_schemas import AUTHORS, RESOURCE, TOOLSET_TOOL
from trace_inspector.formats.common.schema import (
    ANYTHING,
    BOOLEAN,
    LIST,
    NUMBER,
    OBJECT,
    OBJECT_OR_LIST,
    TEXT,
    Schema,
)

_JUDGED = Schema("a score with its reason", NUMBER("score"), TEXT("label explanation"))
_SIMILARITY = Schema("a similarity result", NUMBER("score"), TEXT("label explanation"), ANYTHING("outcome"))
_TIMED = TEXT("display_name") | ANYTHING("start_time end_time execution_latency")
_SPAN_LATENCY = Schema(
    "a span's latency",
    _TIMED,
    ANYTHING("type type_"),
    TEXT("resource model callback"),
    OBJECT("toolset", of=TOOLSET_TOOL),
)
_LATENCIES = LIST("tool_call_latencies", of=Schema("a tool's latency", TEXT("tool"), _TIMED)) | LIST(
    "span_latencies", of=_SPAN_LATENCY
)
_CRITERIA = LIST(
    "evaluation_expectation_results",
    of=Schema("a criterion's result", TEXT("evaluation_expectation prompt explanation"), ANYTHING("outcome")),
)
_ERROR = OBJECT(
    "error_info",
    of=Schema("an error", ANYTHING("error_type"), TEXT("error_message session_id user_facing_error_message")),
)
_PARAMETERS = Schema(
    "a parameter result", NUMBER("parameter_correctness_score"), ANYTHING("outcome"), TEXT("explanation")
)
_OUTCOME = Schema(
    "an outcome",
    ANYTHING("outcome"),
    OBJECT("semantic_similarity_result", of=_SIMILARITY),
    OBJECT("tool_invocation_result", of=_PARAMETERS),
    OBJECT("expectation observed_tool_call observed_tool_response observed_agent_response observed_agent_transfer"),
    OBJECT("observed_payload"),
)
_TURN = Schema(
    "a replayed turn",
    TEXT("conversation"),
    OBJECT_OR_LIST("expectation_outcome expectation_outcomes", of=_OUTCOME),
    OBJECT("hallucination_result", of=_JUDGED),
    NUMBER("tool_invocation_score tool_ordered_invocation_score"),
    ANYTHING("turn_latency"),
    OBJECT("semantic_similarity_result", of=_SIMILARITY),
    OBJECT(
        "overall_tool_invocation_result",
        of=Schema("a tool invocation result", NUMBER("tool_invocation_score"), ANYTHING("outcome")),
    ),
    _LATENCIES,
    _ERROR,
)
_SCENARIO = Schema(
    "a scenario's result",
    TEXT("conversation task"),
    LIST("user_facts"),
    LIST("expectation_outcomes", of=_OUTCOME),
    LIST("rubric_outcomes", of=Schema("a rubric's outcome", TEXT("rubric score_explanation"), NUMBER("score"))),
    LIST("hallucination_result", of=_JUDGED),
    OBJECT("task_completion_result user_goal_satisfaction_result", of=_JUDGED),
    BOOLEAN("all_expectations_satisfied task_completed"),
    _LATENCIES,
    _CRITERIA,
)
SPAN = Schema("a span", TEXT("name"), ANYTHING("start_time end_time duration"), OBJECT("attributes"))
SPAN.add(LIST("child_spans", of=SPAN))
_REPLAYED = LIST("turn_replay_results", of=_TURN) | _CRITERIA
_MADE = (
    TEXT("name display_name initiated_by app_version app_version_display_name changelog")
    | ANYTHING("create_time changelog_create_time golden_run_method")
    | OBJECT("config error")
    | _ERROR
)
RESULT = Schema(
    "an evaluation result",
    _MADE,
    TEXT("evaluation_run"),
    ANYTHING("evaluation_status execution_state outcome_metadata"),
    OBJECT("persona evaluation_metrics_thresholds"),
    OBJECT("root_span", of=SPAN),
    OBJECT("golden_result", of=Schema("a golden's result", _REPLAYED)),
    OBJECT("scenario_result", of=_SCENARIO),
    _REPLAYED,  # some exporters leave out the object around them
)
CONVERSATION = Schema(
    "a conversation",
    TEXT("name entry_agent deployment app_version language_code"),
    ANYTHING("start_time end_time source channel_type"),
    LIST("turns", of=Schema("a turn", LIST("messages"), OBJECT("root_span", of=SPAN), TEXT("user_intended_text"))),
    LIST("input_types messages"),
    NUMBER("turn_count"),
)
_CONFIG = Schema(
    "a run's configuration",
    ANYTHING("evaluation_channel tool_call_behaviour"),
    OBJECT("input_audio_config output_audio_config"),
)
_PERSONA_RUN = Schema("a persona's runs", TEXT("persona"), NUMBER("task_count"))
_OPTIMIZATION = Schema(
    "an optimization",
    BOOLEAN("generate_loss_report should_suggest_fix"),
    TEXT("assistant_session report_summary error_message"),
    ANYTHING("status"),
    OBJECT("loss_report"),
)
RUN_REQUEST = Schema(
    "a request for a run",
    TEXT("app evaluation_dataset display_name app_version scheduled_evaluation_run"),
    LIST("evaluations", entries=TEXT),
    OBJECT("config", of=_CONFIG),
    NUMBER("run_count"),
    LIST("persona_run_configs", of=_PERSONA_RUN, entries=OBJECT),
    OBJECT("optimization_config", of=_OPTIMIZATION),
    ANYTHING("golden_run_method"),
    BOOLEAN("generate_latency_report"),
    OBJECT("evaluation_run_caching_settings", of=Schema("caching settings", ANYTHING("run_caching_mode"))),
)
_SCHEDULING = Schema("a schedule's times", ANYTHING("frequency start_time"), LIST("days_of_week", entries=NUMBER))
SCHEDULED_RUN = Schema(
    "a schedule",
    RESOURCE,
    AUTHORS,
    TEXT("description last_completed_run"),
    OBJECT("request", of=RUN_REQUEST),
    OBJECT("scheduling_config", of=_SCHEDULING),
    BOOLEAN("active"),
    NUMBER("total_executions"),
    ANYTHING("next_scheduled_execution_time"),
)
_LATENCY_REPORT = Schema(
    "a latency report",
    LIST("tool_latencies callback_latencies guardrail_latencies llm_call_latencies"),
    NUMBER("session_count"),
)
RUN = Schema(
    "an evaluation run",
    _MADE,
    TEXT("evaluation_dataset scheduled_evaluation_run operation"),
    LIST("evaluation_results evaluations persona_run_configs"),
    ANYTHING("evaluation_type state"),
    OBJECT("progress evaluation_run_summaries optimization_config"),
    OBJECT("latency_report", of=_LATENCY_REPORT),
    NUMBER("run_count"),
)
