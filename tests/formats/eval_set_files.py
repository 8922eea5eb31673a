"""Small eval sets, made part by part."""

from __future__ import annotations

from tests.formats.span_files import opened
from trace_inspector.core.golden.golden import Case
from trace_inspector.core.rows.contents import Contents
from trace_inspector.core.trace.trace import Turn
from trace_inspector.core.values.values import Json, JsonObject


def content(*words: str, role: str = "user") -> Json:
    return {"role": role, "parts": [{"text": word} for word in words]}


def eval_set(*cases: Json) -> JsonObject:
    return {"eval_set_id": "shop", "eval_cases": list(cases)}


def case(*turns: Json, **more: Json) -> JsonObject:
    return {"eval_id": "c1", "conversation": list(turns), **more}


def turn(**more: Json) -> JsonObject:
    return {"invocation_id": "i1", "user_content": content("hello"), **more}


def only_turn(**more: Json) -> Turn:
    (suite,) = opened(eval_set(case(turn(**more)))).suites
    return suite.cases[0].turns[0]


def only_case(raw: Json) -> Case:
    (suite,) = opened(eval_set(raw)).suites
    return suite.cases[0]


def found(contents: Contents) -> list[tuple[str, str, str]]:
    return [(finding.severity.value, finding.code, finding.pointer) for finding in contents.findings]
