"""Problems: findings, failing verdicts and audit flags, each as one sentence with its place."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from itertools import islice

from msgspec import Struct
from msgspec.structs import replace

from trace_inspector.core.finding import Finding, Severity
from trace_inspector.core.rows.rows import Kind
from trace_inspector.core.trace.summary import one_line
from trace_inspector.core.verdict.verdict import (
    CaseVerdict,
    MetricVerdict,
    Overruled,
    Sentence,
    SentenceSupport,
    Status,
    TurnVerdict,
)
from trace_inspector.engine.lints import LINTS
from trace_inspector.models.base.open_file import FileState, OpenFile
from trace_inspector.models.base.roles import MARK_OF
from trace_inspector.models.base.row_table import TOP
from trace_inspector.models.base.selection import Selection
from trace_inspector.work.reading.linting import LINT
from trace_inspector.work.runs.evaluating import MetricLine

_MARK_OF_SEVERITY = {Severity.ERROR: "failed", Severity.WARNING: "warning", Severity.INFO: "info"}
LineOf = Callable[[str], MetricLine]
LINT_TITLES = {f"{LINT}{lint.name}": lint.title for lint in LINTS}
LINT_REASONS = {f"{LINT}{lint.name}": lint.why for lint in LINTS}
_BAD = (Status.FAILED, Status.ERROR)
_TITLE_CHARS = 60
MOST_AUDITED = 1_000  # contradictions of a file that are listed individually
_SAID_BY_AUDIT = "verdicts-differ"  # a finding of the reader that the audit reports in more detail


class Problem(Struct, frozen=True):
    """One line of the list. `mark` is a mark's name; `where` a path in words.

    A finding's row is searched on demand (`place_to_go`): searching thousands at once would block the window.
    `cause` is what it has in common with the same failure of another run; `also` holds those, where they are grouped.
    """

    mark: str
    sentence: str
    where: str
    criterion: str
    file: str
    selection: Selection
    pointer: str = ""
    code: str = ""  # of a finding
    id: str = ""  # of the case or trace, where `where` has its title
    cause: str = ""
    also: tuple[Problem, ...] = ()

    @property
    def each(self) -> tuple[Problem, ...]:
        """This problem, and the same in other runs."""
        return (self, *self.also)


def grouped(problems: Iterable[Problem]) -> Iterator[Problem]:
    """The same problems; one for those of one cause, the others with it."""
    groups: dict[tuple[str, str], list[Problem]] = {}
    for problem in problems:
        key = (problem.cause, problem.sentence) if problem.cause else ("", str(id(problem)))
        groups.setdefault(key, []).append(problem)
    for group in groups.values():
        yield replace(group[0], also=tuple(group[1:])) if len(group) > 1 else group[0]


def place_to_go(problem: Problem, file: OpenFile | None) -> Selection:
    """The row to select for a problem, in its file."""
    if file is None or not problem.pointer:
        return problem.selection
    return Selection(file.number, file.table.row_near(problem.pointer))


def of_file(file: OpenFile) -> Iterator[Problem]:
    """The findings in a file."""
    here = Selection(file.number)
    if file.state is FileState.FAILED and all(finding.message != file.sentence for finding in file.findings):
        yield Problem("failed", file.sentence, file.name, "reading", file.name, here)
    places = {file.table.place(row) for row in islice(file.reported.contradictory_rows, MOST_AUDITED)}
    for finding in file.findings:
        if finding.code == _SAID_BY_AUDIT and finding.pointer.rpartition("/")[0] in places:
            continue
        mark = _MARK_OF_SEVERITY[finding.severity]
        about = LINT_TITLES.get(finding.code, "finding")
        yield Problem(mark, finding.message, _place(finding), about, file.name, here, finding.pointer, finding.code)


def of_audit(file: OpenFile) -> Iterator[Problem]:
    """The contradictions in the verdicts that a file itself reports."""
    places = (
        (row, contradiction)
        for row in file.reported.contradictory_rows
        for contradiction in file.reported.contradictions(row)
    )
    listed = list(islice(places, MOST_AUDITED + 1))
    for top, contradiction in listed[:MOST_AUDITED]:
        row, where, turns = top, file.table.label(top), file.table.turns(top)
        if contradiction.turn is not None and contradiction.turn < len(turns):
            row, where = turns[contradiction.turn], f"{where} › Turn {contradiction.turn + 1}"
        here = Selection(file.number, row)
        own_id = file.table.details.of(top).id
        yield Problem(
            "warning", contradiction.sentence, where, contradiction.metric or "audit", file.name, here, id=own_id
        )
    if len(listed) > MOST_AUDITED:
        rows = f"{len(file.reported.contradictory_rows):,} verdicts"
        rest = f"{rows} of this file contradict themselves; the first {MOST_AUDITED:,} places are listed."
        yield Problem("warning", rest, "the whole file", "audit", file.name, Selection(file.number))


def of_case(verdict: CaseVerdict, *, line_of: LineOf, file: OpenFile, top: int) -> Iterator[Problem]:
    """The problems of a case or trace, those of its turns first."""
    name, own_id = _called(verdict, file, top)
    here = Selection(file.number, top)
    rows = file.table.turns(top) if verdict.trace_id is not None else ()
    has_problems = False
    for turn in verdict.turns:
        row = rows[turn.index] if turn.index is not None and turn.index < len(rows) else top
        if turn.index is None and turn.golden_index is not None and top != TOP:
            row = max(top, file.table.missing_turn(top, turn.golden_index))
        where = f"{name} › {_turn_name(turn)}"
        about = "\n".join((verdict.suite_id, verdict.case_id, str(turn.golden_index)))
        for problem in _of_turn(turn, line_of, where, file, Selection(file.number, row)):
            has_problems = True
            yield replace(problem, id=own_id, cause="\n".join((about, problem.criterion, problem.mark)))
    if verdict.status is not Status.PASSED and not has_problems:
        sentence = (
            _overrule_sentence(verdict.overruled)
            or verdict.reason
            or _first_reason(verdict.metrics)
            or "nothing was checked"
        )
        mark = MARK_OF[verdict.status]
        head = "Not evaluated: " if verdict.status is Status.NOT_EVALUATED else ""
        yield Problem(mark, head + sentence, name, "all criteria", file.name, here, id=own_id)
    if verdict.status is Status.PASSED and verdict.hides:
        sentence = "; ".join(verdict.hides)
        yield Problem("warning", sentence[:1].upper() + sentence[1:], name, "audit", file.name, here, id=own_id)


def _called(verdict: CaseVerdict, file: OpenFile, top: int) -> tuple[str, str]:
    """Its name in the tree, and its id where the name is a title."""
    own_id, table = verdict.trace_id or verdict.case_id, file.table
    if top == TOP or not table.has(top) or not table.details.of(top).id:
        return own_id, ""
    above = table.parent(top)
    case = [table.label(above)] if above != TOP and table.kind(above) is Kind.RUNS else []
    return " › ".join(one_line(label, _TITLE_CHARS) for label in (*case, table.label(top))), own_id


def of_run(note: str) -> Problem:
    """The problems of a whole run."""
    return Problem("info", note, "the run", "run", "", Selection(0))


def _of_turn(
    turn: TurnVerdict, line_of: LineOf, where: str, file: OpenFile, selection: Selection
) -> Iterator[Problem]:
    if turn.index is None:
        yield Problem("missing", turn.reason or "The trace has no such turn", where, "turns", file.name, selection)
        return
    forgiven = turn.overruled is not None and turn.status is Status.PASSED
    for metric in () if forgiven else turn.metrics:
        if metric.overruled and metric.status is Status.PASSED:
            continue
        if metric.status in _BAD:
            sentence = metric.reason or _score_sentence(line_of(metric.metric).title, metric)
            sentence = _overrule_sentence(metric.overruled) or sentence
            yield Problem(MARK_OF[metric.status], sentence, where, metric.metric, file.name, selection)
        yield from _of_sentences(metric, where, file, selection)
    if turn.status in _BAD and not any(metric.status in _BAD for metric in turn.metrics):
        mark = "extra" if turn.golden_index is None else MARK_OF[turn.status]
        sentence = _overrule_sentence(turn.overruled) or turn.reason or "The turn failed"
        yield Problem(mark, sentence, where, "turns", file.name, selection)


def _of_sentences(metric: MetricVerdict, where: str, file: OpenFile, selection: Selection) -> Iterator[Problem]:
    unknown = sum(sentence.support is SentenceSupport.CANNOT_TELL for sentence in metric.sentences)
    remaining = f", {unknown} cannot be told" if unknown else ""
    for support, mark in ((SentenceSupport.CONTRADICTORY, "no"), (SentenceSupport.UNSUPPORTED, "unsupported")):
        some = [sentence for sentence in metric.sentences if sentence.support is support]
        if some:
            count = f"{len(some)} of {len(metric.sentences)} sentences {support.value}{remaining}"
            yield Problem(mark, f"{count}: {_why(some)}", f"{where} › answer", metric.metric, file.name, selection)


def _overrule_sentence(overruled: Overruled | None) -> str:
    """The overrule of a person in words; "" where there is none, or where it follows from another one."""
    if overruled is None or overruled.follows:
        return ""
    return f"Overruled by a person: {overruled.note}" if overruled.note else "Overruled by a person"


def _why(sentences: list[Sentence]) -> str:
    more = f" (and {len(sentences) - 1} more)" if len(sentences) > 1 else ""
    return sentences[0].reason + more


def _first_reason(metrics: tuple[MetricVerdict, ...]) -> str:
    return next((metric.reason for metric in metrics if metric.reason and metric.status is not Status.PASSED), "")


def _score_sentence(title: str, metric: MetricVerdict) -> str:
    if metric.score is None or metric.threshold is None:
        return f"{title} failed"
    return f"{title} scored {metric.score:.2f}, needs {metric.threshold:.2f}"


def _turn_name(turn: TurnVerdict) -> str:
    if turn.index is not None:
        return f"Turn {turn.index + 1}"
    return f"golden turn {turn.golden_index + 1}" if turn.golden_index is not None else "turn"


def _place(finding: Finding) -> str:
    # Findings about the whole file are at its beginning, even where it has no lines.
    if not finding.pointer and (finding.line, finding.column) in ((0, 0), (1, 1)):
        return "the whole file"
    line = f"line {finding.line}, column {finding.column}" if finding.line else ""
    return " ".join(word for word in (finding.member, line, finding.pointer) if word)
