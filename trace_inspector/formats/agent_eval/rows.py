"""agent-eval's rows: each a recorded conversation, perhaps with what was expected and what was reported of it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import islice

from msgspec import Struct, field
from msgspec.structs import replace

from trace_inspector.core.finding import Finding, info, warning
from trace_inspector.core.golden.golden import Case, Suite
from trace_inspector.core.rows.contents import Item
from trace_inspector.core.trace.parts import spoken_text
from trace_inspector.core.trace.trace import Trace, answer_text
from trace_inspector.core.values.values import JsonObject
from trace_inspector.core.verdict.verdict import CaseVerdict, Provenance
from trace_inspector.formats.adk.session.session_events import noting_times
from trace_inspector.formats.agent_eval.cells import cell, cell_object, name_in, texts_in
from trace_inspector.formats.agent_eval.checks import checked_row
from trace_inspector.formats.agent_eval.golden import SUITE, case_of
from trace_inspector.formats.agent_eval.recognisers import INPUTS
from trace_inspector.formats.agent_eval.row import RowConversation, conversation_of_row, final_of
from trace_inspector.formats.agent_eval.verdicts import reported_in
from trace_inspector.formats.common.fields import Fields, Report
from trace_inspector.formats.common.format import Source
from trace_inspector.formats.vertex.common.verdicts import overall

_NAMED = 3  # argument names that a finding names
_MADE_UP = (
    "{} only spans of exactly one second: the converter makes them from events without measuring. They are shown, "
    "but no times are taken from them."
)
_EXTRACTED = (
    "{} neither a session nor spans that show turns; the conversation is put together from inputs, answers and "
    "extracted calls."
)
_ANSWERED = "{} a final response that differs from the last answer of the conversation; the last answer is shown."
_PAIRED = (
    "{} inputs and answers without turns: they are paired in their order, and all calls are shown in the last turn."
)
_OF_A_CASE = (INPUTS, "reference_data", "question_metadata", "agents_evaluated")


def read_rows(source: Source) -> Iterator[Item]:
    """A trace for each row, a verdict where scores are reported, and a suite of what rows expect."""
    report = Report()
    listed = source.value if isinstance(source.value, list) else None
    rows = (
        [Fields(source.value, source.place)]
        if isinstance(source.value, dict)
        else report.bounded_list(listed, source.place)
    )
    runs_of = Counter(_id(row, index) for index, row in enumerate(rows))
    repeats: Counter[str] = Counter()
    goldens: dict[str, Case] = {}
    notes = _Notes()
    for index, raw in enumerate(rows):
        source.tick()
        row = checked_row(raw, report)
        case_id = _id(row, index)
        session = cell_object(row, "final_session_state")
        session_id = name_in(row, "session_id") or (session.text("id") if session else None) or None
        head = Trace(
            session_id or f"{case_id} ({index + 1})",
            session_id=session_id,
            case_id=case_id,
            case_runs=runs_of[case_id],
            place=row.place,
        )
        conversation = conversation_of_row(row, head, source, report)
        notes.take(row, conversation)
        yield replace(conversation.trace, turns=())
        yield from noting_times(conversation.trace.turns, report)
        golden = _golden(row, case_id, report)
        if golden is not None:
            golden = goldens.setdefault(case_id, golden)
        verdict = _verdict(row, conversation.trace, golden, repeats[case_id], report)
        repeats[case_id] += 1
        if verdict is not None:
            yield verdict
    if goldens:
        yield Suite(SUITE, cases=tuple(goldens.values()), place=source.place)
    report.take(notes.findings())
    yield from report.drain()


def _id(row: Fields, index: int) -> str:
    return name_in(row, "question_id") or f"row {index + 1}"


def _golden(row: Fields, case_id: str, report: Report) -> Case | None:
    """What the row expects; without a suite's name, so that it belongs to the conversation of the same row."""
    if cell_object(row, "reference_data") is None or not cell(row, "reference_data"):
        return None
    asked: JsonObject = {key: row.value[key] for name in _OF_A_CASE if (key := row.key(name))}
    case = case_of(Fields(asked, row.place), case_id, "", report)
    return replace(case, place=row.pointer("reference_data"))


def _verdict(row: Fields, trace: Trace, golden: Case | None, repeat: int, report: Report) -> CaseVerdict | None:
    answer = answer_text(trace.turns[-1]) if trace.turns else ""
    metrics = tuple(reported_in(row, answer, report))
    if not metrics:
        return None
    return CaseVerdict(
        case_id=trace.case_id or "",
        suite_id="",
        trace_id=trace.id,
        status=overall(metrics),
        metrics=metrics,
        golden_place=golden.place if golden else "",
        trace_place=trace.place,
        session_id=trace.session_id,
        repeat=repeat,
        provenance=Provenance.DERIVED,
    )


class _Notes(Struct):
    """What is odd about many rows, counted over a file."""

    made_up: list[str] = field(default_factory=list)
    sources: dict[str, list[str]] = field(default_factory=dict)
    paired: list[str] = field(default_factory=list)
    differing: list[str] = field(default_factory=list)
    answered: list[str] = field(default_factory=list)
    renamed: dict[str, str] = field(default_factory=dict)

    def take(self, row: Fields, conversation: RowConversation) -> None:
        """One row more."""
        if conversation.is_made_up:
            self.made_up.append(row.pointer("session_trace"))
        self.sources.setdefault(conversation.source, []).append(row.place)
        guessed = {what for turn in conversation.trace.turns for what in turn.guessed}
        if conversation.source == "extracted" and guessed & {"pairing", "borders"}:
            self.paired.append(row.place)
        asked = sum(1 for _input in texts_in(row, INPUTS))
        if asked and conversation.source == "session" and asked != len(conversation.trace.turns):
            self.differing.append(row.pointer(INPUTS))
        final, turns = spoken_text(final_of(row)).strip(), conversation.trace.turns
        if final and turns and final != answer_text(turns[-1]).strip():
            self.answered.append(row.pointer("final_response"))
        for name in conversation.renamed:
            self.renamed.setdefault(name, row.place)

    def findings(self) -> Iterator[Finding]:
        """One line a kind, at the first place."""
        lines = (
            ("synthetic-times", self.made_up, _MADE_UP),
            (
                "no-session",
                self.sources.get("spans", []),
                "{} no session; the conversation is put together from the spans.",
            ),
            ("no-session", self.sources.get("extracted", []), _EXTRACTED),
            ("guessed-pairing", self.paired, _PAIRED),
            (
                "inputs-differ",
                self.differing,
                "{} a different number of inputs than its session has turns; the turns of the session are shown.",
            ),
            ("sources-differ", self.answered, _ANSWERED),
        )
        for code, places, words in lines:
            if places:
                rows = "1 row has" if len(places) == 1 else f"{len(places)} rows have"
                yield info(code, words.format(rows), places[0])
        if self.renamed:
            named = ", ".join(f"“{name}”" for name in islice(self.renamed, _NAMED))
            more = f" and {len(self.renamed) - _NAMED} more" if len(self.renamed) > _NAMED else ""
            message = (
                "Names of arguments are in camelCase, because the converter writes them so; the agent may use other "
                "names than "
                f"{named}{more}. Compared with a golden from elsewhere, they count as different arguments."
            )
            yield warning("camel-arguments", message, next(iter(self.renamed.values())))
