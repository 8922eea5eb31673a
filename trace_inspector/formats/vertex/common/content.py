"""Contents in Vertex's evaluation files, and the unions of prompts and responses that hold them."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice

from msgspec.structs import replace

from trace_inspector.core.finding import error, info, warning
from trace_inspector.core.trace.parts import Part, Text, Unknown
from trace_inspector.core.trace.summary import compact
from trace_inspector.core.values.extra import Extra
from trace_inspector.core.values.pointer import join
from trace_inspector.core.values.values import ABSENT, Absent, Json
from trace_inspector.formats.common.content import parts_of
from trace_inspector.formats.common.extras import extras_of
from trace_inspector.formats.common.fields import Fields, Report, camel, kind_of

RESPONSE_DATA = ("text", "value", "agent_data")
# The keys that describe a part, and what is shown of the value of each other key.
_ASIDE = ("video_metadata", "media_resolution", "part_metadata")
_SHOWN_OF = {
    "inline_data": ("mime_type", "data"),
    "file_data": ("mime_type", "file_uri"),
    "function_call": ("id", "name", "args"),
    "function_response": ("id", "name", "response"),
    "executable_code": ("language", "code"),
    "code_execution_result": ("output",),
}
_NAMED = 8
_SHOWN_CHARS = 60
MOST_MEMBERS = 1_000  # agents of a system, metrics of an answer, values of a template


def given(value: Json | Absent) -> bool:
    """Whether a value is stated; dumps with every key write null where nothing is."""
    return value is not ABSENT and value is not None


def beyond(fields: Fields, *names: str) -> tuple[Extra, ...]:
    """All members of an object under other keys; dumps with every key write null where nothing is."""
    return tuple(extra for extra in extras_of(fields, *names) if given(extra.value))


def check_required(fields: Fields, what: str, names: tuple[str, ...], report: Report) -> None:
    """Name what the service requires of an object and its file does not say."""
    for name in names:
        if not given(fields.get(name)):
            report.add(
                warning("missing-field", f"{what} has no “{camel(name)}”, which Vertex AI requires.", fields.place)
            )


def check_word(fields: Fields, name: str, words: frozenset[str], report: Report) -> None:
    """Name a word of an enum that is not known here; it is shown as it stands."""
    value = fields.get(name)
    if given(value) and not (isinstance(value, str) and value in words):
        stated = "" if isinstance(value, Absent) else compact(value, _SHOWN_CHARS)
        message = f"“{fields.key(name)}” says {stated}, which is not a known value; it is shown as it is."
        report.add(info("unknown-word", message, fields.pointer(name)))


def content_parts(value: Json | Absent, place: str, report: Report) -> tuple[Part, ...]:
    """The parts of a Content, or of a bare text; nothing for null."""
    if value is ABSENT or value is None:
        return ()
    if not isinstance(value, dict | str):
        report.add(error("wrong-type", f"This should be a content or a text, not {kind_of(value)}.", place))
        return ()
    return parts_of(value, place)


def members(owner: Fields | None, report: Report) -> Iterator[tuple[str, Json, str]]:
    """Keys, values and places of an object whose keys are names, as far as there is room for them."""
    if owner is None:
        return
    if len(owner.value) > MOST_MEMBERS:
        message = f"Of {len(owner.value):,} members here {MOST_MEMBERS:,} are read."
        report.add(error("too-many-items", message, owner.place))
    for key in islice(owner.value, MOST_MEMBERS):
        yield key, owner.value[key], join(owner.place, key)


def beside_parts(content: Json | Absent, place: str) -> tuple[Extra, ...]:
    """The members of a content's parts that are not shown; a thought's signature means nothing to people."""
    listed = Fields(content, place).objects("parts") if isinstance(content, dict) else []
    return tuple(extra for part in listed for extra in _beside_part(part))


def _beside_part(part: Fields) -> Iterator[Extra]:
    yield from (extra for name in _ASIDE for extra in beyond(part) if extra.name in (name, camel(name)))
    for name, shown in _SHOWN_OF.items():
        member = part.object(name)
        if member is not None:
            yield from (replace(extra, name=f"{part.key(name)}: {extra.name}") for extra in beyond(member, *shown))


def error_details(owner: Fields) -> tuple[Extra, ...]:
    """The members of a google.rpc.Status besides its code and its message."""
    status = owner.object("error")
    beside = beyond(status, "code", "message") if status is not None else ()
    return tuple(Extra(f"error: {extra.name}", extra.value, extra.place) for extra in beside)


def data_parts(owner: Fields, report: Report) -> tuple[Part, ...]:
    """The text or the value of a prompt or a response; agent data and scenarios are read elsewhere."""
    words = owner.get("text")
    if given(words):
        return content_parts(words, owner.pointer("text"), report)
    value = owner.get("value")
    if value is not ABSENT and value is not None:
        place = owner.pointer("value")
        return (Text(value, place),) if isinstance(value, str) else (Unknown("value", value, place),)
    template = owner.object("prompt_template_data")
    return tuple(_template_parts(template, report)) if template is not None else ()


def check_union(
    owner: Fields, names: tuple[str, ...], what: str, report: Report, then: str = "Vertex AI rejects it."
) -> tuple[str, ...]:
    """The members of a union that are set, and a finding with what then happens where there are several."""
    stated = tuple(name for name in names if given(owner.get(name)))
    if len(stated) > 1:
        named = " and ".join(f"“{owner.key(name)}”" for name in stated)
        report.add(
            error("several-of-a-union", f"{what} may hold only one of {named}; {then}", owner.pointer(stated[1]))
        )
    return stated


def status_text(owner: Fields) -> str | None:
    """A google.rpc.Status as one sentence."""
    status = owner.object("error")
    if status is None:
        return owner.text("error")
    texts = [
        str(part) for part in (status.get("code"), status.get("message")) if isinstance(part, str | int) and part
    ]
    return ": ".join(texts) or None


def report_stored(owner: Fields, report: Report) -> None:
    """Name the object in Cloud Storage that holds what is not here."""
    uri = owner.text("gcs_uri")
    if uri:
        message = (
            f"What this item holds is stored at {uri}, which Trace Inspector does not fetch. Download it, and open "
            "the copy."
        )
        report.add(warning("stored-elsewhere", message, owner.pointer("gcs_uri")))


def _template_parts(template: Fields, report: Report) -> Iterator[Part]:
    values = template.object("values")
    if values is None:
        return
    for _name, content, place in members(values, report):
        yield from content_parts(content, place, report)
    named = ", ".join(f"“{name}”" for name in islice(values.value, _NAMED))
    more = f" and {len(values.value) - _NAMED} more" if len(values.value) > _NAMED else ""
    message = (
        f"The prompt consists of the values for a template, shown in their order: {named or 'none'}{more}. The "
        "template is not in this file."
    )
    report.add(info("template-values", message, values.place))
