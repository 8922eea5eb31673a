"""A pack without any text or value of a file: who did what in which order, and how it was judged.

Rules find most secrets, never all of them. What is not there cannot be a secret, so that here everything goes that is
not listed to stay. Equal texts have equal numbers: where two runs part is still to be seen.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import cast

from msgspec import Struct
from msgspec.structs import replace

from trace_inspector.core.errors import UsageError
from trace_inspector.core.rows.evidence import EvidencePack, EvidenceSide
from trace_inspector.core.values.canonical_json import canonical_json
from trace_inspector.core.values.values import ABSENT, Json
from trace_inspector.engine.redaction.secret_finder import NUMBERED_KEY, NUMBERED_TEXT, NUMBERED_VALUE, placeholder

STRUCTURE_ONLY = (
    "Every text and value was left out; equal ones have equal numbers. Names of tools, arguments, fields, agents, "
    "models and metrics, ids of cases and names of files are still here."
)
NOTES = "What was noted of the files was left out, as it may quote them ({})."
# Names, ids of cases, places in the file, and words of ours. All other texts go.
_KEPT: Mapping[str, frozenset[str]] = {
    kind: frozenset((*names.split(), "place"))
    for kind, names in {
        "EvidencePack": "title shown compared",
        "EvidenceSide": "name",
        "Suite": "id name",
        "Case": "id suite_id final_state_place",
        "Trace": "id app case_id suite_id candidate",
        "ParentCall": "trace_id",
        "Turn": "final_author",
        "Event": "author role model finish_reason active_tools",
        "Span": "agent",
        "Agent": "name sub_agents",
        "ToolCall": "name resource agent",
        "ToolResult": "name",
        "Media": "mime_type",
        "Code": "language",
        "Transfer": "target",
        "Unknown": "kind",
        "Extra": "name",
        "Expectation": "compared_by",
        "Criterion": "metric",
        "Criteria": "source",
        "Rubric": "id type group importance",
        "CaseVerdict": "case_id suite_id trace_id candidate golden_path golden_place trace_path trace_place",
        "MetricVerdict": "metric figures",
        "ExpectationVerdict": "golden_place figures",
        "RubricVerdict": "rubric_id",
    }.items()
}
_PLACE_ALONE = frozenset(("place",))
# Of these people write what they like, and it is asked for; all other names must look like names.
_AS_WRITTEN = frozenset((
    "title", "place", "shown", "compared", "case_id", "suite_id", "metric", "source", "figures", "final_state_place",
    "golden_path", "golden_place", "trace_path", "trace_place",
))  # fmt: skip
_NAMED_BY_PEOPLE = frozenset(("Suite", "Case", "EvidenceSide"))
_EMPTIED: Mapping[str, tuple[str, ...]] = {  # what would be drawn over a text that is not there
    "MetricVerdict": ("sentences",),
    "Trace": ("title", "case_title"),  # its id is shown instead
    "Case": ("title",),
}
_DATA = frozenset(("args", "value", "raw", "grounding", "native"))  # a bare number in these is data, too
_ARGUMENT = re.compile(r"[A-Za-z_$][\w.$-]{0,39}")
_NAME = re.compile(r"[\w$][\w.$:/-]{0,79}")
_ALL = "…"  # the key under which one number stands for an object


def structure_of(pack: EvidencePack) -> EvidencePack:
    """The pack with a number in place of each text and value, and a note that says so."""
    try:
        sides = cast("tuple[EvidenceSide, ...]", _Numbers().without(pack.sides))
    except RecursionError as problem:
        raise UsageError("A value is nested too deeply to be numbered, so nothing was written.") from problem
    left_out = (NOTES.format(len(pack.notes)),) if pack.notes else ()
    return replace(pack, sides=sides, notes=(STRUCTURE_ONLY, *left_out))


class _Numbers:
    """Gives equal texts and values equal numbers."""

    def __init__(self) -> None:
        self._numbers: dict[tuple[str, str], int] = {}

    def without(self, value: object) -> object:
        """A value of ours without what stands in files."""
        if isinstance(value, str):
            return self._placeholder(NUMBERED_TEXT, value) if value else value
        if isinstance(value, Mapping):
            return {_ALL: self._data(value)} if value else value
        if isinstance(value, list):
            return self._data(value)
        if type(value) is tuple:
            return tuple(map(self.without, value))
        return self._fields(value) if isinstance(value, Struct) else value

    def _fields(self, value: Struct) -> Struct:
        kind = type(value).__name__
        kept, emptied = _KEPT.get(kind, _PLACE_ALONE), _EMPTIED.get(kind, ())
        changed: dict[str, object] = {}
        for name in value.__struct_fields__:
            old = getattr(value, name)
            if old is None:
                continue
            if name in kept:
                if name not in _AS_WRITTEN and kind not in _NAMED_BY_PEOPLE:
                    changed[name] = self._name(old)
                continue
            if name in emptied:
                changed[name] = type(old)()
            elif name in _DATA:
                changed[name] = self._arguments(old) if name == "args" else self._data(old)
            elif name == "differing":
                changed[name] = tuple(map(self._key, old))
            elif name == "criteria" and kind == "CaseVerdict":
                changed[name] = tuple((metric, limit, self.without(options)) for metric, limit, options in old)
            else:
                changed[name] = self.without(old)
        return replace(value, **changed)

    def _arguments(self, args: object) -> object:
        if not isinstance(args, Mapping):
            return self._data(args)
        return {self._key(str(key)): self._data(item) for key, item in args.items()}

    def _name(self, name: object) -> object:
        if isinstance(name, tuple):
            return tuple(map(self._name, name))
        return name if not isinstance(name, str) or not name or _NAME.fullmatch(name) else self.without(name)

    def _key(self, key: str) -> str:
        return key if _ARGUMENT.fullmatch(key) else self._placeholder(NUMBERED_KEY, key)

    def _data(self, value: object) -> object:
        if value is None or value is ABSENT:
            return value
        if isinstance(value, str):
            return self._placeholder(NUMBERED_TEXT, value)
        return self._placeholder(NUMBERED_VALUE, canonical_json(cast("Json", value)))

    def _placeholder(self, rule: str, text: str) -> str:
        return placeholder(rule, self._numbers.setdefault((rule, text), len(self._numbers) + 1))
