"""Results, runs and conversations of CES, made up: a bookshop whose agent looks for books and orders them."""

from __future__ import annotations

from trace_inspector.core.values.values import Json, JsonObject

APP = "projects/shop/locations/eu/apps/books"
EVALUATION = f"{APP}/evaluations/order-a-book"
RESULT = f"{EVALUATION}/results/r1"
RUN = f"{APP}/evaluationRuns/nightly"
SCHEDULE = f"{APP}/scheduledEvaluationRuns/weekly"
TALK = f"{APP}/conversations/talk-1"


def call(tool: str, **args: Json) -> JsonObject:
    """A ToolCall."""
    return {"id": f"c-{tool}", "tool": f"{APP}/tools/{tool}", "displayName": tool.title(), "args": args}


def response(tool: str, **values: Json) -> JsonObject:
    """A ToolResponse."""
    return {"id": f"c-{tool}", "tool": f"{APP}/tools/{tool}", "response": values}


def message(role: str, *texts: str, **chunk: Json) -> JsonObject:
    """A Message of texts, and of one more chunk."""
    chunks: list[Json] = [{"text": text} for text in texts]
    return {"role": role, "chunks": [*chunks, *([chunk] if chunk else [])]}


def met(**entry: Json) -> JsonObject:
    """An entry that passed."""
    return {"outcome": "PASS", **entry}


def latency(kind: str, start: str, end: str, **beside: Json) -> JsonObject:
    """A SpanLatency within one minute."""
    return {
        "type": kind,
        "displayName": kind.lower(),
        "startTime": f"2026-03-01T10:00:{start}Z",
        "endTime": f"2026-03-01T10:00:{end}Z",
        **beside,
    }


def replay(**changed: Json) -> JsonObject:
    """A replayed turn in which a book is looked for as expected."""
    return {
        "conversation": TALK,
        "expectationOutcome": [
            met(
                expectation={"toolCall": call("search", title="Emma"), "note": "by title"},
                observedToolCall=call("search", title="Emma"),
                toolInvocationResult={
                    "parameterCorrectnessScore": 1.0,
                    "outcome": "PASS",
                    "explanation": "All equal.",
                },
            ),
            met(
                expectation={"toolResponse": response("search", output=[1])},
                observedToolResponse=response("search", output=[1]),
            ),
            met(
                expectation={"agentResponse": message("clerk", "One copy.")},
                observedAgentResponse=message("clerk", "There is one copy."),
            ),
        ],
        "overallToolInvocationResult": {"toolInvocationScore": 1.0, "outcome": "PASS"},
        "toolInvocationScore": 0.0,
        "toolOrderedInvocationScore": 0.5,
        "semanticSimilarityResult": {"score": 4, "label": "Fully", "explanation": "The same.", "outcome": "PASS"},
        "hallucinationResult": {"score": 1, "label": "Justified", "explanation": "From the search."},
        "turnLatency": "2.500s",
        **changed,
    }


def thresholds(**changed: Json) -> JsonObject:
    """The thresholds that a result repeats."""
    return {
        "goldenEvaluationMetricsThresholds": {
            "turnLevelMetricsThresholds": {
                "semanticSimilaritySuccessThreshold": 3,
                "overallToolInvocationCorrectnessThreshold": 0.75,
            },
            "expectationLevelMetricsThresholds": {"toolInvocationParameterCorrectnessThreshold": 0.5},
            "toolMatchingSettings": {"extraToolCallBehavior": "FAIL"},
        },
        "goldenHallucinationMetricBehavior": "ENABLED",
        **changed,
    }


def result(*turns: JsonObject, **changed: Json) -> JsonObject:
    """The result of a golden."""
    return {
        "name": RESULT,
        "displayName": "order a book result - 1",
        "createTime": "2026-03-01T10:01:00.123456789Z",
        "evaluationStatus": "PASS",
        "executionState": "COMPLETED",
        "evaluationRun": RUN,
        "evaluationMetricsThresholds": thresholds(),
        "goldenResult": {"turnReplayResults": [*turns] or [replay()]},
        **changed,
    }


def simulated(**changed: Json) -> JsonObject:
    """What a scenario's result says of its conversation."""
    return {
        "conversation": TALK,
        "task": "Order a book that is sold out.",
        "userFacts": [{"name": "title", "value": "Emma"}],
        "expectationOutcomes": [
            met(
                expectation={"toolExpectation": {"expectedToolCall": call("search")}},
                observedToolCall={
                    "toolCall": call("search", title="Emma"),
                    "toolResponse": response("search", output=0),
                },
            ),
            {
                "expectation": {"agentResponse": message("clerk", "Sold out.")},
                "observedAgentResponse": message("clerk", "It is here."),
                "outcome": "FAIL",
            },
        ],
        "rubricOutcomes": [{"rubric": "Is polite", "score": 0.8, "scoreExplanation": "Mostly."}],
        "hallucinationResult": [{"score": -1, "label": "Unknown"}, {"score": 0, "label": "Not justified"}],
        "userGoalSatisfactionResult": {"score": 0, "label": "Not satisfied", "explanation": "No book."},
        "allExpectationsSatisfied": False,
        "taskCompleted": False,
        "evaluationExpectationResults": [
            {
                "evaluationExpectation": f"{APP}/evaluationExpectations/polite",
                "prompt": "Was the clerk polite?",
                "outcome": "PASS",
                "explanation": "Yes.",
            }
        ],
        **changed,
    }


