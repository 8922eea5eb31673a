"""ADK's rules of eval sets, written from the reference: what google-adk 2.13 would refuse in a file, and where.

An opinion beside the reader's own: nothing here is shared with it.
"""

from __future__ import annotations

import base64
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

from trace_inspector.core.values.values import Json

Check = Callable[[Json, str], Iterator[str]]
_NUMBER = re.compile(r"[+-]?(\d+(_\d+)*\.?(\d+)?|\.\d+)([eE][+-]?\d+)?|[+-]?(inf|infinity|nan)", re.IGNORECASE)
_BASE64 = re.compile(r"[A-Za-z0-9+/_-]*={0,2}")
PERSONAS = ("EXPERT", "NOVICE", "EVALUATOR")


def refusals(value: Json) -> list[str]:
    """Everything that ADK refuses of an eval set; nothing where it takes it."""
    return [*EVAL_SET(value, "")]


def text(value: Json, at: str) -> Iterator[str]:
    """A string; nothing is made one."""
    if not isinstance(value, str):
        yield f"{at}: no string"


def number(value: Json, at: str) -> Iterator[str]:
    """A float, also from an integer, a boolean or a numeric string."""
    is_numeric = isinstance(value, str) and _NUMBER.fullmatch(value.strip())
    if not is_numeric and not isinstance(value, int | float):
        yield f"{at}: no number"


def whole(value: Json, at: str) -> Iterator[str]:
    """An integer, also from a boolean, a float without a fraction or a numeric string."""
    is_numeric = isinstance(value, str) and re.fullmatch(r"[+-]?\d+(\.0*)?", value.strip())
    is_whole = isinstance(value, int) or (isinstance(value, float) and value.is_integer())
    if not is_numeric and not is_whole:
        yield f"{at}: no integer"


def truth(value: Json, at: str) -> Iterator[str]:
    """A boolean, also from the words and numbers for one."""
    words = ("0", "1", "f", "t", "n", "y", "no", "yes", "off", "on", "false", "true")
    is_word = isinstance(value, str) and value.lower() in words
    if not is_word and not (isinstance(value, bool | int | float) and value in (0, 1)):
        yield f"{at}: no boolean"


def data(value: Json, at: str) -> Iterator[str]:
    """Bytes in base64, URL-safe or not."""
    if not isinstance(value, str):
        yield f"{at}: no bytes"
    elif not _BASE64.fullmatch(value) or not _is_whole(value.rstrip("=").replace("+", "-").replace("/", "_")):
        yield f"{at}: no base64"


def _is_whole(symbols: str) -> bool:
    """Whether no symbol is left over, nor a bit of the last one."""
    if len(symbols) % 4 == 1:
        return False
    read = base64.urlsafe_b64decode(symbols + "=" * (-len(symbols) % 4))
    return base64.urlsafe_b64encode(read).decode().rstrip("=") == symbols


def anything(_value: Json, _at: str) -> Iterator[str]:
    """Whatever stands there."""
    yield from ()


def any_object(value: Json, at: str) -> Iterator[str]:
    """An object of whatever keys."""
    if not isinstance(value, dict):
        yield f"{at}: no object"


def or_null(check: Check) -> Check:
    """The same, or null."""
    return lambda value, at: iter(()) if value is None else check(value, at)


def listed(check: Check) -> Check:
    """A list of such things."""

    def checked(value: Json, at: str) -> Iterator[str]:
        if not isinstance(value, list):
            yield f"{at}: no list"
            return
        for index, item in enumerate(value):
            yield from check(item, f"{at}/{index}")

    return checked


def mapped(check: Check) -> Check:
    """An object of such things, by names of people's own."""

    def checked(value: Json, at: str) -> Iterator[str]:
        if not isinstance(value, dict):
            yield f"{at}: no object"
            return
        for key, item in value.items():
            yield from check(item, f"{at}/{key}")

    return checked


@dataclass(frozen=True)
class Field:
    """One field of a model."""

    check: Check
    required: bool = False


