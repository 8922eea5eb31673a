"""The files of a run: read once, and of a set larger than memory again when the turn of their traces comes."""

from __future__ import annotations

import pickle
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from trace_inspector.core.contents import Contents, Item, collect
from trace_inspector.core.errors import ReadError, UsageError
from trace_inspector.core.golden import Case, as_trace
from trace_inspector.core.trace import Trace, Turn
from trace_inspector.documents.collector import collector_paused
from trace_inspector.engine.pairing import Elsewhere, Recorded, outlined
from trace_inspector.flows.input_notes import is_broken
from trace_inspector.flows.listing import expand
from trace_inspector.flows.open_file import BytesRead, Recognised, stream_file

# So much of traces, as pickled, is held for a run; in memory it is about three times as much. Whatever is read when
# this is full is read again later. Goldens are always held: they are small beside what was recorded.
HELD_BYTES = 1 << 26


@dataclass(frozen=True, slots=True)
class Given:
    """One file on one side of a run: what it holds, and the SHA-256 of its bytes where they are at hand.

    Of an `outlined` one the traces hold only what pairing needs.
    """

    path: str
    contents: Contents
    digest: str = ""
    outlined: bool = False


@dataclass(frozen=True, slots=True)
class FileAgain:
    """A file whose traces are read again when their turn comes."""

    path: str
    digest: str

    def traces(self) -> tuple[Trace, ...]:
        """All of them, in their order; ReadError when the file is not what it was."""
        given = _read(Path(self.path))
        if given.digest != self.digest:
            sentence = "The file changed while it was evaluated, so that this case was not judged. Evaluate it again."
            raise ReadError(sentence, path=self.path)
        return tuple(_traces(given.contents))


def open_given(
    paths: Iterable[Path], besides: Iterable[Path] = (), *, held_bytes: int | None = None
) -> tuple[Given, ...]:
    """Files and folders from disk, for a request.

    A file that nobody knows is refused when it is named itself. Out of folders `besides` are left: a golden that lies
    among the traces is not a trace. With `held_bytes`, files that come when so much is held are only outlined.
    """
    left_out = {path.resolve() for path in expand(besides)}
    found = []
    held = 0
    for named in paths:
        for path in expand([named]):
            if path != named and path.resolve() in left_out:
                continue
            given = _read_of(named, path)
            if given.contents.format or (path != named and is_broken(given.contents)):
                if held_bytes is not None and held >= held_bytes:
                    given = _outlined(given)
                elif held_bytes is not None:
                    held += sum(map(size_bytes, _traces(given.contents)))
                found.append(given)
            elif path == named:
                reason = next((one.message for one in given.contents.findings if one.code == "not-recognised"), "")
                raise UsageError(reason or "This is no format that is read here.", path=str(path))
    return tuple(found)


def recorded_in(given: Given) -> Iterator[Recorded]:
    """The traces of a file; an eval set without any is taken for what was recorded."""
    again = FileAgain(given.path, given.digest) if given.outlined else None
    for number, trace in enumerate(_traces(given.contents)):
        yield Recorded(trace, given.path, Elsewhere(again, number) if again else None)


def _read_of(named: Path, path: Path) -> Given:
    try:
        return _read(path)
    except ReadError as problem:
        if path == named:
            raise
        sentence = f"{problem.sentence} It lies in {named}: move it away, or name the files to evaluate."
        raise ReadError(sentence, path=problem.path, line=problem.line, column=problem.column) from problem


def size_bytes(trace: Trace) -> int:
    """How large a trace is, turn by turn: a measure of the memory that it takes."""
    return sum(len(pickle.dumps(turn, pickle.HIGHEST_PROTOCOL)) for turn in trace.turns)


def _read(path: Path) -> Given:
    """What a run needs of a file. Nothing in a run reads spans, and they are most of a large file."""
    known = digest = ""
    items: list[Item] = []
    with collector_paused():
        for said in stream_file(path, placed=False):
            match said:
                case Recognised(format=known):
                    pass
                case BytesRead(digest=digest):
                    pass
                case Turn() | Trace():
                    items.append(replace(said, spans=()) if said.spans else said)
                case _:
                    items.append(said)
        return Given(str(path), collect(known, items), digest)


def _traces(contents: Contents) -> Iterator[Trace]:
    yield from contents.traces
    if not contents.traces:
        for suite in contents.suites:
            yield from (as_trace(case) for case in suite.cases if case.scenario is None)


def _outlined(given: Given) -> Given:
    contents = given.contents
    if contents.traces:  # beside them cases are goldens
        return replace(given, contents=replace(contents, traces=tuple(map(_trace, contents.traces))), outlined=True)
    suites = tuple(replace(suite, cases=tuple(map(_case, suite.cases))) for suite in contents.suites)
    return replace(given, contents=replace(contents, suites=suites), outlined=True)


def _trace(trace: Trace) -> Trace:
    return replace(trace, turns=_turns(trace.turns), agents=(), spans=(), final_state=None)


def _case(case: Case) -> Case:
    return Case(case.id, case.suite_id, _turns(case.turns), case.scenario, case.session, place=case.place)


def _turns(turns: Sequence[Turn]) -> tuple[Turn, ...]:
    return tuple(map(outlined, turns))
