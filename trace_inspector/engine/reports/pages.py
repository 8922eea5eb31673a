"""Pages from the templates in resources/pages, which escape all that is put into them (docs/decisions/0044)."""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Callable
from functools import cache, partial
from html import escape

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup
from msgspec import Struct

from trace_inspector.engine.reports.report import marked_score, rounded_score, sign, words
from trace_inspector.engine.reports.visible_text import cut, has_odd, left_out, odd_pieces
from trace_inspector.resources import folder


class Filter(Struct, frozen=True):
    """One switch of a page: which cases stay where it is on. A text of a trace may stand before its label."""

    name: str
    label: str
    selector: str = ""  # "" lets every case stay
    title: str = ""


@cache
def environment() -> Environment:
    """How all templates are read; what a template names and nobody gives is an error."""
    made = Environment(
        loader=FileSystemLoader(folder("pages")),
        autoescape=True,
        undefined=StrictUndefined,
        finalize=_quoted,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
        auto_reload=False,
    )
    made.filters |= {
        "cut": cut,
        "marked_score": partial(marked_score, text=rounded_score),
        "pieces": odd_pieces,
        "sha256": _sha256,
        "sign": sign,
        "words": words,
        "zip": zip,
    }
    made.tests["odd_text"] = has_odd
    made.globals["left_out"] = left_out
    return made


def page(template: str, **values: object) -> str:
    """A whole page."""
    return environment().get_template(template).render(values)


def macro(template: str, name: str, **values: object) -> Callable[..., Markup]:
    """What draws a part of a page, so that its length is known before the page is made."""
    drawing: Callable[..., Markup] = getattr(environment().get_template(template).make_module(values), name)
    return drawing


class _Quoted(str):
    __slots__ = ()

    def __html__(self) -> str:
        return escape(self)


def _quoted(value: object) -> object:
    # markupsafe writes quotation marks as other references than reports have always had.
    return _Quoted(value) if type(value) is str and ("'" in value or '"' in value) else value


def _sha256(text: str) -> str:
    return base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()
