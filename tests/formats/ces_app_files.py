"""A small app of CES, file by file, with everything that an export may hold."""

from __future__ import annotations

import json
from pathlib import Path

import yaml

from tests.documents.archives import zipped
from trace_inspector.core.values.values import Json, JsonObject

EVALUATION = "9b2a4f0e-1111-4222-8333-444455556666"
TOOL = "1c2a4f0e-1111-4222-8333-444455556666"


def app() -> JsonObject:
    """What `app.json` says."""
    return {
        "name": "0a2a4f0e-1111-4222-8333-444455556666",
        "displayName": "Seats",
        "description": "Books seats.",
        "rootAgent": "desk",
        "guardrails": ["polite"],
        "globalInstruction": "global_instruction.txt",
        "variableDeclarations": [{"name": "row", "schema": {"type": "STRING"}}],
        "toolExecutionMode": "PARALLEL",
        "evaluationPersonas": [
            {
                "name": "hurried",
                "displayName": "In a hurry",
                "personality": "Wants it now.",
                "speechConfig": {"environment": "CAFE", "speakingRate": 1.5},
            }
        ],
        "evaluationSettings": {"scenarioConversationInitiator": "USER", "goldenRunMethod": "STABLE"},
        "evaluationMetricsThresholds": {
            "goldenEvaluationMetricsThresholds": {
                "turnLevelMetricsThresholds": {"semanticSimilaritySuccessThreshold": 2},
                "toolMatchingSettings": {"extraToolCallBehavior": "ALLOW"},
            },
            "goldenHallucinationMetricBehavior": "DISABLED",
        },
    }


def evaluation() -> JsonObject:
    """A golden that names everything by short ids."""
    steps: list[Json] = [
        {"userInput": {"text": "Seat 2, please."}},
        {"expectation": {"toolCall": {"tool": "book", "args": {"seat": 2}}}},
        {"expectation": {"toolCall": {"toolsetTool": {"toolset": "payments", "toolId": "pay"}, "args": {}}}},
        {"expectation": {"agentTransfer": {"targetAgent": "clerk"}}},
        {"expectation": {"agentResponse": {"role": "desk", "chunks": [{"text": "Seat 2 is yours."}]}}},
    ]
    return {
        "name": EVALUATION,
        "displayName": "Book a seat",
        "golden": {"turns": [{"steps": steps}], "evaluationExpectations": ["is-kind", "Is short"]},
    }


def scenario() -> JsonObject:
    """A scenario."""
    return {
        "displayName": "Any seat",
        "scenario": {"task": "Get a seat", "rubrics": ["Is polite"], "evaluationExpectations": ["is-kind"]},
    }


CODE = '''def book(seat: int, row: str = "A", *, now: bool, notes: list[str] | None = None) -> dict:
    """Books a seat."""
    return {"seat": seat}
'''


def values() -> dict[str, JsonObject]:
    """The files that hold objects, by name without a suffix."""
    return {
        "app": app(),
        "environment": {"toolsets": {}},
        "agents/desk/desk": {
            "name": "2a2a4f0e-1111-4222-8333-444455556666",
            "displayName": "Desk",
            "instruction": "agents/desk/instruction.txt",
            "tools": ["book", "end_session"],
            "toolsets": [{"toolset": "payments", "toolIds": ["pay"]}],
            "childAgents": ["clerk"],
        },
        "agents/clerk/clerk": {"displayName": "Clerk", "description": "Knows the rows.", "tools": ["rows"]},
        "tools/book/book": {
            "name": TOOL,
            "displayName": "book",
            "pythonFunction": {"name": "book", "pythonCode": "tools/book/python_function/python_code.py"},
        },
        "tools/rows/rows": {
            "displayName": "rows",
            "clientFunction": {"name": "rows", "description": "Lists rows.", "parameters": {"type": "OBJECT"}},
        },
        "toolsets/payments/payments": {"displayName": "payments", "openApiToolset": {"url": "https://example.test"}},
        "guardrails/polite/polite": {"displayName": "polite", "llmPolicy": {"prompt": "Be polite."}},
        "examples/hello/hello": {"displayName": "hello", "messages": [{"role": "user", "chunks": [{"text": "Hi"}]}]},
        "evaluations/Book_a_seat/Book_a_seat": evaluation(),
        "evaluations/Any_seat/Any_seat": scenario(),
        "evaluationDatasets/all/all": {"displayName": "all", "evaluations": ["Book_a_seat", "Any seat"]},
        "evaluationExpectations/is-kind/is-kind": {"displayName": "Is kind", "llmCriteria": {"prompt": "Kind?"}},
        "evaluationExpectations/is-short": {"displayName": "Is short", "llmCriteria": {"prompt": "Short?"}},
    }


TEXTS = {
    "global_instruction.txt": "Be brief.",
    "agents/desk/instruction.txt": "Book seats.\nNothing else.",
    "agents/clerk/instruction.txt": "Name the rows.",
    "agents/desk/before_model_callbacks/log/python_code.py": "def before():\n    pass\n",
    "tools/book/python_function/python_code.py": CODE,
}


def members(*, as_yaml: bool = False) -> dict[str, bytes]:
    """Every file with its bytes."""
    suffix = ".yaml" if as_yaml else ".json"
    found = {
        name + suffix: (yaml.safe_dump(value) if as_yaml else json.dumps(value, indent=2)).encode()
        for name, value in values().items()
    }
    return found | {name: text.encode() for name, text in TEXTS.items()}


def put(folder: Path, files: dict[str, bytes]) -> Path:
    """The files below a folder."""
    for name, data in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)
    return folder


def archived(path: Path, files: dict[str, bytes], above: str = "") -> Path:
    """The files in an archive, below a folder there where one is named."""
    path.write_bytes(zipped({f"{above}{name}": data for name, data in files.items()}))
    return path


def mapping(files: dict[str, JsonObject] | None = None) -> JsonObject:
    """The files as one object, as a bundle is read."""
    held: JsonObject = {f"{name}.json": value for name, value in (values() if files is None else files).items()}
    return held | TEXTS


def resources() -> dict[str, JsonObject]:
    """One resource of each kind, under the list in which the service's reply has it."""
    files = values()
    return {
        "agents": {"displayName": "Desk", "instruction": "Book."},
        "tools": files["tools/rows/rows"],
        "toolsets": files["toolsets/payments/payments"],
        "guardrails": files["guardrails/polite/polite"],
        "examples": files["examples/hello/hello"],
        "deployments": {"displayName": "phone", "channelProfile": {"channelType": "X"}},
        "changelogs": {"name": "projects/p/locations/l/apps/a/changelogs/1", "newResource": {"a": 1}},
        "evaluationPersonas": {"displayName": "Hurried", "personality": "Now."},
    }
