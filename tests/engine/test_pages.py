"""Pages with markup in every text that a file can bring: templates escape it, and nothing else makes markup."""

from __future__ import annotations

import ast
from collections.abc import Callable, Mapping
from html.parser import HTMLParser
from pathlib import Path
from typing import TypeVar, cast

import pytest
from jinja2 import UndefinedError
from msgspec import Struct
from msgspec.structs import replace

import trace_inspector
from tests.engine.differences.test_page_rows import SIDES, differences
from tests.engine.test_reports import overruled, told
from tests.helpers.pages import page
from tests.helpers.tables import each
from trace_inspector.core.trace.trace import Span, SpanKind
from trace_inspector.core.verdict.verdict import RubricVerdict
from trace_inspector.engine.reports import html, pages
from trace_inspector.engine.reports.trace_diff import as_html as differences_page
from trace_inspector.engine.run_comparison import as_html as two_runs_page
from trace_inspector.engine.run_comparison.compared_runs import compare_runs
from trace_inspector.engine.run_comparison.comparison import RunsCompared
from trace_inspector.resources import folder

MARKUP = "<script>'x'</script><b onclick=\"x()\">&amp;"
Value = TypeVar("Value")


def marked(value: Value) -> Value:
    """The same value with markup in every text of it; texts that were the same still are."""
    return cast("Value", _marked(value))


def _marked(value: object) -> object:
    if isinstance(value, str):
        return value + MARKUP
    if isinstance(value, Mapping):
        return {_marked(key): _marked(item) for key, item in value.items()}
    if isinstance(value, list):
        return [_marked(item) for item in value]
    if type(value) is tuple:
        return tuple(_marked(item) for item in value)
    if not isinstance(value, Struct):
        return value
    return replace(value, **{name: _marked(getattr(value, name)) for name in value.__struct_fields__})


def run_page() -> str:
    """A run of three cases: repeats, one overruled, with times, spans, rubrics, notes and what its file reports."""
    run, sources = told()
    (verdict,) = run.cases
    metric = replace(verdict.metrics[0], rubrics=(RubricVerdict("r", 0.0, "because", "It is short."),))
    verdict = replace(verdict, metrics=(metric, *verdict.metrics[1:]), hides=("hidden",), reason="why")
    (person,) = overruled()[0].cases
    traces = {key: replace(one, spans=(Span("s", "find", SpanKind.TOOL, duration_s=1.0),)) for key, one in
              sources.traces.items()}  # fmt: skip
    run = replace(run, cases=(verdict, verdict, person), notes=("note",), criteria_source="a file", rules="adk")
    sources = replace(sources, traces=traces, reported=dict.fromkeys(sources.traces, verdict))
    return html.write(marked(run), marked(sources))


def differences_pages() -> str:
    """Every way for two sides to differ, and for three."""
    found = [differences(sides) for sides in SIDES.values()]
    shown = [
        replace(one, sides=marked(one.sides), tables=marked(one.tables), broken=marked(("broken",))) for one in found
    ]
    return "\n".join(differences_page.write(one) for one in shown)


def two_runs() -> str:
    """A case that got worse, one that is new and one that is gone."""
    before, after = told()[0].cases, overruled()[0].cases
    better = replace(before[0], status=after[0].status, metrics=(replace(before[0].metrics[0], score=1.0),))
    other = replace(before[0], case_id="other")
    compared = compare_runs(marked((better, other)), marked((before[0], replace(other, case_id="new"))))
    return two_runs_page.write(RunsCompared(MARKUP, MARKUP, compared, notes=(MARKUP,)))


PAGES: Mapping[str, Callable[[], str]] = {"run": run_page, "differences": differences_pages, "two runs": two_runs}


class Tags(HTMLParser):
    """The names of all elements and attributes of a page."""

    def __init__(self) -> None:
        super().__init__()
        self.names: set[str] = set()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.names |= {tag, *(name for name, _value in attrs)}


def holds_markup(text: str) -> bool:
    """Whether a text became an element or an attribute."""
    tags = Tags()
    tags.feed(text)
    return bool(tags.names & {"script", "onclick"})


@each("name", PAGES)
def test_markup_in_every_text_stays_text(name: str) -> None:
    written = PAGES[name]()
    assert not holds_markup(written)
    for one in written.split("<!DOCTYPE html>")[1:]:
        assert page(one).text.count(MARKUP) > 5


@each("name", PAGES)
def test_what_escapes_is_the_template(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The same templates without it let every page down: no text is escaped elsewhere."""
    bare = pages.environment().overlay(autoescape=False)
    monkeypatch.setattr(pages, "environment", lambda: bare)
    assert holds_markup(PAGES[name]())


def test_no_template_trusts_a_text() -> None:
    templates = {path.name: path.read_text("utf-8") for path in folder("pages").glob("*.html")}
    assert {"page.html", "run.html", "trace_diff.html", "run_comparison.html"} <= templates.keys()
    words = ("safe", "autoescape", "Markup")
    assert [name for name, text in templates.items() if any(word in text for word in words)] == []


def test_markup_is_made_by_templates_alone() -> None:
    engine = Path(trace_inspector.__file__).parent / "engine"
    modules = [path for name in ("reports", "run_comparison") for path in (engine / name).rglob("*.py")]
    texts = [
        (path.name, node.value)
        for path in modules
        for node in ast.walk(ast.parse(path.read_text("utf-8")))
        if isinstance(node, ast.Constant) and isinstance(node.value, str)
    ]
    assert ("html.py", "run.html") in texts
    assert [(name, text) for name, text in texts if "</" in text] == []


def test_a_name_that_nobody_gives_is_an_error() -> None:
    with pytest.raises(UndefinedError):
        pages.environment().from_string("{{ nothing }}").render()
