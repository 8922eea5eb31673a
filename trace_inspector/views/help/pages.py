"""The pages of the help, cut into sections that can be found by any of their words."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from msgspec import Struct

from trace_inspector.core.translatable import N_
from trace_inspector.resources import help_page

# What of the documentation is installed (pyproject.toml names the files too), in the order of reading.
PAGES = {
    "tour": N_("Tour of the window"),
    "criteria": N_("Criteria"),
    "goldens": N_("Goldens"),
    "compare": N_("Comparing"),
    "formats": N_("File formats"),
    "live": N_("Live"),
    "follow": N_("Following files"),
    "local-grounding": N_("Sentences without support"),
    "command-line": N_("Command line"),
}

_PICTURES = re.compile(r"<picture>.*?</picture>|!\[[^\]]*\]\([^)]*\)", re.DOTALL)
_LINK = re.compile(r"\[([^\]]+)\]\([^)]*\)")
_MARKUP = re.compile(r"[`*]")


class HelpSection(Struct, frozen=True):
    """A section of a page: its title, and its text in Markdown without pictures and links."""

    page: str
    title: str
    text: str

    def has(self, words: Sequence[str]) -> bool:
        """Whether all of these words, in small letters, stand in it."""
        found = f"{self.title}\n{self.text}".casefold()
        return all(word in found for word in words)


def sections_of(page: str) -> tuple[HelpSection, ...]:
    """The sections of a page that is installed; what stands before the first one goes by the page's title."""
    text = help_page(page).read_text(encoding="utf-8")
    return tuple(_cut(page, _LINK.sub(r"\1", _PICTURES.sub("", text))))


def all_sections() -> tuple[HelpSection, ...]:
    """The sections of all pages, in the order of reading."""
    return tuple(section for page in PAGES for section in sections_of(page))


def with_words(sections: Sequence[HelpSection], typed: str) -> dict[str, list[HelpSection]]:
    """By page, the sections in which every typed word stands."""
    found: dict[str, list[HelpSection]] = {}
    words = typed.casefold().split()
    for section in sections:
        if section.has(words):
            found.setdefault(section.page, []).append(section)
    return found


def _cut(page: str, text: str) -> Iterator[HelpSection]:
    title, lines, in_code = "", list[str](), False
    for line in text.splitlines():
        in_code ^= line.startswith("```")
        if in_code or not line.startswith(("# ", "## ")):
            lines.append(line)
            continue
        if any(map(str.strip, lines)):
            yield HelpSection(page, title, "\n".join(lines).strip())
        title, lines = _MARKUP.sub("", line.lstrip("# ")), []
    if any(map(str.strip, lines)):
        yield HelpSection(page, title, "\n".join(lines).strip())
