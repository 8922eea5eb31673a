"""HTML reports as a reader of the screen has them: rows of cells, and what is in which element."""

from __future__ import annotations

from collections.abc import Mapping
from html.parser import HTMLParser

from msgspec import Struct, field

_EMPTY = frozenset({"meta", "input", "col", "br"})


class Element(Struct):
    """An element with its text."""

    tag: str
    attributes: Mapping[str, str | None]
    inside: list[Element] = field(default_factory=list)
    told: list[str | Element] = field(default_factory=list)

    @property
    def text(self) -> str:
        """All text in it."""
        return "".join(one if isinstance(one, str) else one.text for one in self.told)

    @property
    def kinds(self) -> frozenset[str]:
        """Its classes."""
        return frozenset((self.attributes.get("class") or "").split())

    def all(self, tag: str, kind: str = "") -> list[Element]:
        """The elements of that tag, and class, somewhere in it."""
        here = [one for one in self.inside if one.tag == tag and (not kind or kind in one.kinds)]
        return here + [found for one in self.inside for found in one.all(tag, kind)]


def page(text: str) -> Element:
    """The whole page."""
    reader = _Reader()
    reader.feed(text)
    assert len(reader.open) == 1, reader.open
    return reader.open[0]


class _Reader(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.open = [Element("", {})]

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        element = Element(tag, dict(attrs))
        self.open[-1].inside.append(element)
        self.open[-1].told.append(element)
        if tag not in _EMPTY:
            self.open.append(element)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop().tag == tag

    def handle_data(self, data: str) -> None:
        self.open[-1].told.append(data)
