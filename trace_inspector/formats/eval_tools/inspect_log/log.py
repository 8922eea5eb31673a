"""Inspect's logs: `inspect`, as JSON or as the files of an `.eval` archive, also of a run that was broken off."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping

from trace_inspector.core.finding import error, info, warning
from trace_inspector.core.golden.golden import Case, Suite
from trace_inspector.core.rows.contents import Item
from trace_inspector.core.values.extra import Extra
from trace_inspector.core.values.pointer import join
from trace_inspector.core.values.values import Json
from trace_inspector.formats.common.extras import stated_extras
from trace_inspector.formats.common.fields import Fields, Report
from trace_inspector.formats.common.format import Implementation, Source
from trace_inspector.formats.common.record_counts import RecordCounts
from trace_inspector.formats.eval_tools.inspect_log.sample import golden_of, id_of, sample_items

_HEADS = ("header.json", "_journal/start.json")
_SAMPLES = "samples/"
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
    samples = _samples(files, report)
    epochs = Counter(map(id_of, samples))
    goldens: dict[str, Case] = {}
    for sample in samples:
        source.tick()
        yield from sample_items(sample, suite, epochs[id_of(sample)], counts)
        if id_of(sample) not in goldens:
            goldens[id_of(sample)] = golden_of(sample, suite)
    if goldens:
        extras = (*stated_extras(head, *_OF_A_LOG), Extra("eval", dict(task.value), task.place))
        yield Suite(suite, cases=tuple(goldens.values()), extras=extras, place=head.place)
    counts.understood()  # the header
    _note(head, files, samples, report)
    yield counts.finding()
    yield from report.drain()


def _head(files: Mapping[str, Json]) -> Fields:
    for name in _HEADS:
        head = files.get(name)
        if isinstance(head, dict):
            return Fields(head, join("", name))
    return Fields(dict(files), "")


def _samples(files: Mapping[str, Json], report: Report) -> list[Fields]:
    listed = files.get("samples")
    if isinstance(listed, list):
        return report.bounded_list(listed, "/samples")
    names = sorted((name for name in files if name.startswith(_SAMPLES)), key=_by_number)
    return [Fields(value, join("", name)) for name in names if isinstance(value := files[name], dict)]


def _by_number(name: str) -> tuple[list[int], str]:
    return [int(number) for number in _NUMBERS.findall(name)], name


def _note(head: Fields, files: Mapping[str, Json], samples: list[Fields], report: Report) -> None:
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
    if not samples:
        report.add(info("no-samples", "This log holds no samples, only what was run.", head.place))
    for name, value in files.items():
        if name.startswith(_SAMPLES) and value is None:
            report.add(error("sample-unread", "This sample could not be read.", join("", name)))


IMPLEMENTATION = Implementation(read=read)
