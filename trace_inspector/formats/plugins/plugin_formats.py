"""The rows of plugins: nothing that one does wrong is more than a finding, or a format that knows no file."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import lru_cache, partial

from msgspec.structs import replace

from trace_inspector import plugins
from trace_inspector.core.errors import PluginError, SaveError
from trace_inspector.core.finding import Finding, error
from trace_inspector.core.golden.golden import Suite
from trace_inspector.core.rows.codec import from_json, to_json
from trace_inspector.core.rows.contents import Contents, Holds, Item, ReadProgress
from trace_inspector.core.trace.criteria import Criteria
from trace_inspector.core.trace.trace import Trace, Turn
from trace_inspector.core.values.values import Json
from trace_inspector.core.verdict.verdict import CaseVerdict
from trace_inspector.formats.common.format import Format, Implementation, Source, Written
from trace_inspector.formats.common.recogniser import CERTAIN
from trace_inspector.plugins import Guard, Plugin

_FAILED = "plugin-failed"
_ITEMS = (Suite, Trace, Turn, Criteria, CaseVerdict, Finding, Holds, ReadProgress)
_END = object()


def plugin_formats() -> tuple[Format, ...]:
    """The formats of all plugins that are on. One that cannot be imported stands there too, and says so."""
    return tuple(map(_row, plugins.active(plugins.FORMATS))) if plugins.may_import() else ()


def plugin_format(name: str) -> Format | None:
    """The format of a plugin with a name."""
    plugin = plugins.active_named(plugins.FORMATS, name) if plugins.may_import() else None
    return _row(plugin) if plugin is not None else None


def surest_plugin(value: Json, than: int) -> Format | None:
    """The format of a plugin that is surest of a document, and surer than a number."""
    best, surest = than, None
    for row in plugin_formats():
        try:
            sure = row.recognise(value)
        except PluginError:
            continue  # `failures` tells of it where nobody else knows the document
        if sure > best:
            best, surest = sure, row
    return surest


def failures(value: Json) -> tuple[str, ...]:
    """What went wrong when plugins were asked about a document."""
    told = []
    for row in plugin_formats():
        try:
            row.recognise(value)
        except PluginError as problem:
            told.append(str(problem))
    return tuple(told)


@lru_cache(maxsize=64)
def _row(plugin: Plugin) -> Format:
    try:
        row = _loaded(plugin)
    except PluginError as problem:
        return _broken(plugin, problem)
    # What edits a file or reads a part of it needs more than a guard around it.
    return replace(
        row,
        recognise=partial(_recognise, plugin, row.recognise),
        load=partial(_implementation, plugin, row.load),
        edits_goldens=False,
        in_pieces=False,
        anywhere=False,
    )


def try_format(plugin: Plugin) -> None:
    """Import a format with its reader; PluginError when that fails."""
    _made(plugin, _loaded(plugin).load)


def _loaded(plugin: Plugin) -> Format:
    row = plugins.load_row(plugin, Format)
    if not all(isinstance(text, str) for text in (row.title, row.system, row.short, row.holds)):
        raise plugins.failed(plugin, "title, system, short and holds of its row are no texts")
    return row


def _broken(plugin: Plugin, problem: PluginError) -> Format:
    """A format that knows no file and says why."""

    def fail(_value: Json) -> int:
        raise problem

    return Format(
        plugin.name, plugin.name, plugin.distribution, plugin.name, str(problem), fail, lambda: _telling(problem)
    )


def _telling(problem: PluginError) -> Implementation:
    """A reader that only says what went wrong."""
    return Implementation(lambda _source: iter((error(_FAILED, f"{problem}."),)))


def _recognise(plugin: Plugin, recognise: Callable[[Json], int], value: Json) -> int:
    with Guard(plugin, "while it looked at a file"):
        sure = recognise(value)
        if not isinstance(sure, int):
            raise TypeError(f"a {type(sure).__name__} is no confidence from 0 to {CERTAIN}")
        return max(0, min(int(sure), CERTAIN))


def _implementation(plugin: Plugin, load: Callable[[], Implementation]) -> Implementation:
    try:
        return _made(plugin, load)
    except PluginError as problem:
        return _telling(problem)


def _made(plugin: Plugin, load: Callable[[], Implementation]) -> Implementation:
    with Guard(plugin, "while its reader was imported"):
        made = load()
        if not isinstance(made, Implementation):
            raise TypeError(f"a {type(made).__name__} is no Implementation")
    write = partial(_write, plugin, made.write) if made.write is not None else None
    return Implementation(partial(_read, plugin, made.read), write, layouts=made.layouts)


def _read(plugin: Plugin, read: Callable[[Source], Iterable[Item]], source: Source) -> Iterator[Item]:
    """The items, each looked at; the first that is none, or the first error, ends the reading with a finding."""
    try:
        with Guard(plugin, "while it read this file"):
            items = iter(read(source))
        while True:
            with Guard(plugin, "while it read this file"):
                item = next(items, _END)
                if item is _END:
                    return
                checked = _checked(item)
            yield checked
    except PluginError as problem:
        yield error(_FAILED, f"{problem}. What it had read before is shown.")


def _checked(item: object) -> Item:
    """The item; TypeError for what is no item, or one whose fields are not what they should be, however deep."""
    if not isinstance(item, _ITEMS):
        raise TypeError(f"it gave a {type(item).__name__}, which a reader does not yield")
    if isinstance(item, Trace) and item.goes_on is not None:
        raise TypeError("a trace of a plugin is whole, and does not go on")
    try:
        from_json(type(item), to_json(item), checked=True)
    except (TypeError, KeyError, ValueError, AttributeError) as problem:
        raise TypeError(f"a {type(item).__name__} has a field of the wrong type ({problem})") from problem
    return item


def _write(plugin: Plugin, write: Callable[[Contents], Written], contents: Contents) -> Written:
    try:
        with Guard(plugin, "while it wrote a file"):
            written = write(contents)
            if not isinstance(written, Written) or not isinstance(written.text, str):
                raise TypeError(f"a {type(written).__name__} is nothing Written")
            return written
    except PluginError as problem:
        raise SaveError(f"{problem}. Nothing was written.") from problem
