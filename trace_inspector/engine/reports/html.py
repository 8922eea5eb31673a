"""`html`: the run as one plain page that loads nothing and runs nothing."""

from __future__ import annotations

import base64
import hashlib
from collections import Counter
from collections.abc import Iterable
from datetime import UTC, datetime
from html import escape

from trace_inspector.core.verdict import CaseVerdict, MetricVerdict, RunVerdict, Status, TurnVerdict
from trace_inspector.engine.reports.report import Report, case_names, legal, score_text, turn_name, turn_sentence

_STYLE = """
:root { color-scheme: light dark; }
body { font: 15px/1.45 system-ui, sans-serif; margin: 2rem auto; max-width: 72rem; padding: 0 1rem; }
table { border-collapse: collapse; width: 100%; margin: .5rem 0 1rem; }
th, td { text-align: left; vertical-align: top; padding: .3rem .6rem; }
th, td { border-bottom: 1px solid color-mix(in srgb, currentColor 18%, transparent); }
td.number { text-align: right; font-variant-numeric: tabular-nums; }
details { margin: .3rem 0; }
summary { cursor: pointer; padding: .25rem 0; }
.mark { font-weight: 600; white-space: nowrap; }
.PASSED { color: light-dark(#0b6b2e, #6bd08f); }
.FAILED { color: light-dark(#b3261e, #ff8a80); }
.ERROR { color: light-dark(#8a4b00, #ffb45c); }
.NOT_EVALUATED, .SKIPPED, .PENDING, .INFORMATIONAL { color: light-dark(#5a5f66, #a9b0b8); }
p.note { color: light-dark(#5a5f66, #a9b0b8); }
"""

_SIGN = {Status.PASSED: "✓", Status.FAILED: "✗", Status.ERROR: "!", Status.INFORMATIONAL: "i"}


def write(run: RunVerdict) -> str:
    """The verdict table, then each case to unfold; failing ones are open."""
    digest = base64.b64encode(hashlib.sha256(_STYLE.encode()).digest()).decode()
    policy = f"default-src 'none'; style-src 'sha256-{digest}'; base-uri 'none'; form-action 'none'"
    counts = Counter(case.status for case in run.cases)
    total = ", ".join(f"{count} {_words(status)}" for status, count in counts.most_common())
    started = datetime.fromtimestamp(run.started_s, UTC).strftime("%Y-%m-%d %H:%M:%S UTC")
    body = [
        f"<h1>{_mark(run.status)} Trace Inspector</h1>",
        f"<p>{len(run.cases)} {'case' if len(run.cases) == 1 else 'cases'}: {_text(total)}. {_text(started)}.</p>",
        f'<p class="note">Criteria: {_text(run.criteria_source)}{_text(_rules(run.rules))}.</p>',
        *(f'<p class="note">{_text(note)}</p>' for note in run.notes),
        _overview(run),
        *(_case(case, name) for case, name in zip(run.cases, case_names(run.cases), strict=True)),
    ]
    return (
        '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{escape(policy)}">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>Trace Inspector: {escape(_words(run.status))}</title>\n<style>{_STYLE}</style>\n</head>\n<body>\n"
        + "\n".join(body)
        + "\n</body>\n</html>\n"
    )


def _overview(run: RunVerdict) -> str:
    metrics = list(dict.fromkeys(verdict.metric for case in run.cases for verdict in case.metrics))
    head = "".join(f"<th>{_text(title)}</th>" for title in ("case", "verdict", *metrics))
    rows = []
    for case, name in zip(run.cases, case_names(run.cases), strict=True):
        by_name = {verdict.metric: verdict for verdict in case.metrics}
        cells = "".join(f'<td class="number">{_score(by_name.get(metric))}</td>' for metric in metrics)
        rows.append(f"<tr><td>{_text(name)}</td><td>{_mark(case.status)}</td>{cells}</tr>")
    return _table(head, rows)


def _case(case: CaseVerdict, name: str) -> str:
    unfolded = " open" if case.status in (Status.FAILED, Status.ERROR) else ""
    lines = [case.reason, *case.hides, f"paired {case.paired_by}" if case.paired_by else ""]
    notes = "".join(f'<p class="note">{_text(line)}</p>' for line in lines if line)
    metrics = _table(
        "<th>criterion</th><th>verdict</th><th>score</th><th>threshold</th><th>reason</th>",
        (_metric(verdict) for verdict in case.metrics),
    )
    turns = "".join(_turn(turn) for turn in case.turns)
    return (
        f"<details{unfolded}><summary>{_mark(case.status)} {_text(name)}</summary>{notes}{metrics}{turns}</details>"
    )


def _turn(turn: TurnVerdict) -> str:
    failing = turn.status in (Status.FAILED, Status.ERROR)
    sentence = f" {_text(turn_sentence(turn))}" if failing else ""
    metrics = _table(
        "<th>criterion</th><th>verdict</th><th>score</th><th>threshold</th><th>reason</th>",
        (_metric(verdict) for verdict in turn.metrics),
    )
    return f"<details><summary>{_mark(turn.status)} {_text(turn_name(turn))}{sentence}</summary>{metrics}</details>"


def _metric(verdict: MetricVerdict) -> str:
    threshold = "–" if verdict.threshold is None else f"{verdict.threshold:g}"
    return (
        f"<tr><td>{_text(verdict.metric)}</td><td>{_mark(verdict.status)}</td>"
        f'<td class="number">{score_text(verdict)}</td><td class="number">{threshold}</td>'
        f"<td>{_text(verdict.reason)}</td></tr>"
    )


def _table(head: str, rows: Iterable[str]) -> str:
    body = "".join(rows)
    return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>" if body else ""


def _score(verdict: MetricVerdict | None) -> str:
    if verdict is None:
        return ""
    return f'<span class="{verdict.status.value}">{_SIGN.get(verdict.status, "–")} {score_text(verdict)}</span>'


def _mark(status: Status) -> str:
    return f'<span class="mark {status.value}">{_SIGN.get(status, "–")} {_words(status)}</span>'


def _words(status: Status) -> str:
    return status.value.lower().replace("_", " ")


def _rules(rules: str) -> str:
    return f", rules of {rules}" if rules else ""


def _text(text: str) -> str:
    """Text from traces: escaped, and kept from turning the direction of what stands around it."""
    return f"<bdi>{escape(legal(text))}</bdi>"


REPORT = Report("html", "One page to read, without scripts", write)
