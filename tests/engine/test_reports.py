"""Reports from the inside: what each says of a run, what it leaves out of a large one, what no text can do to it."""

from __future__ import annotations

import base64
import csv
import hashlib
import io
import re
import xml.etree.ElementTree as ET
from collections.abc import Iterator
from functools import cache
from html import escape
from html.parser import HTMLParser

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from tests.engine.builders import case, trace, turn
from tests.helpers.tables import each
from trace_inspector.core.golden.golden import Case
from trace_inspector.core.trace.criteria import Criterion
from trace_inspector.core.trace.parts import ToolCall
from trace_inspector.core.trace.trace import Event, Trace, Turn
from trace_inspector.core.verdict.overrule import Overrule, with_overrules
from trace_inspector.core.verdict.verdict import (
    CaseVerdict,
    MetricVerdict,
    RubricVerdict,
    RunVerdict,
    Sentence,
    SentenceSupport,
    Status,
)
from trace_inspector.engine.criteria.case_verdict import Frame
from trace_inspector.engine.metrics import METRICS
from trace_inspector.engine.reports import REPORTS, RunReport, as_csv, csv_cells, github, html, markdown
from trace_inspector.engine.reports.sources import Sources
from trace_inspector.engine.running.runner import WorkItem, judge_item

HOSTILE = (
    "<script>alert(1)</script>",
    '"><img src=x onerror=alert(1)>',
    "\x1b[31mred\x1b]0;title\x07",
    "\u202egnp.exe\u202c\u2066x\u2069\u200f",
    '=HYPERLINK("http://example.com")',
    "+1+1",
    "-2+3",
    "@SUM(A1)",
    "\t=1",
    "\r=1",
    "first\n::error file=x.py,line=1::forged\r\n::set-output name=a::b",
    "| a | b |\n|---|---|\n![x](http://example.com/x.png) @somebody #1 <b>",
    "``` `a` ``",
    "half \ud83d, \x00, \x85, \u2028",
    "]]> --> </style> </details>",
)


def run_of(golden: Case, recorded: Trace, *criteria: str) -> tuple[RunVerdict, Sources]:
    """A run of one case, with what it is about."""
    named = tuple(Criterion(name, 1.0) for name in criteria)
    frame = Frame(golden_path="goldens/g.json", trace_path="runs/t.json")
    verdict = judge_item(WorkItem(golden, recorded, named, frame), METRICS)
    sources = Sources(
        {("goldens/g.json", golden.place, golden.id): golden},
        {("runs/t.json", recorded.place, recorded.id): recorded},
        where=lambda _path, place: (7, 3) if place else (0, 0),
    )
    return RunVerdict("r", verdict.status, 0.0, "", "a file", (verdict,)), sources


@cache
def hostile_run(text: str) -> tuple[RunVerdict, Sources]:
    """The text wherever a trace or a golden can put one."""
    golden = case(text, turn(text, text, [ToolCall(text, {text: text})]), turn("more", text), suite=text)
    recorded = trace(text, turn(text, f"{text}. The end.", [ToolCall(text, {text: 1})]))
    run, sources = run_of(
        golden, recorded, "tool_trajectory_avg_score", "response_match_score", "local_grounding", text
    )
    verdict = replace(run.cases[0], case_id=text, suite_id=text, reason=text, hides=(text,), golden_path=text)
    return replace(run, cases=(verdict,), notes=(text,), criteria_source=text, rules=text), sources


