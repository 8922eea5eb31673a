"""The messages of CES's results, runs and conversations, key by key: what is of a wrong kind or unknown is told."""

from __future__ import annotations

from trace_inspector.formats.ces.common.evaluation_shapes import TOOLSET_TOOL
from trace_inspector.formats.common.fields import ANYTHING, BOOLEAN, LIST, NUMBER, OBJECT, OBJECT_OR_LIST, STRING
from trace_inspector.formats.common.schema import holding, message

_JUDGED = message("a score with its reason", score=NUMBER, label=STRING, explanation=STRING)
_SIMILARITY = message("a similarity result", score=NUMBER, label=STRING, explanation=STRING, outcome=ANYTHING)
_TIMED: dict[str, tuple[type, ...]] = {
    "display_name": STRING,
    "start_time": ANYTHING,
    "end_time": ANYTHING,
    "execution_latency": ANYTHING,
}
_LATENCIES = {
    "tool_call_latencies": message("a tool's latency", None, tool=STRING, **_TIMED),
    "span_latencies": message(
        "a span's latency",
        {"toolset": TOOLSET_TOOL},
        **_TIMED,
        type=ANYTHING,
        type_=ANYTHING,
        resource=STRING,
        toolset=OBJECT,
        model=STRING,
        callback=STRING,
    ),
}
_CRITERIA = {
    "evaluation_expectation_results": message(
        "a criterion's result", evaluation_expectation=STRING, prompt=STRING, outcome=ANYTHING, explanation=STRING
    )
}
_ERROR = {
    "error_info": message(
        "an error",
        error_type=ANYTHING,
        error_message=STRING,
        session_id=STRING,
        user_facing_error_message=STRING,
    )
}
_ENTRY = message(
    "an outcome",
    {
        "semantic_similarity_result": _SIMILARITY,
        "tool_invocation_result": message(
            "a parameter result", parameter_correctness_score=NUMBER, outcome=ANYTHING, explanation=STRING
        ),
    },
    expectation=OBJECT,
    outcome=ANYTHING,
    semantic_similarity_result=OBJECT,
    tool_invocation_result=OBJECT,
    observed_tool_call=OBJECT,
    observed_tool_response=OBJECT,
    observed_agent_response=OBJECT,
    observed_agent_transfer=OBJECT,
    observed_payload=OBJECT,
)
_TURN = message(
    "a replayed turn",
    {
        "expectation_outcome": _ENTRY,
        "expectation_outcomes": _ENTRY,
        "hallucination_result": _JUDGED,
        "semantic_similarity_result": _SIMILARITY,
        "overall_tool_invocation_result": message(
            "a tool invocation result", tool_invocation_score=NUMBER, outcome=ANYTHING
        ),
        **_LATENCIES,
        **_ERROR,
    },
    conversation=STRING,
    expectation_outcome=OBJECT_OR_LIST,
    expectation_outcomes=OBJECT_OR_LIST,
    hallucination_result=OBJECT,
    tool_invocation_score=NUMBER,
    tool_ordered_invocation_score=NUMBER,
    turn_latency=ANYTHING,
    tool_call_latencies=LIST,
    semantic_similarity_result=OBJECT,
    overall_tool_invocation_result=OBJECT,
    error_info=OBJECT,
    span_latencies=LIST,
)
_SCENARIO = message(
    "a scenario's result",
    {
        "expectation_outcomes": _ENTRY,
        "rubric_outcomes": message("a rubric's outcome", rubric=STRING, score=NUMBER, score_explanation=STRING),
        "hallucination_result": _JUDGED,
        "task_completion_result": _JUDGED,
        "user_goal_satisfaction_result": _JUDGED,
        **_LATENCIES,
        **_CRITERIA,
    },
    conversation=STRING,
    task=STRING,
    user_facts=LIST,
    expectation_outcomes=LIST,
    rubric_outcomes=LIST,
    hallucination_result=LIST,
    task_completion_result=OBJECT,
    tool_call_latencies=LIST,
    user_goal_satisfaction_result=OBJECT,
    all_expectations_satisfied=BOOLEAN,
    task_completed=BOOLEAN,
    span_latencies=LIST,
    evaluation_expectation_results=LIST,
)
SPAN = message(
    "a span",
    name=STRING,
    start_time=ANYTHING,
    end_time=ANYTHING,
    duration=ANYTHING,
    attributes=OBJECT,
    child_spans=LIST,
)
SPAN.inside["child_spans"] = SPAN
RESULT = message(
    "an evaluation result",
    {
        "golden_result": message(
            "a golden's result",
            {"turn_replay_results": _TURN, **_CRITERIA},
            turn_replay_results=LIST,
            evaluation_expectation_results=LIST,
        ),
        "scenario_result": _SCENARIO,
        "turn_replay_results": _TURN,  # some exporters leave out the object around them
        "root_span": SPAN,
        **_CRITERIA,
        **_ERROR,
    },
    name=STRING,
    display_name=STRING,
    create_time=ANYTHING,
    evaluation_status=ANYTHING,
    evaluation_run=STRING,
    persona=OBJECT,
    error_info=OBJECT,
    error=OBJECT,
    initiated_by=STRING,
    app_version=STRING,
    app_version_display_name=STRING,
    changelog=STRING,
    changelog_create_time=ANYTHING,
    execution_state=ANYTHING,
    evaluation_metrics_thresholds=OBJECT,
    config=OBJECT,
    golden_run_method=ANYTHING,
    outcome_metadata=ANYTHING,
    root_span=OBJECT,
    golden_result=OBJECT,
    scenario_result=OBJECT,
    turn_replay_results=LIST,
    evaluation_expectation_results=LIST,
)
CONVERSATION = message(
    "a conversation",
    {"turns": message("a turn", {"root_span": SPAN}, messages=LIST, root_span=OBJECT, user_intended_text=STRING)},
    name=STRING,
    start_time=ANYTHING,
    end_time=ANYTHING,
    turns=LIST,
    turn_count=NUMBER,
    source=ANYTHING,
    input_types=LIST,
    entry_agent=STRING,
    deployment=STRING,
    app_version=STRING,
    language_code=STRING,
    channel_type=ANYTHING,
    messages=LIST,
)
_CACHING = message("caching settings", run_caching_mode=ANYTHING)
_CONFIG = message(
    "a run's configuration",
    evaluation_channel=ANYTHING,
    tool_call_behaviour=ANYTHING,
    input_audio_config=OBJECT,
    output_audio_config=OBJECT,
)
_PERSONA_RUN = message("a persona's runs", persona=STRING, task_count=NUMBER)
_OPTIMIZATION = message(
    "an optimization",
    generate_loss_report=BOOLEAN,
    assistant_session=STRING,
    report_summary=STRING,
    should_suggest_fix=BOOLEAN,
    status=ANYTHING,
    error_message=STRING,
    loss_report=OBJECT,
)
RUN_REQUEST = message(
    "a request for a run",
    {
        "config": _CONFIG,
        "persona_run_configs": _PERSONA_RUN,
        "optimization_config": _OPTIMIZATION,
        "evaluation_run_caching_settings": _CACHING,
    },
    app=STRING,
    evaluations=LIST,
    evaluation_dataset=STRING,
    display_name=STRING,
    app_version=STRING,
    config=OBJECT,
    run_count=NUMBER,
    persona_run_configs=LIST,
    optimization_config=OBJECT,
    scheduled_evaluation_run=STRING,
    golden_run_method=ANYTHING,
    generate_latency_report=BOOLEAN,
    evaluation_run_caching_settings=OBJECT,
)
holding(RUN_REQUEST, evaluations=STRING, persona_run_configs=OBJECT)
_SCHEDULING = message("a schedule's times", frequency=ANYTHING, start_time=ANYTHING, days_of_week=LIST)
holding(_SCHEDULING, days_of_week=NUMBER)
SCHEDULED_RUN = message(
    "a schedule",
    {"request": RUN_REQUEST, "scheduling_config": _SCHEDULING},
    name=STRING,
    display_name=STRING,
    description=STRING,
    request=OBJECT,
    scheduling_config=OBJECT,
    active=BOOLEAN,
    last_completed_run=STRING,
    total_executions=NUMBER,
    next_scheduled_execution_time=ANYTHING,
    create_time=ANYTHING,
    created_by=STRING,
    update_time=ANYTHING,
    last_updated_by=STRING,
    etag=STRING,
)
RUN = message(
    "an evaluation run",
    {
        "latency_report": message(
            "a latency report",
            tool_latencies=LIST,
            callback_latencies=LIST,
            guardrail_latencies=LIST,
            llm_call_latencies=LIST,
            session_count=NUMBER,
        ),
        **_ERROR,
    },
    name=STRING,
    display_name=STRING,
    evaluation_results=LIST,
    create_time=ANYTHING,
    initiated_by=STRING,
    app_version=STRING,
    app_version_display_name=STRING,
    changelog=STRING,
    changelog_create_time=ANYTHING,
    evaluations=LIST,
    evaluation_dataset=STRING,
    evaluation_type=ANYTHING,
    state=ANYTHING,
    progress=OBJECT,
    config=OBJECT,
    error=OBJECT,
    error_info=OBJECT,
    evaluation_run_summaries=OBJECT,
    latency_report=OBJECT,
    run_count=NUMBER,
    persona_run_configs=LIST,
    optimization_config=OBJECT,
    scheduled_evaluation_run=STRING,
    golden_run_method=ANYTHING,
    operation=STRING,
)