@dataclass(frozen=True)
class Model:
    """A model of ADK's: its fields, whether camelCase is read too, and whether unknown keys are refused."""

    fields: Mapping[str, Field]
    both_names: bool = True
    forbid: bool = False

    def __call__(self, value: Json, at: str) -> Iterator[str]:
        """What is refused of a value at a place."""
        if not isinstance(value, dict):
            yield f"{at}: no object"
            return
        known = {spelt: name for name in self.fields for spelt in self._spellings(name)}
        for key in value:
            if key not in known and self.forbid:
                yield f"{at}/{key}: unknown"
        for name, field in self.fields.items():
            held = [key for key in self._spellings(name) if key in value]
            if len(held) > 1 and self.forbid:
                yield f"{at}/{held[1]}: unknown"
            if held:
                yield from field.check(value[held[0]], f"{at}/{held[0]}")
            elif field.required:
                yield f"{at}/{name}: missing"

    def _spellings(self, name: str) -> tuple[str, ...]:
        """Of both the one in camelCase counts where both stand there."""
        return (camel(name), name) if self.both_names and camel(name) != name else (name,)


def camel(name: str) -> str:
    """A name as JavaScript spells it."""
    first, *rest = name.split("_")
    return first + "".join(word.capitalize() for word in rest)


def _genai(**checks: Check) -> Model:
    """A type of google-genai: every field may be missing or null, nothing else may stand there."""
    return Model({name: Field(or_null(check)) for name, check in checks.items()}, forbid=True)


_BLOB = _genai(data=data, mime_type=text, display_name=text)
_FILE = _genai(file_uri=text, mime_type=text, display_name=text)
_CALL = _genai(id=text, name=text, args=any_object, partial_args=listed(any_object), will_continue=truth)
_RESPONSE = _genai(
    id=text,
    name=text,
    response=any_object,
    will_continue=truth,
    scheduling=text,
    parts=listed(_genai(inline_data=_BLOB, file_data=_FILE, media_processing=any_object)),
)
_PART = _genai(
    text=text,
    thought=truth,
    thought_signature=data,
    function_call=_CALL,
    function_response=_RESPONSE,
    inline_data=_BLOB,
    file_data=_FILE,
    executable_code=_genai(code=text, language=text, id=text),
    code_execution_result=_genai(outcome=text, output=text, id=text),
    video_metadata=_genai(start_offset=text, end_offset=text, fps=number),
    media_resolution=any_object,
    tool_call=any_object,
    tool_response=any_object,
    part_metadata=any_object,
    audio_transcription=any_object,
    media_processing=any_object,
    speech_metadata=any_object,
)
CONTENT = _genai(parts=listed(_PART), role=text)
_USAGE = _genai(
    **{
        f"{name}_token_count": whole
        for name in ("prompt", "candidates", "cached_content", "thoughts", "tool_use_prompt", "total")
    },
    **{f"{name}_tokens_details": listed(any_object) for name in ("prompt", "candidates", "tool_use_prompt")},
    cache_tokens_details=listed(any_object),
    traffic_type=text,
)
_GROUNDING = _genai(
    image_search_queries=listed(text),
    web_search_queries=listed(text),
    retrieval_queries=listed(text),
    grounding_chunks=listed(any_object),
    grounding_supports=listed(any_object),
    source_flagging_uris=listed(any_object),
    retrieval_metadata=any_object,
    search_entry_point=any_object,
    google_maps_widget_context_token=text,
)
RUBRIC = Model(
    {
        "rubric_id": Field(text, required=True),
        "rubric_content": Field(Model({"text_property": Field(or_null(text))}, forbid=True), required=True),
        "description": Field(or_null(text)),
        "type": Field(or_null(text)),
    },
    forbid=True,
)


def _author_and_parts(value: Json, at: str) -> Iterator[str]:
    if not isinstance(value, list) or len(value) != 2:
        yield f"{at}: no pair of author and parts"
        return
    yield from text(value[0], f"{at}/0")
    yield from listed(_PART)(value[1], f"{at}/1")