class Page(HTMLParser):
    """The tags, attributes and words of a page."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.tags: set[str] = set()
        self.attributes: set[str] = set()
        self.words: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.add(tag)
        self.attributes.update(name for name, _value in attrs)
        if tag not in {"meta", "input", "br"}:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.words.append(data)


def read_page(text: str) -> Page:
    """The page, with every element closed."""
    page = Page()
    page.feed(text)
    page.close()
    assert page.open == []
    return page


@each("report", REPORTS, ids=lambda report: report.name)
@each("text", HOSTILE)
def test_no_report_carries_what_commands_or_turns(report: RunReport, text: str) -> None:
    written = report.write(*hostile_run(text))
    written.encode("utf-8")
    assert not re.search("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069\u200f]", written)


TAGS = {
    "html", "head", "meta", "title", "style", "body", "h1", "h2", "p", "bdi", "span", "div", "main", "input", "label",
    "header", "fieldset", "legend",
    "table", "thead", "tbody", "tr", "th", "td", "details", "summary", "br",
}  # fmt: skip
ATTRIBUTES = {
    "lang", "charset", "http-equiv", "content", "name", "class", "title", "type", "id", "for", "checked", "open",
    "scope",
}  # fmt: skip


@each("text", HOSTILE)
def test_the_page_holds_only_its_own_markup(text: str) -> None:
    page = read_page(html.write(*hostile_run(text)))
    assert page.tags <= TAGS
    assert page.attributes <= ATTRIBUTES


@given(st.text(max_size=60))
def test_any_text_leaves_the_reports_whole(text: str) -> None:
    run, sources = hostile_run(text)
    assert read_page(html.write(run, sources)).tags <= TAGS
    for cells in csv.reader(io.StringIO(as_csv.write(run, sources), newline="")):
        assert len(cells) == 15
        assert not any(cell[:1] in "=+-@\t\r" for cell in cells if cell)
    assert all(line.startswith("::") for line in github.write(run, sources).splitlines())
    ET.fromstring(REPORTS[0].write(run, sources).encode())


def test_the_policy_allows_nothing_but_the_pages_own_style() -> None:
    page = html.write(*hostile_run("x"))
    style = page.split("<style>")[1].split("</style>")[0]
    digest = base64.b64encode(hashlib.sha256(style.encode()).digest()).decode()
    policy = f"default-src 'none'; style-src 'sha256-{digest}'; base-uri 'none'; form-action 'none'"
    assert f'content="{escape(policy)}"' in page
    assert page.count("<style") == 1


def test_the_filters_are_switches_that_hide_cases() -> None:
    run, sources = told()
    passed = replace(run.cases[0], case_id="d", status=Status.PASSED, metrics=())
    page = html.write(replace(run, cases=(*run.cases, passed)), sources)
    assert '<input class="filter" type="radio" name="shown" id="all" checked>' in page
    assert "body:has(#is-FAILED:checked) main .case:not(.FAILED-case) { display: none; }" in page
    assert "body:has(#fails-0:checked) main .case:not(.f0) { display: none; }" in page
    assert [page.count(f'class="case {kind}"') for kind in ("FAILED-case f0 f1", "PASSED-case")] == [2, 2]


def one_by_one(whole: Turn) -> Turn:
    """Calls of one event are a group without an order; here each has its own."""
    return replace(whole, events=tuple(Event("agent", (part,)) for event in whole.events for part in event.parts))


def told() -> tuple[RunVerdict, Sources]:
    """Calls that are the same, moved and changed; an answer with a figure from nowhere."""
    wanted = [ToolCall(name, {"n": name}) for name in ("look", "book", "pay")] + [ToolCall("find", {"q": 1})]
    made = [wanted[1], wanted[2], wanted[0], ToolCall("find", {"q": 2})]
    golden = case("c", one_by_one(turn("q", "Yes.", wanted)))
    recorded = trace("t", replace(one_by_one(turn("q", "It costs 5 $. Fine.", made)), duration_s=2.5))
    return run_of(golden, recorded, "tool_trajectory_avg_score", "local_grounding")


def test_the_page_says_in_words_how_calls_and_sentences_are() -> None:
    run, sources = told()
    said = " ".join("".join(read_page(html.write(run, sources)).words).split())
    assert "arguments differ: q" in said
    assert "moved" in said
    assert 'look(n="look")' in said
    assert "[unsupported" in said
    assert "p50 2.5 s; p90 2.5 s; p99 2.5 s (1 of 1 turns record their duration)" in said


def test_missing_extra_and_renamed_calls_are_named() -> None:
    golden = case("c", turn("q", "a", [ToolCall("look", {"q": 1})]), turn("r", "b", [ToolCall("a_tool", {"x": 1})]))
    recorded = trace("t", turn("q", "a", []), turn("r", "b", [ToolCall("b_tool", {"x": 1}), ToolCall("more", {})]))
    said = "".join(read_page(html.write(*run_of(golden, recorded, "tool_trajectory_avg_score"))).words)
    for word in ("missing", "extra", "another tool"):
        assert word in said


def test_what_the_file_itself_says_stands_beside() -> None:
    run, sources = told()
    verdict = run.cases[0]
    says = replace(verdict, status=Status.PASSED, metrics=(replace(verdict.metrics[0], score=0.75),))
    sources = replace(sources, reported={("runs/t.json", "", "t"): says})
    said = "".join(read_page(html.write(run, sources)).words)
    assert "its file reports" in said
    assert "0.75" in said


def test_a_turn_shows_its_question_both_answers_rubrics_and_how_old_replies_are() -> None:
    run, sources = told()
    verdict = run.cases[0]
    rubrics = (RubricVerdict("r", 0.0, "because", "It is short.", (0.0, None, 1.0)), RubricVerdict("s", 1.0, "so"))
    metric = MetricVerdict("m", 0.5, Status.FAILED, rubrics=rubrics, kept_s=86_400.0)
    first = replace(verdict.turns[0], metrics=(metric,))
    page = read_page(html.write(replace(run, cases=(replace(verdict, turns=(first,)),)), sources))
    said = " ".join("".join(page.words).split())
    for words in (
        "turn 1 “q”",
        "Yes.It costs 5 $. Fine.",
        "no (votes 0, –, 1): “It is short.” because",
        "yes: “s” so",
    ):
        assert words in said
    assert "from stored replies of 1970-01-02 00:00 UTC" in said


def test_sentences_that_do_not_fit_the_answer_are_left_alone() -> None:
    run, sources = told()
    verdict = run.cases[0]
    odd = tuple(
        Sentence(start, end, SentenceSupport.UNSUPPORTED, "x") for start, end in ((0, 3), (2, 5), (4, 999), (5, 7))
    )
    metric = MetricVerdict("m", 0.0, Status.FAILED, sentences=odd)
    first = replace(verdict.turns[0], metrics=(metric,))
    page = read_page(html.write(replace(run, cases=(replace(verdict, turns=(first,)),)), sources))
    assert "".join(page.words).count("[unsupported") == 2


def many(count: int, status: Status, reason: str = "why") -> Iterator[CaseVerdict]:
    """Cases with a criterion and a turn each."""
    run, _sources = told()
    metric = MetricVerdict("m", 0.0, status, 1.0, reason)
    first = replace(run.cases[0].turns[0], status=status, metrics=(metric,) * 8)
    for at in range(count):
        yield replace(run.cases[0], case_id=f"case-{at}", status=status, metrics=(metric,), turns=(first,))


def test_a_large_page_stays_usable_and_says_what_is_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(html, "_MOST_DETAIL_CHARS", 60_000)
    run, sources = told()
    cases = (*many(150, Status.PASSED, "fine"), *many(10, Status.FAILED, "late failure"))
    page = html.write(replace(run, cases=cases), sources)
    assert len(page) < 200_000
    assert re.search(r"\d+ of 160 cases are left out below", page)
    assert page.count('<details class="case FAILED-case') == 10


def test_a_long_markdown_is_cut_with_a_count() -> None:
    run, sources = told()
    written = markdown.write(replace(run, cases=tuple(many(3_000, Status.FAILED, "x" * 300))), sources)
    assert len(written) < 62_000
    assert "more cases are left out of this table." in written
    assert "more lines are left out." in written


def test_markdown_keeps_text_as_code() -> None:
    assert markdown.code("a `b` c") == "``a `b` c``"
    assert markdown.code("`") == "`` ` ``"
    assert markdown.code("@you\n<b>") == "`@you <b>`"


@pytest.mark.parametrize("text", ["a|b", "a\\|b", "a\\\\|![x](http://example.com/x.png)"])
def test_no_text_ends_a_cell_of_the_table(text: str) -> None:
    rows = [line for line in markdown.write(*hostile_run(text)).splitlines() if line.startswith("| ")]
    assert len(rows) == 3
    assert {line.count("|") for line in rows} == {7}


def test_annotations_stand_at_the_goldens_line() -> None:
    run, sources = told()
    with_place = {key: replace(one, place="/c", turns=(replace(one.turns[0], place="/c/t"),))
                  for key, one in sources.cases.items()}  # fmt: skip
    lines = github.write(run, replace(sources, cases=with_place)).splitlines()
    assert lines[0].startswith("::error file=goldens/g.json,line=7,col=3,title=failed%3A c::turn 1: ")
    assert lines[-1] == "::notice title=Trace Inspector::1 case: 1 failed"


def test_annotations_escape_what_ends_them() -> None:
    run, sources = hostile_run("100%\n::error::x, y: z")
    written = github.write(run, sources)
    assert "%250A" not in written
    assert "title=failed%3A 100%25%0A%3A%3Aerror%3A%3Ax%2C y%3A z::" in written


def test_a_passed_case_needs_no_annotation() -> None:
    golden = case("c", turn("q", "a", []))
    run, sources = run_of(golden, trace("t", turn("q", "a", [])), "tool_trajectory_avg_score")
    assert github.write(run, sources) == "::notice title=Trace Inspector::1 case: 1 passed\n"


def test_csv_has_a_line_for_each_criterion_of_case_and_turn() -> None:
    run, sources = told()
    lines = list(csv.DictReader(io.StringIO(as_csv.write(run, sources))))
    assert [(line["turn"], line["metric"]) for line in lines] == [
        ("", "tool_trajectory_avg_score"),
        ("", "local_grounding"),
        ("1", "tool_trajectory_avg_score"),
        ("1", "local_grounding"),
    ]
    assert lines[0]["score"] == "0.0"


@each("text", ["=1", "+1", "-1", "@a", "\t=1", "\n=1", "＝1"])
def test_no_cell_begins_a_formula(text: str) -> None:
    assert csv_cells.cell(text).startswith("'")
    assert csv_cells.cell(f"a{text}") == f"a{text}".replace("\t", r"\t")


@pytest.mark.parametrize("delimiter", [",", ";", "\t", "|"])
def test_no_cell_begins_a_formula_whatever_is_taken_for_the_delimiter(delimiter: str) -> None:
    texts = [f"x{between}{sign}1+1" for between in (";", "; ", "\t", "|", ",") for sign in "=+-@"]
    run, sources = hostile_run(" ".join(texts))
    for line in as_csv.write(run, sources).splitlines():
        if delimiter == ",":
            cells = next(csv.reader([line]))
        else:
            cells = [cell.strip().lstrip('"') for cell in line.split(delimiter)]
        assert not any(cell.startswith(("=", "+", "-", "@")) for cell in cells)


def overruled() -> tuple[RunVerdict, Sources]:
    """A run of which a person overruled a criterion of a turn, and another turn as a whole."""
    golden = case("c", turn("q", "a", [ToolCall("f", {})]), turn("r", "b", []))
    run, sources = run_of(golden, trace("t", turn("q", "a", []), turn("r", "b", [])), "tool_trajectory_avg_score")
    said = [
        Overrule("1", 0, Status.PASSED, 1.0, 0, "tool_trajectory_avg_score", "=not needed|<b>"),
        Overrule("2", 0, Status.FAILED, 2.0, 1, None, "too rude"),
    ]
    return with_overrules(run, said), sources


@each("report", REPORTS, ids=lambda report: report.name)
def test_every_report_says_what_a_person_overruled(report: RunReport) -> None:
    written = report.write(*overruled())
    assert "too rude" in written
    if report.name not in ("github", "sarif"):  # they tell of what failed
        assert "not needed" in written


def test_the_page_shows_the_persons_verdict_with_the_original_beside() -> None:
    said = " ".join("".join(read_page(html.write(*overruled())).words).split())
    assert "overruled by a person (before: failed): =not needed|<b>" in said
    assert "follows from a verdict that a person overruled; it was failed" in said
    assert "✗ failed turn 2 “r” overruled by a person (before: passed): too rude" in said
    assert "✓ 0.00 *" in said


def test_csv_has_the_original_and_the_note() -> None:
    lines = list(csv.DictReader(io.StringIO(as_csv.write(*overruled()))))
    marked = [(line["turn"], line["metric"], line["status"], line["overruled_from"], line["note"]) for line in lines]
    assert ("1", "tool_trajectory_avg_score", "PASSED", "FAILED", "'=not needed|<b>") in marked
    assert ("2", "", "FAILED", "PASSED", "too rude") in marked
    assert ("", "tool_trajectory_avg_score", "PASSED", "FAILED", "") in marked


@pytest.mark.parametrize("name", ["html", "markdown", "github"])
def test_people_read_the_title_of_a_case_with_its_id(name: str) -> None:
    run, sources = run_of(
        replace(case("c-17", turn("q")), title="Book a table"), trace("t", turn("q")), "response_match_score"
    )
    (report,) = (report for report in REPORTS if report.name == name)
    assert "Book a table (c-17)" in report.write(run, sources)
    assert "Book a table" not in report.write(run, Sources())


@pytest.mark.parametrize("name", ["csv", "junit"])
def test_programs_read_the_id_of_a_case(name: str) -> None:
    run, sources = run_of(
        replace(case("c-17", turn("q")), title="Book a table"), trace("t", turn("q")), "response_match_score"
    )
    (report,) = (report for report in REPORTS if report.name == name)
    written = report.write(run, sources)
    assert "c-17" in written
    assert "Book a table" not in written
