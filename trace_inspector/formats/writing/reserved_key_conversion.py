"""From one written format to another and back: what the target has no place for goes along, and comes home again."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct
from msgspec.structs import replace

from trace_inspector.core.finding import Finding, Severity, error, info
from trace_inspector.core.golden.golden import Case
from trace_inspector.core.rows.contents import Contents, collect
from trace_inspector.core.values.difference import same
from trace_inspector.core.values.json_numbers import json_text, parse_exactly
from trace_inspector.core.values.values import Json
from trace_inspector.formats.common.format import Format, Source, Written
from trace_inspector.formats.extension.key import KEY
from trace_inspector.formats.extension.key_locations import (
    HOMES,
    File,
    Load,
    bare,
    is_laden,
    is_taken,
    laden,
    unladen,
    unloaded,
)
from trace_inspector.formats.extension.merge import Conflict, merged
from trace_inspector.formats.writing.conversion_losses import written_with_losses

MAX_LEFT_CHARS = 32_000_000
_BY_SUITE = ("adk-eval-set", "vertex-item")  # whose files name their suite
_LOST, _KEPT, _BESIDE = "-lost", "-kept", "kept-beside"


_UNREAD = {
    "unknown-key": (
        "Keys that Trace Inspector does not read are lost for good; “trace-inspector validate” lists them."
    ),
    "too-many-items": (
        "Items beyond the number that is read are lost for good; “trace-inspector validate” counts them."
    ),
    "not-an-object": (
        "List items that should be objects but are not are lost for good; “trace-inspector validate” lists them."
    ),
}


class Conversion(Struct, frozen=True):
    """The new file's text and its side file's, and what it could not hold. An error among these is gone for good."""

    text: str
    side: str = ""
    losses: tuple[Finding, ...] = ()


def converted(file: File, name: str, source: Format, target: Format) -> Conversion:
    """A file in another format, which must be one that is written."""
    ways = _Ways(source, target)
    contents = ways.contents(file.value, name)
    written = written_with_losses(target, contents)
    here, there = HOMES.get(source.name), HOMES.get(target.name)
    file = replace(file, value=here.lifted(file.value)) if here is not None else file
    if here is None or there is None:
        return Conversion(written.text, losses=(*written.losses, *unread(contents)))
    is_restored = is_laden(file, here, target.name)
    if not there.keeps and not is_restored:
        return Conversion(written.text, losses=(*written.losses, *unread(contents)))
    value, own, known_by = ways.value(written), file.value, ""
    if is_restored:
        own = unladen(file, here, target.name)
        value, known_by = ways.restored(file, own, value)
    made, load = laden(value, there, source.name, own, ways.back(value, known_by))
    taken = is_taken(value, there)
    value, made = there.lowered(value), replace(made, value=there.lowered(made.value))
    if load.chars and there.is_free and taken:
        message = f"The restored file carries leftovers of its own under “{KEY}”; what was added since is not kept."
        return Conversion(json_text(value), losses=(error("leftovers-lost", message),))
    return _bounded(made, value, load, written.losses, unread(contents))


def unread(contents: Contents) -> tuple[Finding, ...]:
    """What the reader passed over, where nothing of the file goes along."""
    first = {finding.code: finding for finding in reversed(contents.findings) if finding.code in _UNREAD}
    return tuple(error("unread-lost", _UNREAD[code], finding.pointer) for code, finding in first.items())


def _bounded(
    made: File, value: Json, load: Load, losses: tuple[Finding, ...], passed_over: tuple[Finding, ...]
) -> Conversion:
    losses = tuple(loss for loss in losses if loss.code != _BESIDE)  # the writer's own, which is none of ours
    if not load.chars:
        return Conversion(
            json_text(value), losses=tuple(loss for loss in losses if loss.severity is not Severity.ERROR)
        )
    if load.chars > MAX_LEFT_CHARS:
        message = (
            f"What has no place in the new file is {load.chars:,} characters long, more than the "
            f"{MAX_LEFT_CHARS:,} that go along; nothing of it is kept, and converting back does not restore it."
        )
        return Conversion(json_text(value), losses=(*losses, error("leftovers-lost", message), *passed_over))
    side = json_text(made.side) if made.side is not None else ""
    things = {0: "The order of keys is", 1: "1 value is"}.get(load.values, f"{load.values:,} values are")
    where = "in the side file" if side else f"under “{KEY}”"
    message = f"{things} kept {where} ({load.chars:,} characters); converting back restores it all."
    return Conversion(json_text(made.value), side, (*map(_as_kept, losses), info(_BESIDE, message)))


def _as_kept(loss: Finding) -> Finding:
    """A loss of which everything is kept as leftovers."""
    if loss.severity is not Severity.ERROR:
        return loss
    code = loss.code.removesuffix(_LOST) + _KEPT
    return replace(
        loss, severity=Severity.INFO, code=code, message=f"{loss.message} All of it is stored with the new file."
    )


class _Ways(Struct, frozen=True):
    """Plain conversion there and back, without leftovers."""

    source: Format
    target: Format

    def there(self, value: Json, name: str) -> Written:
        """As the target's writer has it."""
        return _written(self.target, self.contents(value, name))

    def contents(self, value: Json, name: str = "") -> Contents:
        """What the source's reader finds."""
        return collect(self.source.name, self.source.read(Source(value, name)))

    def value(self, written: Written) -> Json:
        """What was written, without the leftovers that the writer itself puts under the key."""
        home = HOMES[self.target.name]
        return bare(home.lifted(parse_exactly(written.text)), home)

    def back(self, value: Json, name: str = "") -> Json:
        """What a reader of the new file alone would make of it in the source's format."""
        turned = _Ways(self.target, self.source)
        return turned.value(turned.there(value, name))

    def restored(self, file: File, own: Json, value: Json) -> tuple[Json, str]:
        """The origin and its name, with what was edited since: there the edit wins, and the rest is as it was."""
        kept = unloaded(file, HOMES[self.source.name], self.target.name, value)
        names = _origins_names(self.contents(file.value), self.target)
        name = next((name for name in names if same(self.back(kept, name), own)), names[0])
        for candidate in self._candidates(kept, value, name):
            kept = candidate
            if same(self.back(candidate, name), own):
                break
        return kept, name

    def _candidates(self, kept: Json, now: Json, name: str) -> Iterator[Json]:
        """From untouched to the one in which the edit wins even where the origin had another value before it."""
        yield kept
        base = self.value(self.there(self.back(kept, name), ""))
        yield merged(base, kept, now, Conflict.KEPT)
        yield merged(base, kept, now, Conflict.EDIT)


def _written(target: Format, contents: Contents) -> Written:
    return target.write(contents) if target.write is not None else Written("")


def _origins_names(contents: Contents, target: Format) -> list[str]:
    """Names for the origin, the likeliest first: a reader may take ids from the name of the file."""
    cases, traces = _cases(contents), contents.traces
    suites = [case.suite_id for case in cases] + [trace.suite_id or "" for trace in traces]
    ids = [case.id for case in cases] + [trace.id for trace in traces]
    first = suites if target.name in _BY_SUITE else ids
    likely = [*first[:1], *ids[:1], *(name.partition(" (")[0] for name in ids[:1])]
    return [f"{name}.json" for name in dict.fromkeys(likely)] or [".json"]


def _cases(contents: Contents) -> list[Case]:
    return [case for suite in contents.suites for case in suite.cases]