RESULTS: dict[str, Json] = {
    "golden": result(),
    "scenario": {"name": RESULT, "evaluationStatus": "FAIL", "scenarioResult": simulated()},
    "list": {"evaluationResults": [result(), result(name=f"{EVALUATION}/results/r2")], "nextPageToken": ""},
}


def run(**changed: Json) -> JsonObject:
    """A run of two evaluations that has ended."""
    whole: JsonObject = {"p50Latency": "0.5s", "p90Latency": "0.900s", "p99Latency": "1.25s", "callCount": 3}
    return {
        "name": RUN,
        "displayName": "every night",
        "createTime": "2026-03-01T10:00:00Z",
        "evaluationResults": [RESULT],
        "evaluationType": "GOLDEN",
        "state": "COMPLETED",
        "progress": {"totalCount": 3, "completedCount": 2, "passedCount": 1, "failedCount": 1, "errorCount": 1},
        "evaluationRunSummaries": {
            EVALUATION: {"passedCount": 1, "failedCount": 1},
            f"{APP}/evaluations/greet": {"errorCount": 1},
        },
        "latencyReport": {
            "toolLatencies": [{"tool": f"{APP}/tools/search", "toolDisplayName": "Search", "latencyMetrics": whole}],
            "callbackLatencies": [{"stage": "before_model", "latencyMetrics": whole}],
            "guardrailLatencies": [{"guardrail": f"{APP}/guardrails/manners", "latencyMetrics": whole}],
            "llmCallLatencies": [{"model": "gem", "latencyMetrics": whole}],
            "sessionCount": 4,
        },
        "runCount": 2,
        "personaRunConfigs": [{"persona": f"{APP}/evaluationPersonas/hasty", "taskCount": 5}],
        "goldenRunMethod": "STABLE",
        **changed,
    }


def run_request(**changed: Json) -> JsonObject:
    """What somebody asks CES to run."""
    return {
        "app": APP,
        "evaluations": [EVALUATION, f"{APP}/evaluations/greet"],
        "displayName": "before the release",
        "appVersion": f"{APP}/versions/v3",
        "config": {"evaluationChannel": "TEXT", "toolCallBehaviour": "FAKE"},
        "runCount": 3,
        "personaRunConfigs": [{"persona": f"{APP}/evaluationPersonas/hasty", "taskCount": 5}],
        "optimizationConfig": {"generateLossReport": True},
        "goldenRunMethod": "NAIVE",
        "generateLatencyReport": True,
        "evaluationRunCachingSettings": {"runCachingMode": "SKIP_IF_UNCHANGED"},
        **changed,
    }


def scheduled_run(**changed: Json) -> JsonObject:
    """A request that is repeated twice a week."""
    return {
        "name": SCHEDULE,
        "displayName": "every Monday and Friday",
        "description": "What customers ask most.",
        "request": run_request(),
        "schedulingConfig": {"frequency": "WEEKLY", "startTime": "2026-03-02T02:00:00Z", "daysOfWeek": [1, 5]},
        "active": True,
        "totalExecutions": 12,
        "lastCompletedRun": RUN,
        "nextScheduledExecutionTime": "2026-04-06T02:00:00Z",
        **changed,
    }


def spans() -> JsonObject:
    """The tree of spans of a turn."""
    llm: JsonObject = {
        "name": "LLM",
        "startTime": "2026-03-01T10:00:01Z",
        "endTime": "2026-03-01T10:00:02Z",
        "attributes": {"model": "gem", "input token count": 40, "output token count": 7},
    }
    tool: JsonObject = {"name": "Tool", "duration": "0.25s", "attributes": {"name": "search"}, "childSpans": []}
    return {
        "name": "Turn",
        "startTime": "2026-03-01T10:00:00.5Z",
        "endTime": "2026-03-01T10:00:03Z",
        "childSpans": [{**llm, "childSpans": [tool]}, {**llm, "attributes": {"input token count": 2.0}}],
    }


def turn(*texts: str, **changed: Json) -> JsonObject:
    """A turn of a conversation: a question, a call, its result, an answer."""
    return {
        "messages": [
            {**message("user", updatedVariables={"member": True}), "eventTime": "2026-03-01T10:00:00Z"},
            message("user", *texts),
            message("clerk", toolCall=call("search", title="Emma")),
            message("clerk", toolResponse=response("search", output=[1])),
            {**message("clerk", "There is one copy."), "eventTime": "2026-03-01T10:00:03Z"},
        ],
        "rootSpan": spans(),
        **changed,
    }


def conversation(*turns: JsonObject, **changed: Json) -> JsonObject:
    """A conversation."""
    told = [*turns] or [turn("Do you have Emma?")]
    return {
        "name": TALK,
        "startTime": "2026-03-01T10:00:00Z",
        "turns": [*told],
        "turnCount": len(told),
        "source": "EVAL",
        "inputTypes": ["INPUT_TYPE_TEXT"],
        "languageCode": "en-GB",
        **changed,
    }


CONVERSATIONS: dict[str, Json] = {
    "turns": conversation(),
    "messages": {"name": TALK, "messages": [message("user", "Hello?"), message("clerk", "Good day.")]},
    "list": {"conversations": [conversation(), conversation(name=f"{APP}/conversations/talk-2")]},
}
