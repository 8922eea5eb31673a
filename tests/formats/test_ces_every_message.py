"""Every message and field of CES: what a file says in it is told, in the view or as a finding with its place.

The lines named are those of the reference on CES, Vertex AI and agent-eval.
"""

from __future__ import annotations

import copy
from typing import Any

from tests.formats import ces_golden_files, ces_result_files
from tests.formats.odd_members import oddly
from tests.formats.span_files import opened
from tests.helpers.campaigns import is_long
from tests.helpers.marked import Marks
from tests.helpers.tables import each
from trace_inspector.core.values.values import Json
from trace_inspector.formats import recognise

BLOB: dict[str, Any] = {"mimeType": "?", "data": "QUJD"}
STATUS: dict[str, Any] = {"code": 0, "message": "?", "details": [{"@type": "?", "any": "?"}]}
CALL: dict[str, Any] = {"id": "?", "tool": "?", "displayName": "?", "args": {"?": "?"}, "agentName": "?"}
CALL |= {"parentToolCallId": "?"}
INSET: dict[str, Any] = {"toolset": "?", "toolId": "?"}
IN_SET: dict[str, Any] = {"id": "?", "toolsetTool": INSET, "displayName": "?", "args": {"a": 0}}
RESPONSE: dict[str, Any] = {"id": "?", "tool": "?", "displayName": "?", "response": {"output": "?"}, "agentName": "?"}
RESPONSE |= {"parentToolCallId": "?"}
FAILED: dict[str, Any] = {"id": "?", "toolsetTool": INSET, "displayName": "?", "response": {"error": "?"}}
TRANSFER: dict[str, Any] = {"targetAgent": "?", "displayName": "?"}
MESSAGE: dict[str, Any] = {
    "role": "?",
    "chunks": [
        {"text": "?"},
        {"transcript": "?"},
        {"blob": BLOB},
        {"payload": {"p": "?"}},
        {"image": {**BLOB, "altText": "?"}},
        {"toolCall": CALL},
        {"toolCall": IN_SET},
        {"toolResponse": RESPONSE},
        {"toolResponse": FAILED},
        {"agentTransfer": TRANSFER},
        {"updatedVariables": {"v": "?"}},
        {"defaultVariables": {"d": "?"}},
    ],
    "eventTime": "?t",
}
SPAN: dict[str, Any] = {"name": "?", "startTime": "?t", "duration": "?s", "attributes": {"model": "?", "agent": "?"}}
SPAN["attributes"] = {
    **dict.fromkeys(("name", "agent", "stage", "description", "model"), "?"),
    **dict.fromkeys(("time to first chunk (ms)", "time to first audio (ms)", "audio duration (ms)"), 0),
}
TREE: dict[str, Any] = {
    **SPAN,
    "childSpans": [
        {**SPAN, "name": "LLM", "attributes": {"input token count": 0, "output token count": 0, "model": "?"}},
        {**SPAN, "name": "Tool", "childSpans": [SPAN]},
    ],
}
LATENCIES: dict[str, Any] = {
    "toolCallLatencies": [{"tool": "?", "displayName": "?", "startTime": "?t", "executionLatency": "?s"}],
    "spanLatencies": [
        {"type": kind, "displayName": "?", "startTime": "?t", "executionLatency": "?s", **of}
        for kind, of in (
            ("TOOL", {"resource": "?"}),
            ("TOOL", {"toolset": INSET}),
            ("LLM", {"model": "?"}),
            ("USER_CALLBACK", {"callback": "?"}),
            ("?", {"resource": "?"}),
        )
    ],
}
EXPECTS: dict[str, Any] = {"note": "?", "comparisonType": "?"}
MET: dict[str, Any] = {"outcome": "?"}
TOLD: dict[str, Any] = {"score": 0, "label": "?", "explanation": "?"}
ERROR_INFO: dict[str, Any] = {"errorType": "?", "errorMessage": "?", "sessionId": "?", "userFacingErrorMessage": "?"}
LATENCY: dict[str, Any] = {"p50Latency": "?s", "p90Latency": "?s", "p99Latency": "?s", "callCount": 0}
CRITERION: dict[str, Any] = {"evaluationExpectation": "?", "prompt": "?", "outcome": "?", "explanation": "?"}
PERSONA: dict[str, Any] = {
    "name": "?",
    "displayName": "?",
    "description": "?",
    "personality": "?",
    "speechConfig": {"speakingRate": 0, "environment": "?", "voiceId": "?"},
}
HEAD: dict[str, Any] = {
    "name": "projects/p/locations/l/apps/a/evaluations/e/results/?",
    **dict.fromkeys(("displayName", "evaluationStatus", "evaluationRun", "initiatedBy", "appVersion"), "?"),
    **dict.fromkeys(("appVersionDisplayName", "changelog", "changelogCreateTime", "executionState"), "?"),
    **dict.fromkeys(("goldenRunMethod", "outcomeMetadata", "createTime"), "?"),
    "persona": PERSONA,
    "errorInfo": ERROR_INFO,
    "error": STATUS,
    "config": {"evaluationChannel": "?", "toolCallBehaviour": "?", "inputAudioConfig": {"sampleRateHertz": 0}},
    "rootSpan": TREE,
}
PATTERNS: dict[str, Any] = {
    "A3 golden result": {
        **HEAD,
        "goldenResult": {
            "turnReplayResults": [
                {
                    "conversation": "?",
                    "expectationOutcome": [
                        {"expectation": {"toolCall": CALL, **EXPECTS}, "observedToolCall": CALL, **MET}
                        | {
                            "toolInvocationResult": {
                                "parameterCorrectnessScore": 0,
                                "outcome": "?",
                                "explanation": "?",
                            }
                        },
                        {"expectation": {"toolResponse": RESPONSE}, "observedToolResponse": RESPONSE, **MET},
                        {"expectation": {"agentResponse": MESSAGE}, "observedAgentResponse": MESSAGE, **MET}
                        | {"semanticSimilarityResult": {**TOLD, "outcome": "?"}},
                        {"expectation": {"agentTransfer": TRANSFER}, "observedAgentTransfer": TRANSFER, **MET},
                        {"expectation": {"updatedVariables": {"u": "?"}}, **MET},
                        {"expectation": {"mockToolResponse": FAILED}, **MET},
                        {"observedPayload": {"pay": "?"}, "outcome": "?"},
                        {"observedToolCall": IN_SET, "outcome": "?"},
                    ],
                    "hallucinationResult": TOLD,
                    "toolOrderedInvocationScore": 0,
                    "turnLatency": "?s",
                    "semanticSimilarityResult": {**TOLD, "outcome": "?"},
                    "overallToolInvocationResult": {"toolInvocationScore": 0, "outcome": "?"},
                    "errorInfo": ERROR_INFO,
                    **LATENCIES,
                }
            ],
            "evaluationExpectationResults": [CRITERION],
        },
    },
    "A3 scenario result": {
        **HEAD,
        "scenarioResult": {
            "conversation": "?",
            "task": "?",
            "userFacts": [{"name": "?", "value": "?"}],
            "expectationOutcomes": [
                {
                    "expectation": {"toolExpectation": {"expectedToolCall": CALL, "mockToolResponse": FAILED}},
                    "observedToolCall": {"toolCall": CALL, "toolResponse": RESPONSE},
                    "outcome": "?",
                },
                {"expectation": {"agentResponse": MESSAGE}, "observedAgentResponse": MESSAGE, "outcome": "?"},
            ],
            "rubricOutcomes": [{"rubric": "?", "score": 0, "scoreExplanation": "?"}],
            "hallucinationResult": [TOLD, TOLD],
            "taskCompletionResult": TOLD,
            "userGoalSatisfactionResult": TOLD,
            "evaluationExpectationResults": [CRITERION],
            **LATENCIES,
        },
    },
    "A4 conversation": {
        "name": "projects/p/locations/l/apps/a/conversations/c",
        **dict.fromkeys(("startTime", "endTime"), "?t"),
        "turns": [
            {
                "messages": [
                    {"role": "user", "chunks": [{"text": "?"}], "eventTime": "?t"},
                    {**MESSAGE, "chunks": [chunk]},
                ],
                "rootSpan": TREE,
                "userIntendedText": "?",
            }
            for chunk in MESSAGE["chunks"]
        ],
        "turnCount": 0,
        "inputTypes": ["?"],
        **dict.fromkeys(("source", "entryAgent", "deployment", "appVersion", "languageCode", "channelType"), "?"),
    },
}
PATTERNS["A4 run"] = {
    "name": "projects/p/locations/l/apps/a/evaluationRuns/?",
    **dict.fromkeys(("displayName", "initiatedBy", "appVersion", "appVersionDisplayName", "changelog"), "?"),
    **dict.fromkeys(("evaluationDataset", "evaluationType", "state", "goldenRunMethod", "operation"), "?"),
    **dict.fromkeys(("createTime", "changelogCreateTime", "scheduledEvaluationRun"), "?"),
    **{name: ["?"] for name in ("evaluationResults", "evaluations")},
    "progress": dict.fromkeys(("totalCount", "completedCount", "passedCount", "failedCount", "errorCount"), 0)
    | {"cancelledCount": 0},
    "config": {"toolCallBehaviour": "?"},
    "error": STATUS,
    "errorInfo": ERROR_INFO,
    "evaluationRunSummaries": {"e": {"passedCount": 0, "failedCount": 0, "errorCount": 0}},
    "latencyReport": {
        "toolLatencies": [
            {"tool": "?", "toolDisplayName": "?", "latencyMetrics": LATENCY},
            {"toolsetTool": INSET, "latencyMetrics": LATENCY},
        ],
        "callbackLatencies": [{"stage": "?", "latencyMetrics": LATENCY}],
        "guardrailLatencies": [{"guardrail": "?", "guardrailDisplayName": "?", "latencyMetrics": LATENCY}],
        "llmCallLatencies": [{"model": "?", "latencyMetrics": LATENCY}],
        "sessionCount": 0,
    },
    "runCount": 0,
    "personaRunConfigs": [{"persona": "?", "taskCount": 0}],
    "optimizationConfig": dict.fromkeys(("assistantSession", "reportSummary", "status", "errorMessage"), "?")
    | {"generateLossReport": True, "shouldSuggestFix": True, "lossReport": {"l": "?"}},
}
PATTERNS["A4 run request"] = {
    **dict.fromkeys(("app", "evaluationDataset", "displayName", "appVersion", "scheduledEvaluationRun"), "?"),
    "evaluations": ["?"],
    "config": {"evaluationChannel": "?", "toolCallBehaviour": "?", "inputAudioConfig": {"sampleRateHertz": 0}},
    **{name: PATTERNS["A4 run"][name] for name in ("runCount", "personaRunConfigs", "optimizationConfig")},
    "goldenRunMethod": "?",
    "generateLatencyReport": True,
    "evaluationRunCachingSettings": {"runCachingMode": "?"},
}
PATTERNS["A4 scheduled run"] = {
    "name": "projects/p/locations/l/apps/a/scheduledEvaluationRuns/?",
    **dict.fromkeys(("displayName", "description", "lastCompletedRun", "createdBy", "lastUpdatedBy", "etag"), "?"),
    **dict.fromkeys(("nextScheduledExecutionTime", "createTime", "updateTime"), "?"),
    "request": PATTERNS["A4 run request"],
    "schedulingConfig": {"frequency": "?", "startTime": "?", "daysOfWeek": [0]},
    "active": True,
    "totalExecutions": 0,
}
INPUTS: list[dict[str, Any]] = [
    {"text": "?"},
    {"dtmf": "?"},
    {"audio": "QUJD"},
    {"toolResponses": {"toolResponses": [RESPONSE]}},
    {"image": {"mimeType": "?", "data": "QUJD"}},
    {"blob": BLOB},
    {"variables": {"v": "?"}},
    {"event": {"event": "?", "variables": {"e": "?"}}, "willContinue": True, "recordingControl": "?"},
]
CONDITIONS: list[dict[str, Any]] = [
    {"toolCall": CALL},
    {"toolCall": IN_SET},
    {"toolResponse": RESPONSE},
    {"agentResponse": MESSAGE},
    {"agentTransfer": TRANSFER},
    {"updatedVariables": {"u": "?"}},
    {"mockToolResponse": FAILED},
    {"noToolCalls": True},
]
EVALUATION: dict[str, Any] = {
    "name": "projects/p/locations/l/apps/a/evaluations/?",
    **dict.fromkeys(("displayName", "description", "createdBy", "lastUpdatedBy", "etag"), "?"),
    **dict.fromkeys(("createTime", "updateTime"), "?"),
    **{name: ["?"] for name in ("tags", "evaluationDatasets", "evaluationRuns")},
    "aggregatedMetrics": {
        "metricsByAppVersion": [
            {
                "appVersionId": "?",
                "passCount": 0,
                "failCount": 0,
                "toolMetrics": [{"tool": "?", "passCount": 0, "failCount": 0}],
                "semanticSimilarityMetrics": [{"score": 0}],
                "hallucinationMetrics": [{"score": 0}],
                "toolCallLatencyMetrics": [{"tool": "?", "averageLatency": "?s"}],
                "turnLatencyMetrics": [{"averageLatency": "?s"}],
                "metricsByTurn": [{"turnIndex": 0, "hallucinationMetrics": [{"score": 0}]}],
            }
        ]
    },
    "lastCompletedResult": {"evaluationStatus": "?"},
    "lastTenResults": [{"evaluationStatus": "?"}],
}
PATTERNS["A4 golden"] = {
    **EVALUATION,
    "golden": {
        "turns": [
            {
                "steps": [
                    *({"userInput": given} for given in INPUTS),
                    {"agentTransfer": TRANSFER},
                    *({"expectation": {**expected, **EXPECTS}} for expected in CONDITIONS),
                ],
                "rootSpan": TREE,
            }
        ],
        "evaluationExpectations": ["?", {"displayName": "?", "llmCriteria": {"prompt": "?"}}],
    },
}
PATTERNS["A4 scenario"] = {
    **EVALUATION,
    "scenario": {
        "task": "?",
        "userFacts": [{"name": "?", "value": "?"}],
        "maxTurns": 0,
        "rubrics": ["?"],
        "scenarioExpectations": [
            {"toolExpectation": {"expectedToolCall": CALL, "mockToolResponse": FAILED}},
            {"agentResponse": MESSAGE},
        ],
        "variableOverrides": {"o": "?"},
        **dict.fromkeys(("userGoalBehavior", "taskCompletionBehavior", "scenarioExecutionMode"), "?"),
        "evaluationExpectations": ["?"],
    },
}
PATTERNS["A4 expectation"] = {
    "name": "projects/p/locations/l/apps/a/evaluationExpectations/?",
    **dict.fromkeys(("displayName", "createTime", "updateTime", "etag"), "?"),
    "tags": ["?"],
    "llmCriteria": {"prompt": "?"},
}
PATTERNS["A4 dataset"] = {
    "name": "projects/p/locations/l/apps/a/evaluationDatasets/?",
    **dict.fromkeys(("displayName", "createTime", "updateTime", "etag", "createdBy", "lastUpdatedBy"), "?"),
    "evaluations": ["?"],
    "aggregatedMetrics": EVALUATION["aggregatedMetrics"],
}
PATTERNS["A4 persona"] = {"evaluationPersonas": [PERSONA]}
# What is not told, and why.
LEFT_OUT = {
    "/agentResponse/role": "whoever is to speak says it; what the file calls that agent is not compared",
    "/expectationOutcome/2/semanticSimilarityResult/outcome": "a deprecated copy; that of the turn counts",
    "/messages/0/eventTime": "the turn begins when its span begins",
}


