"""Values of a golden as text in a field, and back: JSON of bounded size; errors are sentences."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import islice

from msgspec import Struct
from msgspec.structs import replace

from trace_inspector.core.golden.argument_check import argument_problems
from trace_inspector.core.golden.golden_change import ExpectedCall
from trace_inspector.core.golden.matcher import Match, Matcher
from trace_inspector.core.trace.summary import compact, one_line
from trace_inspector.core.translatable import N_
from trace_inspector.core.values.json_numbers import Layout, formatted, number_text, parse_exactly, quoted
from trace_inspector.core.values.pointer import split
from trace_inspector.core.values.values import ABSENT, Absent, Json
from trace_inspector.models.base.translation import tr

LINE_CHARS = 120  # of a value that is edited on one line
MOST_CHARS = 200_000  # of a value that is edited here at all
_MOST_NODES = 20_000
_MOST_DEPTH = 100
_PLAIN = (str, int, float, bool, type(None))


class NotJson(ValueError):
    """Raised for a text that is no value; the message is a sentence to show."""


def read_json(text: str) -> Json:
    """The value of a typed text. Raises NotJson with a sentence and the next step."""
    if len(text) > MOST_CHARS * 2:
        raise NotJson(tr("That is too long to be edited here. Edit the file by hand."))
    deep = tr("That is nested too deeply. Edit the file by hand.")
    try:
        value = parse_exactly(text)
    except RecursionError:
        raise NotJson(deep) from None
    except ValueError:
        stripped = text.strip()
        if not stripped:
            raise NotJson(tr('This is empty. Write "" for an empty text, or remove the argument.')) from None
        if stripped[0] not in '"{[' and not stripped[0].isdigit() and len(stripped) < 60:
            quoted = json.dumps(stripped, ensure_ascii=False)
            raise NotJson(tr("That is not JSON. Put text in quotes: {0}").format(quoted)) from None
        raise NotJson(tr("That is not JSON yet. The golden does not change until it is.")) from None
    if _depth(value) > _MOST_DEPTH:
        raise NotJson(deep)
    return value


def is_large(value: Json | Absent) -> bool:
    """Whether a value is too large to be edited here; stops as soon as that is certain."""
    waiting, chars, nodes = [value], 0, 0
    while waiting and chars <= MOST_CHARS and nodes < _MOST_NODES:
        item = waiting.pop()
        inner = list(islice(_inside(item), _MOST_NODES)) if isinstance(item, dict | list) else []
        nodes += 1 + len(inner)
        chars += len(item) if isinstance(item, str) else 8
        chars += sum(map(len, islice(item, _MOST_NODES))) if isinstance(item, dict) else 0
        waiting.extend(inner)
    return bool(waiting) or chars > MOST_CHARS or nodes > _MOST_NODES


def line_text(value: Json | Absent) -> str:
    """A value as JSON on one line."""
    return "" if isinstance(value, Absent) else formatted(value, _ONE_LINE)


def block_text(value: Json | Absent) -> str:
    """A value as JSON on several lines."""
    return "" if isinstance(value, Absent) else formatted(value, Layout(quoted))


def is_long(value: Json | Absent) -> bool:
    """Whether a value needs more than one line for editing."""
    if isinstance(value, _PLAIN):
        return isinstance(value, str) and len(value) > LINE_CHARS
    return is_large(value) or len(line_text(value)) > LINE_CHARS


def shown(value: Json | Absent) -> str:
    """A value for display: short, on one line, without control characters."""
    return compact(value)


_ONE_LINE = Layout(quoted, indent="", newline="")


# Matchers and their own fields.


class MatcherForm(Struct, frozen=True):
    """The form of a matcher: its label, whether the golden's value is edited, and its own field."""

    word: str
    means: str
    takes_value: bool = True
    parameter: str = ""  # the name of its own field, "" for none


FORMS: Mapping[Match, MatcherForm] = {
    Match.EXACT: MatcherForm("exact", N_("The value must be equal.")),
    Match.IGNORE: MatcherForm("ignore", N_("The value is not compared; it may be missing."), takes_value=False),
    Match.CONTAINS: MatcherForm(
        "contains",
        N_("The observed text must contain this one."),
        takes_value=False,
        parameter=N_("Text that it contains"),
    ),
    Match.REGEXP: MatcherForm(
        "regexp", N_("A regular expression must match somewhere in the text."), takes_value=False, parameter="Pattern"
    ),
    Match.TOLERANCE: MatcherForm(
        N_("± tolerance"), N_("The number must be close enough."), parameter=N_("How far off it may be")
    ),
    Match.SUBSET: MatcherForm("subset", N_("At least what is written here must be present.")),
    Match.ANY: MatcherForm("any", N_("It must be present, with any value."), takes_value=False),
    Match.SEMANTIC: MatcherForm("semantic", N_("A judge decides whether it means the same.")),
}
OFFERED = tuple(match for match in FORMS if match is not Match.SEMANTIC)


