"""Writes an evidence pack in a child process: of a run, of one file, or of two runs."""

from __future__ import annotations

import pickle
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec import Struct
from msgspec.structs import replace

from trace_inspector.core.verdict.verdict import CaseVerdict, RunVerdict
from trace_inspector.work.processes.child import Channel
from trace_inspector.work.reading.contents_from_rows import Bodies, rebuild
from trace_inspector.work.runs.comparison_messages import RunSide

if TYPE_CHECKING:
    from trace_inspector.core.rows.evidence import EvidencePack
    from trace_inspector.flows.runs.evaluate_files import Given


class ShownPart(Struct, frozen=True):
    """A conversation or a golden of a file, by its place; some of its turns, all where there are none."""

    path: str
    place: str
    turns: tuple[int, ...] = ()


class EvidenceTarget(Struct, frozen=True):
    """The file to write, and whether no text and no value is to be in it."""

    path: str
    without_texts: bool = False


class EvidenceOrder(Struct, frozen=True):
    """What to show: these parts, everything where there are none; what is in view first."""

    target: EvidenceTarget
    title: str
    parts: tuple[ShownPart, ...] = ()
    shown: tuple[str, str] | None = None

    @property
    def turns_at(self) -> dict[tuple[str, str], tuple[int, ...]]:
        """The turns by path and place."""
        return {(part.path, part.place): part.turns for part in self.parts}


def of_run(channel: Channel, order: EvidenceOrder, run: RunVerdict, cases: int, files: Sequence[Bodies]) -> None:
    """In the child: put run and files together again, as they are in the window."""
    from trace_inspector.flows.runs.evaluate_files import Given
    from trace_inspector.flows.runs.evidence import evidence_of_files

    incoming = channel.incoming()
    whole = replace(run, cases=tuple(pickle.loads(next(incoming)) for _ in range(cases)))
    given = [Given(body.path, rebuild(body, incoming), body.digest) for body in files]
    pack = evidence_of_files(given, whole, order.title, order.turns_at, order.shown)
    _write(channel, order, pack, [body.path for body in files])


def of_file(channel: Channel, order: EvidenceOrder, path: str, digest: str) -> None:
    """In the child: read the file again; its own verdicts are shown."""
    from trace_inspector.flows.runs.evidence import evidence_of_files

    pack = evidence_of_files(_unchanged(path, digest), None, order.title, order.turns_at, order.shown)
    _write(channel, order, pack, [path])


def of_compared(
    channel: Channel, order: EvidenceOrder, digests: Sequence[tuple[str, str]], verdict: CaseVerdict | None
) -> None:
    """In the child: read the files again; what was compared stands in the order of the columns."""
    from trace_inspector.flows.runs.evidence import evidence_of_compared

    given = [file for path, digest in digests for file in _unchanged(path, digest)]
    pack = evidence_of_compared(given, verdict, order.title, [(part.path, part.place) for part in order.parts])
    _write(channel, order, pack, [path for path, _digest in digests])


def of_two(channel: Channel, target: EvidenceTarget, base: RunSide, new: RunSide) -> None:
    """In the child: both runs, under the names that people know."""
    from trace_inspector.flows.runs.evidence import evidence_of_two

    pack, inputs = evidence_of_two(base.name, new.name, (base.title, new.title))
    _write(channel, EvidenceOrder(target, pack.title), pack, inputs)


def _unchanged(path: str, digest: str) -> tuple[Given, ...]:
    """The file, read again. ReadError where it is another one now."""
    from trace_inspector.core.errors import ReadError
    from trace_inspector.flows.opening.given_files import open_given

    given = open_given([Path(path)])
    if any(file.digest != digest for file in given):
        raise ReadError("The file changed on disk. Press Ctrl+R to read it again, then save the evidence.", path=path)
    return given


def _write(channel: Channel, order: EvidenceOrder, pack: EvidencePack, inputs: Sequence[str]) -> None:
    from trace_inspector.core.errors import SaveError
    from trace_inspector.engine.redaction.options import Redaction
    from trace_inspector.flows.runs.evidence import LEFT, write_evidence

    target = order.target
    made = write_evidence(pack, Path(target.path), inputs, Redaction(), without_texts=target.without_texts)
    if made.left:
        raise SaveError(LEFT, path=target.path)
    if target.without_texts:
        channel.send("No text and no value is in it.")
        return
    count = len(made.redacted)
    taken = (
        "No secret was found."
        if not count
        else f"{count:,} {'secret was' if count == 1 else 'secrets were'} taken out."
    )
    channel.send(taken)


def payload(cases: Sequence[object], bodies: Iterator[bytes]) -> Iterator[bytes]:
    """What `of_run` reads."""
    for case in cases:
        yield pickle.dumps(case, pickle.HIGHEST_PROTOCOL)
    yield from bodies
