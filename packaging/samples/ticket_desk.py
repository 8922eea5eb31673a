"""A ticket desk in CX Agent Studio: its app as exported, the result of one evaluation, and the conversation of it."""

from __future__ import annotations

from samples.names import pages, uuid_of
from samples.story import Json, JsonObject

_APP = "projects/example/locations/eu/apps/ticket-desk"
_EVALUATION = "move-seats"
_CONVERSATION = f"{_APP}/conversations/evaluation-0412"
_CODE = '''"""What the ticket desk looks up by itself."""


def find_booking(booking: str) -> dict:
    """Finds a booking by its number."""
    return {"booking": booking, "row": "B", "seats": 2}
'''


def app_files() -> dict[str, str]:
    """The app, file by file."""
    values: dict[str, JsonObject] = {
        "app.json": _app(),
        "agents/desk/desk.json": {
            "name": uuid_of("agent", "desk"),
            "displayName": "desk",
            "instruction": "agents/desk/instruction.txt",
            "tools": ["find_booking", "move_seats", "send_tickets", "end_session"],
            "childAgents": ["payments"],
        },
        "agents/payments/payments.json": {
            "name": uuid_of("agent", "payments"),
            "displayName": "payments",
            "description": "Takes payments and pays back.",
            "instruction": "agents/payments/instruction.txt",
        },
        "tools/find_booking/find_booking.json": {
            "name": uuid_of("tool", "find_booking"),
            "displayName": "find_booking",
            "pythonFunction": {
                "name": "find_booking",
                "pythonCode": "tools/find_booking/python_function/python_code.py",
            },
        },
        "tools/move_seats/move_seats.json": _client_tool("move_seats", "Moves a booking to another row.", "row"),
        "tools/send_tickets/send_tickets.json": _client_tool("send_tickets", "Sends the tickets again.", "address"),
        f"evaluations/{_EVALUATION}/{_EVALUATION}.json": _evaluation(),
        "evaluationExpectations/asks-first/asks-first.json": {
            "displayName": "asks-first",
            "llmCriteria": {"prompt": "Does the agent ask before it charges anything?"},
        },
    }
    return {name: pages(value) for name, value in values.items()} | {
        "global_instruction.txt": "Answer in one or two sentences.\n",
        "agents/desk/instruction.txt": "Help with bookings. Hand over to payments before anything costs money.\n",
        "agents/payments/instruction.txt": "Say the price and ask before you charge it.\n",
        "tools/find_booking/python_function/python_code.py": _CODE,
    }


def result() -> JsonObject:
    """The service's result: one argument is another than expected, and one call nobody expected."""
    found, moved, sent = _call("find_booking"), _call("move_seats", row="C"), _call("send_tickets", address="on file")
    first: list[Json] = [
        {
            "expectation": {"toolCall": found},
            "observedToolCall": found,
            "outcome": "PASS",
            "toolInvocationResult": {"parameterCorrectnessScore": 1.0, "outcome": "PASS"},
        },
        {
            "expectation": {"toolCall": moved},
            "observedToolCall": _call("move_seats", row="D"),
            "outcome": "FAIL",
            "toolInvocationResult": {
                "parameterCorrectnessScore": 0.5,
                "outcome": "FAIL",
                "explanation": "row is “D” where “C” is expected.",
            },
        },
        {
            "expectation": {"agentResponse": _said("Your seats are in row C now.")},
            "observedAgentResponse": _said("Your seats are in row D now."),
            "outcome": "FAIL",
        },
    ]
    second: list[Json] = [
        {
            "expectation": {"toolCall": sent},
            "observedToolCall": sent,
            "outcome": "PASS",
            "toolInvocationResult": {"parameterCorrectnessScore": 1.0, "outcome": "PASS"},
        },
        {"observedToolCall": _call("find_booking"), "outcome": "FAIL"},
        {
            "expectation": {"agentResponse": _said("The tickets are on their way.")},
            "observedAgentResponse": _said("I have sent the tickets to the address on file."),
            "outcome": "PASS",
        },
    ]
    return {
        "name": f"{_APP}/evaluations/{_EVALUATION}/results/0412",
        "displayName": "move-seats, 12 April",
        "createTime": "2026-04-12T10:05:00.250Z",
        "evaluationStatus": "FAIL",
        "executionState": "COMPLETED",
        "goldenRunMethod": "NAIVE",
        "evaluationMetricsThresholds": _thresholds(),
        "goldenResult": {
            "turnReplayResults": [
                _turn(first, overall=1.0, ordered=1.0, similarity=1, hallucination=1, latency="2.750s"),
                _turn(second, overall=1.0, ordered=0.5, similarity=3, hallucination=-1, latency="1.500s"),
            ],
            "evaluationExpectationResults": [
                {
                    "evaluationExpectation": f"{_APP}/evaluationExpectations/asks-first",
                    "prompt": "Does the agent ask before it charges anything?",
                    "outcome": "PASS",
                    "explanation": "Nothing was charged.",
                }
            ],
        },
    }


