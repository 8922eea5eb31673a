"""The files of a CES app by what they are, and the names under which others speak of them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from pathlib import PurePosixPath

from msgspec import Struct, field

from trace_inspector.core.finding import error
from trace_inspector.core.values.pointer import join
from trace_inspector.core.values.values import Json
from trace_inspector.formats.ces.common.recognisers import AGENTS, APP_FILES, EXAMPLES, PERSONAS, TOOLS
from trace_inspector.formats.common.fields import Fields, Report, fields_of, kind_of

TOOLSETS, GUARDRAILS = "toolsets", "guardrails"
EVALUATIONS, DATASETS, EXPECTATIONS = "evaluations", "evaluationDatasets", "evaluationExpectations"
_STRUCTURED = frozenset({".json", ".yaml", ".yml"})
_DEPTH = 3  # agents/ID/ID.json; some write evaluationExpectations/ID.json


class Part(Struct, frozen=True):
    """One resource of an app: its content, and the id that its file or folder gives it."""

    kind: str
    id: str
    fields: Fields

    @property
    def title(self) -> str:
        """What people call it."""
        return self.fields.text("display_name") or self.id

    def names(self) -> Iterator[str]:
        """Everything that others call it by: its id, its name, the end of that, and what people call it."""
        stated = self.fields.text("name") or ""
        yield from (name for name in (self.id, stated, stated.rpartition("/")[2], self.title) if name)


class Parts(Struct, frozen=True):
    """The resources of an app, their text files, and all other files."""

    app: Fields
    resources: tuple[Part, ...] = ()
    names: Mapping[str, Mapping[str, Part]] = field(default_factory=dict)  # of two with one name the first
    texts: Mapping[str, str] = field(default_factory=dict)
    others: tuple[Fields, ...] = ()
    place: str = ""  # under which all files stand
    is_whole: bool = True  # else what is not here may be elsewhere

    def of(self, kind: str) -> list[Part]:
        """Those of one kind, in their order."""
        return [part for part in self.resources if part.kind == kind]

    def by_name(self, kind: str) -> Mapping[str, Part]:
        """Those of one kind by each of their names."""
        return self.names.get(kind, {})

    def text(self, stated: str | None) -> str:
        """The text that a file of the app holds, where one is named; else what is stated."""
        return self.texts.get(stated or "", stated or "")


def looked_up(named: Mapping[str, Part], reference: str) -> Part | None:
    """The resource that a whole name, a short id or a display name stands for."""
    return named.get(reference) or named.get(reference.rpartition("/")[2])


def parts_of(value: Mapping[str, Json], place: str, report: Report) -> Parts:
    """The files of an app, sorted by what they are."""
    name = next((name for name in APP_FILES if name in value), APP_FILES[0])
    app = value.get(name)
    if not isinstance(app, dict):
        problem = "is missing" if name not in value else f"holds {kind_of(app)}, not an object"
        report.add(error("no-app", f"{name} {problem}; what the app itself says is unknown.", join(place, name)))
    resources, others = [], []
    for file, content in value.items():
        path = PurePosixPath(file)
        if file == name or path.suffix.lower() not in _STRUCTURED or content is None:
            continue
        if not isinstance(content, dict):
            message = f"{file} holds {kind_of(content)}, not an object; it is left out."
            report.add(error("not-an-object", message, join(place, file)))
            continue
        fields = Fields(content, join(place, file))
        if _is_resource(path, value):
            resources.append(Part(path.parts[0], path.parts[1] if len(path.parts) == _DEPTH else path.stem, fields))
        else:
            others.append(fields)
    texts = {file: content for file, content in value.items() if isinstance(content, str)}
    own = fields_of(app, join(place, name) if name in value else place)
    return Parts(own, tuple(resources), _named(resources), texts, tuple(others), place)


def listed_parts(fields: Fields, app: Fields) -> Parts:
    """The resources of an app that stand in lists of one object, as in a version of it."""
    kinds = (AGENTS, TOOLS, TOOLSETS, GUARDRAILS, EXAMPLES)
    listed = [
        Part(kind, (part.text("name") or "").rpartition("/")[2], part)
        for kind in kinds
        for part in fields.objects(kind)
    ]
    return Parts(app, tuple(listed), _named(listed), place=fields.place)


def loose_parts(kind: str, listed: Iterable[Fields]) -> Parts:
    """Resources of one kind without their app."""
    parts = tuple(Part(kind, (part.text("name") or "").rpartition("/")[2], part) for part in listed)
    return Parts(Fields({}, ""), parts, _named(parts), is_whole=False)


def _named(resources: Iterable[Part]) -> dict[str, dict[str, Part]]:
    by_kind: dict[str, dict[str, Part]] = {}
    for part in resources:
        of_kind = by_kind.setdefault(part.kind, {})
        for name in part.names():
            of_kind.setdefault(name, part)
    return by_kind


def _is_resource(path: PurePosixPath, files: Mapping[str, Json]) -> bool:
    """Whether a file is a resource itself and not something beside one, such as the schema of a tool.

    After a rename the folder has another name than its file; then whatever lies in it may be meant.
    """
    kinds = {AGENTS, TOOLS, TOOLSETS, GUARDRAILS, EXAMPLES, EVALUATIONS, DATASETS, EXPECTATIONS, PERSONAS}
    if path.parts[0] not in kinds or not 1 < len(path.parts) <= _DEPTH:
        return False
    folder = path.parts[1]
    return (
        len(path.parts) < _DEPTH
        or path.stem == folder
        or not any(str(path.with_name(folder + suffix)) in files for suffix in _STRUCTURED)
    )
