"""How the page of a comparison looks. A colour names a side, the same one on the whole page."""

from __future__ import annotations

from dataclasses import dataclass

_STYLE = """
:root { --golden: #6f5300; --baseline: #0a5f79; --candidate: #6434ac;
  --golden-fill: #f2dc8c; --baseline-fill: #a9dbea; --candidate-fill: #d8c4f5; --warn-soft: #fceed4; }
@media (prefers-color-scheme: dark) {
  :root { --golden: #e8c65c; --baseline: #72cbe1; --candidate: #c4a8f7; --golden-fill: #5d4b14;
    --baseline-fill: #1e5566; --candidate-fill: #52408a; --warn-soft: #3a2c14; }
}
body { max-width: 100rem; }
.golden { --ink: var(--golden); --fill: var(--golden-fill); }
.baseline { --ink: var(--baseline); --fill: var(--baseline-fill); }
.candidate { --ink: var(--candidate); --fill: var(--candidate-fill); }
ul.files, ul.hand-offs { list-style: none; margin: .5rem 0; padding: 0; }
.files b { color: var(--ink); display: inline-block; min-width: 7rem; }
.files b::before, .sides thead th[class]::before { background: var(--ink); border-radius: 2px; content: "";
  display: inline-block; height: .8em; margin-right: .45em; width: .5em; }
.sentence { font-size: 1.05rem; margin: .5rem 0; }
table.sides { table-layout: fixed; width: 100%; }
.sides th, .sides td { border-color: var(--line); max-width: none; min-width: 0; overflow-wrap: anywhere;
  padding: .35rem .6rem; }
.sides thead th { background: var(--base); position: sticky; top: 0; z-index: 1; }
.sides thead .dim { font-weight: 400; }
.sides col.sign { width: 2.6rem; }
.sides col.why { width: 14rem; }
.sides td.sign { color: var(--dim); padding: .35rem 0; text-align: center; }
.sides tr.turn th, .sides tr.turn td { background-color: var(--shade); border-top: 1px solid var(--line2);
  font-weight: 400; }
.sides tr.parts td { background: var(--warn-soft); border-color: var(--warn); border-top: 1px solid var(--warn); }
.parts b { scroll-margin-top: 3.5rem; }
.sides td.sign.apart { color: var(--text); font-weight: 600; }
.sides td.side.apart, .sides th.apart { box-shadow: inset 3px 0 var(--ink); }
.sides .gap { background-image: repeating-linear-gradient(45deg, transparent 0 6px, var(--line) 6px 7px); }
.gap > span { background: var(--base); border-radius: 3px; color: var(--dim); padding: 0 .4em; }
.turn .gap > span { background: var(--shade); }
.sides code { font: .87em/1.5 ui-monospace, monospace; }
.sides .said { white-space: pre-wrap; }
.sides .arg { border-top: 1px solid var(--shade); display: grid; gap: 0 .8rem;
  grid-template-columns: fit-content(9rem) 1fr;
  margin-left: .9rem; padding: .1rem 0; }
.sides .rule { border: 1px solid var(--line2); border-radius: .7rem; color: var(--dim); font-size: .8em;
  padding: 0 .45em; }
.sides .rule.ignored { border-style: dashed; }
.sides small, .dim { color: var(--dim); }
.sides .fact { font-variant-numeric: tabular-nums; }
.why b { color: var(--bad); }
.why span { color: var(--dim); display: block; font-size: .88em; white-space: pre-line; }
mark { background: var(--fill); border-radius: 2px; color: inherit; }
mark:empty { border-left: 3px solid var(--ink); border-radius: 0; }
@media (max-width: 40rem) {
  table.sides, .sides tbody, .sides tr, .sides td, .sides tbody th { display: block; width: auto; }
  .sides thead, .sides colgroup { display: none; }
  .sides td, .sides tbody th, .sides td.sign { border-bottom: 0; padding: .2rem .6rem; text-align: left; }
  .sides tr { border-bottom: 1px solid var(--line); padding: .2rem 0; }
  .sides tr.turn { background: var(--shade); }
  .sides td.sign:not(.apart), .sides td.why:empty { display: none; }
  .sides td.sign .hidden { all: unset; margin-left: .4em; }
  .sides td.side::before, .sides th.side::before { color: var(--ink); display: block; font-size: .8em;
    font-weight: 600; }
  .sides .arg { grid-template-columns: 1fr; }
}
"""


@dataclass(frozen=True, slots=True)
class Role:
    """What a side is called, and the class of its colour."""

    title: str
    ink: str


_GOLDEN, _OBSERVED = Role("Golden", "golden"), Role("Observed", "candidate")
_BASELINE, _CANDIDATE = Role("Baseline", "baseline"), Role("Candidate", "candidate")


def roles(sides: int, *, has_golden: bool) -> tuple[Role, ...]:
    """What each side is, in the order of the columns."""
    if sides > 2:
        return _GOLDEN, _BASELINE, _CANDIDATE
    return (_GOLDEN, _OBSERVED) if has_golden else (_BASELINE, _CANDIDATE)


def look(shown: tuple[Role, ...]) -> str:
    """The style sheet; on a narrow screen sides stand below each other, each with its name."""
    names = "\n".join(f'  .sides .{role.ink}.side::before {{ content: "{role.title}"; }}' for role in shown)
    return f"{_STYLE}@media (max-width: 40rem) {{\n{names}\n}}\n"