def conversation() -> JsonObject:
    """What was said and called while that evaluation ran."""
    first: list[Json] = [
        _message("user", 0, {"text": "Please move booking T-17 to row C."}),
        _message("desk", 1, {"toolCall": _call("find_booking")}),
        _message("desk", 1, {"toolResponse": _answer("find_booking", booking="T-17", row="B", seats=2)}),
        _message("desk", 2, {"toolCall": _call("move_seats", row="D")}),
        _message("desk", 2, {"toolResponse": _answer("move_seats", row="D")}),
        _message("desk", 3, {"text": "Your seats are in row D now."}),
    ]
    second: list[Json] = [
        _message("user", 12, {"text": "Thanks. Please send me the tickets again."}),
        _message("desk", 13, {"toolCall": _call("find_booking")}),
        _message("desk", 13, {"toolResponse": _answer("find_booking", booking="T-17", row="D", seats=2)}),
        _message("desk", 13, {"toolCall": _call("send_tickets", address="on file")}),
        _message("desk", 13, {"toolResponse": _answer("send_tickets", sent=True)}),
        _message("desk", 14, {"text": "I have sent the tickets to the address on file."}),
    ]
    turns: list[Json] = [
        {"messages": first, "rootSpan": _span("Turn", 0, 3, (_span("LLM", 0, 1), _span("Tool", 1, 2)))},
        {"messages": second, "rootSpan": _span("Turn", 12, 14, (_span("LLM", 12, 13), _span("Tool", 13, 14)))},
    ]
    return {
        "name": _CONVERSATION,
        "startTime": _time(0),
        "endTime": _time(14),
        "turns": turns,
        "turnCount": len(turns),
        "source": "EVAL",
        "entryAgent": "desk",
        "languageCode": "en-US",
    }


def _app() -> JsonObject:
    return {
        "name": uuid_of("app"),
        "displayName": "Ticket desk",
        "rootAgent": "desk",
        "globalInstruction": "global_instruction.txt",
        "toolExecutionMode": "SEQUENTIAL",
        "evaluationPersonas": [
            {
                "name": "hurried",
                "displayName": "In a hurry",
                "personality": "Wants it done in one sentence.",
                "speechConfig": {"speakingRate": 1.3, "environment": "CAFE"},
            }
        ],
        "evaluationMetricsThresholds": _thresholds(),
    }


def _thresholds() -> JsonObject:
    return {
        "goldenEvaluationMetricsThresholds": {
            "turnLevelMetricsThresholds": {
                "semanticSimilaritySuccessThreshold": 3,
                "overallToolInvocationCorrectnessThreshold": 1.0,
            },
            "toolMatchingSettings": {"extraToolCallBehavior": "FAIL"},
        },
        "goldenHallucinationMetricBehavior": "DISABLED",
    }


def _evaluation() -> JsonObject:
    """The golden, by short ids, with one argument that only has to contain something."""
    address: JsonObject = {"$matchType": "contains", "$matchValue": "file", "$originalValue": "on file"}
    moving = _expected("find_booking"), _expected("move_seats", row="C")
    sending = _expected("send_tickets", address=address)
    turns: list[Json] = [
        _golden_turn("Please move booking T-17 to row C.", *moving, answer="Your seats are in row C now."),
        _golden_turn("Thanks. Please send me the tickets again.", sending, answer="The tickets are on their way."),
    ]
    return {
        "name": _EVALUATION,
        "displayName": _EVALUATION,
        "tags": ["seats"],
        "golden": {"turns": turns, "evaluationExpectations": ["asks-first"]},
    }


def _expected(tool: str, **args: Json) -> JsonObject:
    """An expected call, of a tool by its short id."""
    return {"expectation": {"toolCall": {"tool": tool, "args": {"booking": "T-17", **args}}}}


def _golden_turn(user: str, *calls: JsonObject, answer: str) -> JsonObject:
    return {"steps": [{"userInput": {"text": user}}, *calls, {"expectation": {"agentResponse": _said(answer)}}]}


def _client_tool(name: str, description: str, argument: str) -> JsonObject:
    properties: JsonObject = {"booking": {"type": "STRING"}, argument: {"type": "STRING"}}
    parameters: JsonObject = {"type": "OBJECT", "properties": properties, "required": ["booking"]}
    return {
        "name": uuid_of("tool", name),
        "displayName": name,
        "clientFunction": {"name": name, "description": description, "parameters": parameters},
    }


def _turn(
    outcomes: list[Json], *, overall: float, ordered: float, similarity: int, hallucination: int, latency: str
) -> JsonObject:
    return {
        "conversation": _CONVERSATION,
        "expectationOutcome": outcomes,
        "overallToolInvocationResult": {"toolInvocationScore": overall, "outcome": "PASS"},
        "toolOrderedInvocationScore": ordered,
        "semanticSimilarityResult": {"score": similarity, "outcome": "PASS" if similarity > 2 else "FAIL"},
        "hallucinationResult": {"score": hallucination},
        "turnLatency": latency,
    }


def _call(tool: str, **args: Json) -> JsonObject:
    return {"tool": f"{_APP}/tools/{tool}", "displayName": tool, "args": {"booking": "T-17", **args}}


def _answer(tool: str, **output: Json) -> JsonObject:
    return {"tool": f"{_APP}/tools/{tool}", "displayName": tool, "response": {"output": output}}


def _said(text: str) -> JsonObject:
    return {"role": "desk", "chunks": [{"text": text}]}


def _message(role: str, at_s: int, *chunks: Json) -> JsonObject:
    return {"role": role, "chunks": [*chunks], "eventTime": _time(at_s)}


def _span(name: str, start_s: int, end_s: int, below: tuple[JsonObject, ...] = ()) -> JsonObject:
    return {"name": name, "startTime": _time(start_s), "endTime": _time(end_s), "childSpans": [*below]}


def _time(after_s: int) -> str:
    return f"2026-04-12T10:00:{after_s:02d}Z"