@each("kind", PATTERNS)
def test_all_of_it_is_told(kind: str) -> None:
    marks = Marks()
    told = repr(opened(marks.value(PATTERNS[kind])))
    untold = {place for place in marks.untold(told) if not any(place.endswith(end) for end in LEFT_OUT)}
    assert untold == set()


FILES: dict[str, Json] = {
    "golden result": ces_result_files.result(
        ces_result_files.replay(spanLatencies=[ces_result_files.latency("LLM", "01", "02", model="gem")])
    ),
    "scenario result": {"name": ces_result_files.RESULT, "scenarioResult": ces_result_files.simulated()},
    "run": ces_result_files.run(),
    "run request": ces_result_files.run_request(),
    "scheduled run": ces_result_files.scheduled_run(),
    "conversation": ces_result_files.conversation(),
    "golden": ces_golden_files.full_golden(),
    "scenario": ces_golden_files.scenario(),
    "dataset": ces_golden_files.dataset(),
    "expectation": ces_golden_files.criterion(),
}
# A single entry instead of a list is understood; a fact is named as a whole; a value that is looked for may be any.
UNDERSTOOD = ("/expectationOutcome", "/name", "/value", "/$matchValue")
ODD: tuple[Json, ...] = ({"od": 1}, ["od"], 7_777)


@each("kind", FILES)
def test_what_is_of_a_wrong_kind_is_named_at_its_place_or_shown(kind: str) -> None:
    silent = set()
    value = copy.deepcopy(FILES[kind])
    for place, odd in oddly(value, ODD, is_long=is_long()):
        if recognise(value) is None:
            continue
        contents = opened(value)
        named = any(place in finding.pointer for finding in contents.findings)
        if not named and repr(odd) not in repr(contents):
            silent.add(place)
    assert {place for place in silent if not place.endswith(UNDERSTOOD)} == set()
