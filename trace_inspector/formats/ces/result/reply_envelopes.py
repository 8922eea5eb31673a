"""The layers in which a service's reply may be wrapped, each with what is under it."""

from __future__ import annotations

from collections.abc import Callable

from trace_inspector.core.finding import error, info, warning
from trace_inspector.core.values.values import Json
from trace_inspector.formats.common.fields import Fields, Report
from trace_inspector.formats.common.span_attributes import from_text

Inside = list[tuple[Json, str]]

# The lists that an export may hold together.
_LISTS = (
    "evaluations",
    "evaluation_results",
    "conversations",
    "evaluation_runs",
    "evaluation_datasets",
    "evaluation_expectations",
)
_CONTENTS = ("evaluations_content", "evaluation_results_content", "evaluation_runs_content")
_URIS = ("evaluations_uri", "evaluation_results_uri", "evaluation_runs_uri")


def opened(value: Json) -> Json:
    """JSON in a text as its value; anything else as it is."""
    return from_text(value)


def layers_of(value: Json, place: str, report: Report) -> Inside | None:
    """What stands under the outermost layer of a value, with its places; None when it is no layer."""
    if not isinstance(value, dict):
        return None
    fields = Fields(value, place)
    return next((inside for take in _LAYERS if (inside := take(fields, report)) is not None), None)


def _rpc(fields: Fields, report: Report) -> Inside | None:
    """A message of JSON-RPC: what it answers; requests and notifications hold nothing."""
    if "jsonrpc" not in fields.value:
        return None
    problem = fields.object("error")
    if problem is not None:
        _report_error(report, "The reply is an error", problem)
    return _under(fields, "result")


def _tool_result(fields: Fields, report: Report) -> Inside | None:
    """The result of an MCP tool: its structured content, else the JSON in its texts."""
    listed = fields.objects("content")
    structured = _under(fields, "structured_content")
    if fields.key("role") is not None or not (structured or isinstance(fields.get("content"), list)):
        return None
    texts = [
        (item.value.get("text"), item.pointer("text")) for item in listed if item.value.get("type", "text") == "text"
    ]
    inside = structured or [(text, place) for text, place in texts if opened(text) is not text]
    if fields.get("is_error") is True:
        text_of_error = next((text for text, _at in texts if isinstance(text, str)), "it says no more")
        report.add(error("reply-is-error", f"The tool reports an error: {text_of_error[:200]}", fields.place))
        return inside
    return inside or None


def _alone(fields: Fields, _report: Report) -> Inside | None:
    """A list as an object's only member, which servers put around what is no object."""
    return _under(fields, "result") if fields.value.keys() == {"result"} else None


def _operation(fields: Fields, report: Report) -> Inside | None:
    """A long-running operation: what it answers when it is done."""
    if not (fields.text("name") or "").rpartition("/")[0].endswith("operations"):
        return None
    problem = fields.object("error")
    if problem is not None:
        _report_error(report, "The operation ended in an error", problem)
    elif fields.get("done") is not True:
        report.add(
            info(
                "not-done",
                "The operation was not finished when this reply was saved. Request the result again.",
                fields.place,
            )
        )
    from trace_inspector.formats.ces.common.values import any_message

    return [(any_message(value)[1], place) for value, place in _under(fields, "response")]


def _report_error(report: Report, sentence: str, problem: Fields) -> None:
    from trace_inspector.formats.ces.common.values import status_text

    report.add(error("reply-is-error", f"{sentence}: {status_text(problem)}.", problem.place))


def _export(fields: Fields, report: Report) -> Inside | None:
    """An export: the bytes of a file as base64, or its address."""
    stored = [name for name in _URIS if fields.text(name)]
    contents = [name for name in _CONTENTS if fields.text(name)]
    if not stored and not contents:
        return None
    for name in stored:
        message = (
            f"The export is stored at {fields.text(name)}, which Trace Inspector does not fetch. Download it, and "
            "open the copy."
        )
        report.add(warning("stored-elsewhere", message, fields.pointer(name)))
    inside: Inside = []
    for name in contents:
        value = _decoded(fields.text(name) or "")
        if value is None:
            message = "This export is no JSON in base64. Decode it into a file of its own and open that."
            report.add(warning("not-decoded", message, fields.pointer(name)))
        else:
            inside.append((value, fields.pointer(name)))
    return inside


def _several(fields: Fields, _report: Report) -> Inside | None:
    """Lists of several kinds together; one kind alone is read by its own format."""
    names = [name for name in _LISTS if fields.objects(name)]
    if len(names) < 2:
        return None
    return [({key: fields.value[key]}, fields.place) for name in names if (key := fields.key(name)) is not None]


def _under(fields: Fields, name: str) -> Inside:
    value = fields.get(name)
    return [(value, fields.pointer(name))] if isinstance(value, dict | list | str) and value else []


def _decoded(text: str) -> Json:
    """The JSON that base64 stands for, None for anything else."""
    import base64

    try:
        decoded = base64.b64decode(text, validate=True).decode("utf-8-sig")
    except ValueError:  # also what base64 raises
        return None
    value = opened(decoded)
    return None if isinstance(value, str) else value


_LAYERS: tuple[Callable[[Fields, Report], Inside | None], ...] = (
    _rpc,
    _tool_result,
    _alone,
    _operation,
    _export,
    _several,
)
