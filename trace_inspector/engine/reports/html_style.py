"""How the page looks, and its filters: switches of the browser's own, so that the page runs nothing."""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from html import escape

_BASE = """
:root { color-scheme: light dark; --base: #fff; --text: #191d24; --dim: #4b5362; --good: #0b7257; --bad: #b9242f;
  --warn: #8f5200; --link: #2458c5; --line: #d8dce3; --line2: #b9c0cb; --shade: #f2f4f7; }
@media (prefers-color-scheme: dark) {
  :root { --base: #16181d; --text: #e5e8ed; --dim: #aeb6c3; --good: #52c9a5; --bad: #ff8c8c; --warn: #f0b254;
    --link: #8db2ff; --line: #343a44; --line2: #4b5361; --shade: #22262c; }
}
body { background: var(--base); color: var(--text); font: 15px/1.45 system-ui, sans-serif; margin: 2rem auto;
  max-width: 80rem; overflow-wrap: anywhere; padding: 0 1rem; }
h1 { font-size: 1.5rem; margin: 0 0 .5rem; }
a { color: var(--link); }
h2 { font-size: 1.1rem; margin: 1.5rem 0 .3rem; }
.wide { overflow-x: auto; margin: .4rem 0 1rem; }
table { border-collapse: collapse; min-width: 50%; }
th, td { border-bottom: 1px solid var(--line); overflow-wrap: break-word; padding: .25rem .7rem .25rem 0;
  text-align: left; vertical-align: top; }
td { max-width: 40rem; }
td:first-child { min-width: 11rem; }
td > span { white-space: nowrap; }
details { margin: .3rem 0; }
details details { margin-left: 1.2rem; }
summary { cursor: pointer; padding: .2rem 0; }
.mark, .label { font-weight: 600; white-space: nowrap; }
.PASSED, .supported { color: var(--good); }
.FAILED, .unsupported, .contradictory { color: var(--bad); }
.ERROR, .disputed { color: var(--warn); }
.NOT_EVALUATED, .SKIPPED, .PENDING, .INFORMATIONAL, .not_applicable, p.note { color: var(--dim); }
.answer { white-space: pre-wrap; overflow-wrap: anywhere; background: var(--shade); padding: .5rem .7rem; }
.answer .label { font-size: .8em; }
.odd { background: var(--line); border-radius: 3px; font-family: ui-monospace, monospace; font-size: .85em; }
fieldset { border: 0; margin: .8rem 0; padding: 0; }
.hidden, legend { clip-path: inset(50%); height: 1px; overflow: hidden; position: absolute; white-space: nowrap;
  width: 1px; }
.filter { position: absolute; opacity: 0; }
.filter + label { border: 1px solid var(--line); border-radius: 1rem; cursor: pointer; display: inline-block;
  margin: .15rem .2rem .15rem 0; padding: .1rem .7rem; }
.filter:checked + label { background: var(--shade); font-weight: 600; }
.filter:focus-visible + label { outline: 2px solid currentColor; }
@media print { .filter + label { display: none; } }
"""


@dataclass(frozen=True, slots=True)
class Filter:
    """One switch: its name in the page, its ready label, and which cases stay."""

    name: str
    label: str
    selector: str = ""  # "" lets every case stay


def style(filters: Sequence[Filter]) -> str:
    """The style sheet, with a rule for each filter."""
    rules = [
        f"body:has(#{one.name}:checked) main .case:not({one.selector}) {{ display: none; }}"
        for one in filters
        if one.selector
    ]
    return _BASE + "\n".join(rules) + "\n"


def switches(filters: Sequence[Filter]) -> str:
    """The switches; the first one is on."""
    inside = "\n".join(
        f'<input class="filter" type="radio" name="shown" id="{one.name}"{"" if number else " checked"}>'
        f'<label for="{one.name}">{one.label}</label>'
        for number, one in enumerate(filters)
    )
    return f"<fieldset><legend>Shown</legend>\n{inside}\n</fieldset>"


def page(title: str, body: str, css: str) -> str:
    """A whole page that may load and run nothing; its own style is the only one it takes."""
    digest = base64.b64encode(hashlib.sha256(css.encode()).digest()).decode()
    policy = f"default-src 'none'; style-src 'sha256-{digest}'; base-uri 'none'; form-action 'none'"
    return (
        '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{escape(policy)}">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{escape(title)}</title>\n<style>{css}</style>\n</head>\n<body>\n{body}\n</body>\n</html>\n"
    )