_CALLS = Model(
    {
        "tool_uses": Field(listed(_CALL)),
        "tool_responses": Field(listed(_RESPONSE)),
        "intermediate_responses": Field(listed(_author_and_parts)),
    },
    forbid=True,
)
_EVENTS = Model(
    {
        "invocation_events": Field(
            listed(
                Model(
                    {
                        "author": Field(text, required=True),
                        "content": Field(or_null(CONTENT)),
                        "grounding_metadata": Field(or_null(_GROUNDING)),
                        "usage_metadata": Field(or_null(_USAGE)),
                        "model_version": Field(or_null(text)),
                    }
                )
            )
        )
    },
    forbid=True,
)


def _intermediate(value: Json, at: str) -> Iterator[str]:
    """One of two forms, by the keys that are there; both together are neither."""
    is_events = isinstance(value, dict) and not {"invocation_events", "invocationEvents"}.isdisjoint(value)
    yield from (_EVENTS if is_events else _CALLS)(value, at)


_DETAILS = Model(
    {
        "name": Field(text, required=True),
        "instructions": Field(text),
        "tool_declarations": Field(listed(anything)),
    },
    forbid=True,
)
INVOCATION = Model(
    {
        "invocation_id": Field(text),
        "user_content": Field(CONTENT, required=True),
        "final_response": Field(or_null(CONTENT)),
        "intermediate_data": Field(or_null(_intermediate)),
        "creation_timestamp": Field(number),
        "duration": Field(or_null(number)),
        "model_duration": Field(or_null(number)),
        "tool_duration": Field(or_null(number)),
        "rubrics": Field(or_null(listed(RUBRIC))),
        "app_details": Field(or_null(Model({"agent_details": Field(mapped(_DETAILS))}, forbid=True))),
    },
    forbid=True,
)
_BEHAVIOR = Model(
    {
        "name": Field(text, required=True),
        "description": Field(text, required=True),
        "behavior_instructions": Field(listed(text), required=True),
        "violation_rubrics": Field(listed(text), required=True),
    },
    both_names=False,
)
_PERSONA = Model(
    {
        "id": Field(text, required=True),
        "description": Field(text, required=True),
        "behaviors": Field(listed(_BEHAVIOR), required=True),
    },
    both_names=False,
)


def _persona(value: Json, at: str) -> Iterator[str]:
    """A persona, or the id of one of ADK's own."""
    if not isinstance(value, str):
        yield from _PERSONA(value, at)
    elif value not in PERSONAS:
        yield f"{at}: no such persona"


_SCENARIO = Model(
    {
        "starting_prompt": Field(text, required=True),
        "conversation_plan": Field(text, required=True),
        "user_persona": Field(or_null(_persona)),
    },
    forbid=True,
)
_SESSION = Model(
    {
        "app_name": Field(text, required=True),
        "user_id": Field(text, required=True),
        "session_id": Field(or_null(text)),
        "state": Field(any_object),
    }
)
_CASE = Model(
    {
        "eval_id": Field(text, required=True),
        "conversation": Field(or_null(listed(INVOCATION))),
        "conversation_scenario": Field(or_null(_SCENARIO)),
        "session_input": Field(or_null(_SESSION)),
        "creation_timestamp": Field(number),
        "rubrics": Field(or_null(listed(RUBRIC))),
        "final_session_state": Field(or_null(any_object)),
    }
)


def _case(value: Json, at: str) -> Iterator[str]:
    """A case has a conversation or a scenario, and an empty list is one."""
    yield from _CASE(value, at)
    if isinstance(value, dict):
        given = [
            any(value.get(key) is not None for key in (camel(name), name))
            for name in ("conversation", "conversation_scenario")
        ]
        if sum(given) != 1:
            yield f"{at}: not one of conversation and scenario"


EVAL_SET = Model(
    {
        "eval_set_id": Field(text, required=True),
        "name": Field(or_null(text)),
        "description": Field(or_null(text)),
        "eval_cases": Field(listed(_case), required=True),
        "creation_timestamp": Field(number),
    },
    both_names=False,
)
