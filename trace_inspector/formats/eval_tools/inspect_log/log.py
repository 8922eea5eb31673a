"""Inspect's logs: `inspect`, as JSON or as the files of an `.eval` archive, also of a run that was broken off."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping

from msgspec import Struct

from trace_inspector.core.finding import error, info, warning
from trace_inspector.core.golden.golden import Case, Suite
from trace_inspector.core.rows.contents import Item
from trace_inspector.core.values.extra import Extra
from trace_inspector.core.values.pointer import join
from trace_inspector.core.values.values import Json
from trace_inspector.documents.bundles.on_demand import ValuesOnDemand
from trace_inspector.formats.common.extras import stated_extras
from trace_inspector.formats.common.fields import Fields, Report, count_of
from trace_inspector.formats.common.format import Implementation, Source
from trace_inspector.formats.common.record_counts import RecordCounts
from trace_inspector.formats.eval_tools.inspect_log.sample import golden_of, id_of, sample_items

_HEADS = ("header.json", "_journal/start.json")
_SAMPLES = "samples/"
_JOURNAL, _SUMMARIES = "_journal/summaries/", "summaries.json"
_EPOCH = "_epoch_"
_NUMBERS = re.compile(r"\d{1,12}")
_OF_A_LOG = ("samples", "eval", "version", "reductions")
_NOT_DONE = ("started", "cancelled", "error")


def read(source: Source) -> Iterator[Item]:
    """Each sample of each epoch as a trace with its scores, each sample as a case that expects its target."""
    report, counts = Report(), RecordCounts()
    files = source.value if isinstance(source.value, dict) else {}
    head = _head(files)
    task = head.object("eval") or Fields({}, head.place)
    suite = task.text("task") or source.stem or "task"
    samples, unread = _Samples.of(files, report), list[str]()
    goldens: dict[str, Case] = {}
    seen: set[tuple[str, int | None]] = set()
    for name in samples.names:
        source.tick()
        sample = samples.at(name)
        if sample is None:
            unread.append(name)
            continue
        yield from sample_items(sample, suite, samples.epochs[samples.task(name)], counts)
        seen.add(_identity(sample))
        if id_of(sample) not in goldens:
            goldens[id_of(sample)] = golden_of(sample, suite)
    summaries = _summaries(files, report)
    epochs = Counter(identity for identity, _epoch in summaries)
    alone = [summary for identity, summary in summaries.items() if identity not in seen]
    for summary in alone:
        source.tick()
        yield from sample_items(summary, suite, epochs[id_of(summary)], counts, is_summary=True)
        counts.understood()
        if id_of(summary) not in goldens:
            goldens[id_of(summary)] = golden_of(summary, suite)
    if goldens:
        extras = (*stated_extras(head, *_OF_A_LOG), Extra("eval", dict(task.value), task.place))
        yield Suite(suite, cases=tuple(goldens.values()), extras=extras, place=head.place)
    counts.understood()  # the header
    _note(head, files, len(samples.names), len(alone), report)
    for name in unread:
        report.add(error("sample-unread", "This sample could not be read.", join("", name)))
    yield counts.finding()
    yield from report.drain()


def _head(files: Mapping[str, Json]) -> Fields:
    for name in _HEADS:
        head = files.get(name)
        if isinstance(head, dict):
            return Fields(head, join("", name))
    return Fields(dict(files), "")


class _Samples(Struct):
    """The samples of a log by name; those of an archive are asked for one after the other, and none is kept."""

    names: list[str]
    epochs: Counter[str]  # how often each was run
    _files: Mapping[str, Json]
    _listed: dict[str, Fields]

    @staticmethod
    def of(files: Mapping[str, Json], report: Report) -> _Samples:
        """Those in the list of a log, else the files of an archive in their order."""
        stated = files.get("samples")
        if isinstance(stated, list):
            listed = {sample.place: sample for sample in report.bounded_list(stated, "/samples")}
            return _Samples([*listed], Counter(map(id_of, listed.values())), files, listed)
        later = files.later if isinstance(files, ValuesOnDemand) else ()
        names = sorted((name for name in (*files, *later) if name.startswith(_SAMPLES)), key=_by_number)
        return _Samples(names, Counter(map(_task_of, names)), files, {})

    def at(self, name: str) -> Fields | None:
        """The sample, None where its file could not be read."""
        if name in self._listed:
            return self._listed[name]
        value = self._files[name]
        return Fields(value, join("", name)) if isinstance(value, dict) else None

    def task(self, name: str) -> str:
        """What all epochs of a sample have in common."""
        return id_of(self._listed[name]) if name in self._listed else _task_of(name)


def _task_of(name: str) -> str:
    return name.rpartition(_EPOCH)[0] or name


def _by_number(name: str) -> tuple[list[int], str]:
    return [int(number) for number in _NUMBERS.findall(name)], name


def _identity(sample: Fields) -> tuple[str, int | None]:
    return id_of(sample), count_of(sample.get("epoch"))


def _summaries(files: Mapping[str, Json], report: Report) -> dict[tuple[str, int | None], Fields]:
    """What the journal of a run notes of each sample as soon as it is done; the newest of each."""
    names = sorted((name for name in files if name.startswith(_JOURNAL)), key=_by_number)
    listed = (report.bounded_list(files.get(name), join("", name)) for name in (*names, _SUMMARIES))
    return {_identity(summary): summary for some in listed for summary in some if summary.key("id") is not None}


def _note(head: Fields, files: Mapping[str, Json], samples: int, summaries: int, report: Report) -> None:
    status = head.text("status")
    failure = head.object("error")
    if failure is not None:
        message = (failure.text("message") or "no reason is stated").strip()[:400]
        report.add(warning("run-failed", f"The run ended with an error: {message}", failure.place))
    elif status in _NOT_DONE:
        report.add(warning("run-unfinished", f"The run is stated as “{status}”; samples may be missing.", head.place))
    elif _HEADS[0] not in files and _HEADS[1] in files:
        message = "The log has no header: the run was broken off. What its journal and samples tell is shown."
        report.add(warning("run-unfinished", message, head.place))
    if summaries:
        whose = "one sample only the summary is" if summaries == 1 else f"{summaries:,} samples only summaries are"
        message = f"Of {whose} there: what was asked and scored, not what was answered."
        report.add(warning("samples-missing", message, head.place))
    elif not samples:
        report.add(info("no-samples", "This log holds no samples, only what was run.", head.place))


IMPLEMENTATION = Implementation(read=read)
