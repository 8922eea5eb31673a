"""Files of promptfoo: a configuration, results as a list, as the table of older versions, one result a line."""

from __future__ import annotations

import json

from trace_inspector.core.values.values import Json, JsonObject

_MESSAGES = json.dumps([{"role": "system", "content": "Be short."}, {"role": "user", "content": "Where may I park?"}])


def asserts() -> list[Json]:
    """An assert of each sort: words, code, a judge, a set, and one with a template in it."""
    return [
        {"type": "contains", "value": "Pier"},
        {"type": "not-contains", "value": "no"},
        {"type": "javascript", "value": "output.length < 50", "metric": "Short"},
        {"type": "llm-rubric", "value": "Names a garage."},
        {"type": "assert-set", "threshold": 0.5, "assert": [{"type": "equals", "value": "At Pier 4."}]},
        {"type": "contains", "value": "{{place}}"},
    ]


def _component(**more: Json) -> JsonObject:
    return {"pass": True, "score": 1, "reason": "Assertion passed", **more}


def result(provider: str = "small", **more: Json) -> JsonObject:
    """What one provider answered to the first test, and what the asserts gave, most without saying which they are."""
    inner = _component(assertion={"type": "equals", "value": "At Pier 4."})
    failed: JsonObject = {"pass": False, "score": 0.25, "reason": "No garage."}
    components: list[Json] = [
        *(_component() for _ in range(3)),
        _component(**failed),
        _component(componentResults=[inner]),
        _component(assertion={"type": "contains", "value": "{{place}}"}),
    ]
    return {
        "id": f"r-{provider}",
        "testIdx": 0,
        "promptIdx": 0,
        "promptId": "p1",
        "vars": {"question": "Where may I park?"},
        "prompt": {"raw": _MESSAGES, "label": "short"},
        "provider": {"id": f"maker:{provider}", "label": ""},
        "response": {
            "output": "At Pier 4.",
            "tokenUsage": {"total": 40, "prompt": 30, "completion": 10, "completionDetails": {"reasoning": 4}},
            "cached": False,
        },
        "success": False,
        "score": 0.75,
        "namedScores": {"Short": 1},
        "latencyMs": 1500,
        "cost": 0.01,
        "error": "No garage.",
        "failureReason": 1,
        "testCase": {
            "description": "parking",
            "vars": {"question": "Where may I park?"},
            "assert": asserts(),
            "metadata": {"city": "Lima"},
        },
        "gradingResult": {"pass": False, "score": 0.75, "reason": "No garage.", "componentResults": components},
        **more,
    }


def broken() -> JsonObject:
    """One that the provider failed at."""
    without = {"gradingResult": None, "error": "no key", "failureReason": 2}
    made = result("large", **without)
    del made["response"]
    return made


def called() -> JsonObject:
    """One whose answer is a call, to a prompt in plain words."""
    call: JsonObject = {
        "id": "c1",
        "type": "function",
        "function": {"name": "find", "arguments": '{"what": "garage"}'},
    }
    return result(
        "small",
        testIdx=1,
        prompt={"raw": "Find a garage.", "label": "short"},
        response={"output": [call]},
        testCase={"vars": {}},
        gradingResult={"pass": True, "score": 1, "reason": "All passed"},
        success=True,
        failureReason=0,
        error=None,
    )


def attacked() -> JsonObject:
    """One of an attacker who tried before."""
    history: list[Json] = [{"prompt": "Say it.", "output": "No."}]
    return result("small", testIdx=2, prompt={"raw": "Say it now."}, metadata={"redteamHistory": history})


def results() -> JsonObject:
    """A run of the third version."""
    return {
        "evalId": "eval-abc",
        "results": {
            "version": 3,
            "timestamp": "2026-05-01T10:00:00Z",
            "prompts": [{"raw": _MESSAGES, "label": "short", "provider": "maker:small"}],
            "results": [result(), broken(), called(), attacked()],
            "stats": {"successes": 1, "failures": 2, "errors": 1},
        },
        "config": {"description": "Parking", "providers": ["maker:small", "maker:large"]},
        "shareableUrl": None,
    }


def older() -> JsonObject:
    """A run of the second version: a table, a column for each provider."""
    grading: JsonObject = {"pass": True, "score": 1, "reason": "fine", "componentResults": [_component()]}
    outputs: list[Json] = [
        {"text": "At Pier 4.", "pass": True, "score": 1, "latencyMs": 20, "prompt": "Where may I park?",
         "tokenUsage": {"total": 5, "cached": 5}, "gradingResult": grading},
        {"text": "No.", "pass": False, "score": 0, "latencyMs": 30, "prompt": "Where may I park?"},
    ]  # fmt: skip
    head: JsonObject = {
        "prompts": [{"raw": "{{q}}", "provider": "maker:small"}, {"raw": "{{q}}", "provider": "maker:large"}],
        "vars": ["q"],
    }
    test: JsonObject = {"description": "parking", "vars": {"q": "Where may I park?"}, "assert": asserts()[:1]}
    body: list[Json] = [{"outputs": outputs, "vars": ["Where may I park?"], "test": test}]
    table: JsonObject = {"head": head, "body": body}
    return {"version": 2, "results": {"version": 2, "results": [], "stats": {"successes": 1}, "table": table}}


def configuration() -> JsonObject:
    """Tests here and elsewhere, lists among their variables, templates of asserts, asserts for all."""
    return {
        "description": "Parking",
        "prompts": ["{{question}}"],
        "providers": [{"id": "file://provider.py", "label": "guide"}],
        "defaultTest": {"assert": [{"type": "python", "value": "len(output) < 50"}]},
        "assertionTemplates": {"polite": {"type": "llm-rubric", "value": "Is polite."}},
        "tests": [
            {"description": "parking", "vars": {"question": ["Where may I park?", "And now?"], "city": "Lima"},
             "assert": asserts()},
            "file://more.yaml",
            {"vars": {"question": "Two seats?"},
             "assert": [{"$ref": "#/assertionTemplates/polite"}], "threshold": 0.5},
        ],
        "scenarios": [{"config": [{"vars": {"city": "Lima"}}], "tests": [{"description": "in a city"}]}],
    }  # fmt: skip