def beginning(matcher: Matcher, match: Match, value: Json | Absent) -> Matcher:
    """A matcher of another kind with its initial parameter; the old parameter is kept where it fits."""
    text = ""
    if match is Match.CONTAINS:
        text = matcher.text or (value if isinstance(value, str) else shown(value))
    if match is Match.REGEXP:
        text = matcher.text or (_as_pattern(value) if isinstance(value, str) else ".")
    off = matcher.absolute if match is Match.TOLERANCE else None
    relative = matcher.relative if match is Match.TOLERANCE else None
    if match is Match.TOLERANCE and off is None and relative is None:
        off = 0.0
    return Matcher(matcher.place, match, text, off, relative)


def parameter_text(matcher: Matcher) -> str:
    """The text of the matcher's own field."""
    if matcher.match is not Match.TOLERANCE:
        return matcher.text
    if matcher.absolute is None and matcher.relative is not None:
        return f"{matcher.relative * 100:.12g} %"
    return f"{matcher.absolute or 0.0:.15g}" if matcher.absolute is None else _plain_number(matcher.absolute)


def with_parameter(matcher: Matcher, text: str) -> Matcher:
    """The matcher with the typed text of its own field. Raises NotJson with a sentence when that is no value."""
    if matcher.match is not Match.TOLERANCE:
        if not text:
            raise NotJson(tr("This is empty. Write a text, or choose “any”."))
        return replace(matcher, text=text)
    stated = text.strip().rstrip("%").strip()
    try:
        number = float(stated)
    except ValueError:
        number = -1.0
    if not 0 <= number < float("inf"):
        raise NotJson(tr("How far off may it be? Write a number like 300, or a share like 10 %."))
    if text.strip().endswith("%"):
        return replace(matcher, absolute=None, relative=number / 100)
    return replace(matcher, absolute=number, relative=None)


def warnings(call: ExpectedCall, schema: Json | Absent) -> Mapping[str, str]:
    """Violations of the tool's declaration by the name of the argument; "" is about all arguments."""
    sentences: dict[str, str] = {}
    if isinstance(schema, Absent) or schema is None:
        return sentences
    ignored = {matcher.place for matcher in call.matchers if matcher.match is Match.IGNORE}
    for misfit in argument_problems(call.call.args, schema):
        path = split(misfit.pointer)
        name = path[0] if path else ""
        if misfit.pointer not in ignored:
            stated = isinstance(call.call.args, dict) and name in call.call.args
            where = one_line("/".join(path[1:] if stated else path), 60)
            sentence = f"{where} {misfit.sentence}".strip()
            sentences.setdefault(name if stated else "", f"{sentence[:1].upper()}{sentence[1:]}.")
    return sentences


def _plain_number(number: float) -> str:
    return str(int(number)) if number.is_integer() and abs(number) < 1e15 else number_text(number)


def _as_pattern(text: str) -> str:
    """A text as a pattern that matches it."""
    return "".join(f"\\{char}" if char in r"\.^$*+?{}[]|()" else char for char in text)


def proposed_value(schema: Json | Absent, name: str, observed: Json | Absent) -> Json:
    """The initial value of a new argument: the observed one, else one of the declared type."""
    if observed is not ABSENT and not isinstance(observed, Absent):
        return observed
    properties = schema.get("properties") if isinstance(schema, dict) else None
    declared = properties.get(name) if isinstance(properties, dict) else None
    kind = declared.get("type") if isinstance(declared, dict) else ""
    options = declared.get("enum") if isinstance(declared, dict) else None
    if isinstance(options, list) and options:
        return options[0]
    return _FIRST[kind.lower()]() if isinstance(kind, str) and kind.lower() in _FIRST else ""


_FIRST: Mapping[str, Callable[[], Json]] = {
    "integer": int,
    "number": int,
    "boolean": bool,
    "object": dict,
    "array": list,
}


def declared_names(schema: Json | Absent) -> Sequence[str]:
    """The arguments that a tool declares."""
    properties = schema.get("properties") if isinstance(schema, dict) else None
    return list(properties) if isinstance(properties, dict) else []


def _depth(value: Json) -> int:
    """How deep a value is nested; stops at the greatest depth that matters."""
    level: list[Json] = [value]
    for depth in range(_MOST_DEPTH + 1):
        level = [inner for item in level for inner in _inside(item)]
        if not level:
            return depth
    return _MOST_DEPTH + 1


def _inside(value: Json) -> Iterable[Json]:
    if isinstance(value, dict):
        return value.values()
    return value if isinstance(value, list) else ()
