"""Recognises Vertex AI's items and tables: the kind of an object, and how sure that makes of a document."""

from __future__ import annotations

from trace_inspector.core.values.values import Json
from trace_inspector.formats.common.fields import Fields, objects_in, spellings
from trace_inspector.formats.common.recogniser import (
    LOOKED_AT,
    All,
    Condition,
    Either,
    Has,
    Holds,
    Listed,
    OneObject,
    Rules,
    Surest,
    Within,
    first,
)
from trace_inspector.formats.extension.key import KEY

PROMPT_DATA = ("text", "value", "prompt_template_data", "agent_data", "user_scenario")
OF_A_REQUEST = ("prompt", "golden_response", "rubrics", "candidate_responses", "extra_context")
ADK_CASE = Has("eval_id", "conversation", "conversation_scenario")

_LIST_KEYS = {"evaluation_items", "evaluationItems", "next_page_token", "nextPageToken", KEY}
_REQUEST_KEYS = spellings(*OF_A_REQUEST)


def _is_named(fields: Fields) -> bool:
    return "/evaluationItems/" in (fields.text("name") or "")


def _has_request_keys_only(fields: Fields) -> bool:
    return bool(fields.value) and fields.value.keys() <= _REQUEST_KEYS


_ITEM_KINDS: tuple[tuple[str, Condition], ...] = (
    (
        "item",
        Either(
            Holds("evaluation_item_type", str),
            Holds("evaluation_request", dict),
            Holds("evaluation_response", dict),
            _is_named,
        ),
    ),
    (
        "result",
        Either(
            All(Has("candidate_results", "evaluation_run"), Holds("metric", str), Has("evaluation_request")),
            first("candidate_results", Has("candidate", "metric")),
        ),
    ),
    (
        "request",
        All(
            _has_request_keys_only,
            Either(Has("candidate_responses", "golden_response"), Within("prompt", Has(*PROMPT_DATA))),
        ),
    ),
)


def _names_items(fields: Fields) -> bool:
    """A set names its items, which are files of their own."""
    listed = fields.get("evaluation_items")
    return isinstance(listed, list) and bool(listed) and all(isinstance(item, str) for item in listed[:LOOKED_AT])


def kind_of_item(fields: Fields) -> str:
    """An evaluation item, a bare request or a bare result: which of the three an object is, or ""."""
    return next((kind for kind, condition in _ITEM_KINDS if condition(fields)), "")


def items(value: Json) -> int:
    """An item, a bare request or result, a list of any of them, or the service's reply with such a list."""
    if isinstance(value, list):
        return min(map(_item_score, objects_in(value[:LOOKED_AT], "")), default=0)
    return _item_score(Fields(value, "")) if isinstance(value, dict) else 0


def _item_score(fields: Fields) -> int:
    listed = fields.get("evaluation_items")
    if isinstance(listed, list):
        items = objects_in(listed[:LOOKED_AT], "")
        if items:
            return min(map(_item_score, items))
        return 60 if not listed and fields.value.keys() <= _LIST_KEYS else 0
    kind = kind_of_item(fields)
    return 0 if kind == "" else 92 if kind == "item" else 88


# The lists of runs, sets and analyses of losses in replies of the service and in objects of its SDK.
LOSSES = ("loss_analysis_results", "results")
RUN_LISTS = ("evaluation_runs", "evaluation_sets", *LOSSES)
_CLUSTERED = first("clusters", Has("cluster_id", "taxonomy_entry"))


def _is_of(collection: str) -> Condition:
    """The name of a resource of Vertex AI; CES has runs as well, which belong to an app."""

    def named(fields: Fields) -> bool:
        name = fields.text("name") or ""
        return f"/{collection}/" in name and "/apps/" not in name

    return named


_RUN_KINDS: tuple[tuple[str, Condition], ...] = (
    (
        "run",
        Either(
            _is_of("evaluationRuns"),
            All(Holds("data_source", dict), Has("evaluation_config", "inference_configs", "evaluation_results")),
            All(Holds("state", str), Holds("evaluation_results", dict)),
        ),
    ),
    ("set", Either(_is_of("evaluationSets"), All(Has("display_name"), _names_items))),
    ("losses", Either(_CLUSTERED, *(first(name, _CLUSTERED) for name in LOSSES))),
)


def kind_of_run(fields: Fields) -> str:
    """A run, a set of items or an analysis of losses: which of the three an object is, or ""."""
    return next((kind for kind, condition in _RUN_KINDS if condition(fields)), "")


_RUN_RULES = Rules((91, lambda fields: kind_of_run(fields) != ""))
runs = Surest(*(Listed(name, _RUN_RULES) for name in RUN_LISTS))


# Keys of rows that another tool made of whole evaluations; they are no table of this SDK.
_OTHERS = Has("final_session_state", "extracted_data")
_OBSERVED = Holds("request", str)
_CHATS = (("contents", "parts", "gemini"), ("messages", "role", "chat"))
_CASE = Has(
    "eval_case_id", "prompt", "responses", "response", "agent_data", "user_scenario", "reference",
    "conversation_history", "intermediate_events", "rubric_groups", "interactions_data_source",
)  # fmt: skip
# Tables of what agents should do: the calls of tools that are expected beside what is asked.
_LISTS_CALLS = Either(Holds("reference_trajectory", list), Holds("expected_trajectory", list))
_ASKING = ("prompt", "query", "question", "input", "user_input")
_ROWS = 40  # rows are common: whoever knows more about them is surer


def row_kind(row: Fields) -> str:
    """The schema of a row, by the rules of the SDK, or ""."""
    if _OTHERS(row):
        return ""
    if row.text("format") == "observability" and _OBSERVED(row):
        return "observability"
    request = row.object("request")
    if request is not None and row.key("response"):
        return next((kind for name, key, kind in _CHATS if _first_has(request, name, key)), "")
    if isinstance(row.get("agent_data"), dict) and row.key("prompt"):
        return "flat"
    if _says(row, "prompt") and _says(row, "response"):
        return "flat"
    return "flat" if _LISTS_CALLS(row) and any(_says(row, name) for name in _ASKING) else ""


_OBJECT = OneObject(
    (_ROWS, lambda fields: row_kind(fields) not in ("", "flat")),
    (0, Either(Has("eval_case_results", "eval_set_id"), first("eval_cases", ADK_CASE))),
    (90, first("eval_cases", _CASE)),
)


def dataset(value: Json) -> int:
    """An object with `eval_cases` in Vertex's manner, or rows of one of the tables that the SDK knows."""
    if not isinstance(value, list):
        return _OBJECT(value)
    rows = objects_in(value[:LOOKED_AT], "")
    kinds = {row_kind(row) for row in rows}
    return _ROWS if len(rows) == len(value[:LOOKED_AT]) and len(kinds) == 1 and kinds != {""} else 0


def _says(row: Fields, name: str) -> bool:
    """A text, or a Content."""
    value = row.get(name)
    return isinstance(value, str) or (isinstance(value, dict) and isinstance(value.get("parts"), list))


def _first_has(request: Fields, name: str, key: str) -> bool:
    listed = request.get(name)
    first: Json = listed[0] if isinstance(listed, list) and listed else None
    return isinstance(first, dict) and first.get(key) is not None
