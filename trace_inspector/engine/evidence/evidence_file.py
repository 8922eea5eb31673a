"""The finished file: redacted, written as a page, and its bytes looked through again, decoded."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator

from msgspec import Struct
from msgspec.structs import replace

from trace_inspector.core.rows.codec import from_json
from trace_inspector.core.rows.evidence import EvidencePack, RedactedText
from trace_inspector.documents.page.document import data_in
from trace_inspector.engine.evidence.page import data_of, page_of
from trace_inspector.engine.evidence.without_texts import WithoutTexts
from trace_inspector.engine.evidence.without_texts import without_texts as pack_without_texts
from trace_inspector.engine.redaction.blank import blanked
from trace_inspector.engine.redaction.options import Redaction
from trace_inspector.engine.redaction.pack_redactor import PackRedactor
from trace_inspector.engine.redaction.secret_finder import HIDDEN
from trace_inspector.engine.redaction.segments import segments_of

# A long text is cut on the page, and maybe in a placeholder.
_CUT = "…"
_CUT_PLACEHOLDER = re.compile(r"(?:\[[a-z0-9 -]{0,60}|‹[A-Za-z0-9·-]{0,60})\Z")
_MOST_ROUNDS = 4  # what was taken out may show something beside it in another light
MEDIA = "The bytes of {} were left out, as nobody can look through them."


class EvidenceFile(Struct, frozen=True):
    """The bytes of the page, what was taken out of it, and how many secrets are `left`: with any nobody writes it."""

    data: bytes
    redacted: tuple[RedactedText, ...]
    left: int


def evidence_file(pack: EvidencePack, redaction: Redaction, *, without_texts: bool = False) -> EvidenceFile:
    """The page of a pack without its secrets, or without any text and value."""
    left_out = pack_without_texts(pack) if without_texts else None
    pack = left_out.pack if left_out else pack
    redactor = PackRedactor(redaction)
    clean = _clean(redactor.redacted(pack), redactor, left_out)
    page = _page(clean)
    shown = _shown(page, clean, redactor)
    if shown:  # what stands apart in the data tells more where it stands together
        redactor.know(shown)
        clean = _clean(redactor.again(pack), redactor, left_out)
        page = _page(clean)
        shown = _shown(page, clean, redactor)
    strays = _strays(page, left_out, redactor) if left_out else 0
    return EvidenceFile(page, clean.redacted, _left(page, redactor) + len(shown) + strays)


def _clean(pack: EvidencePack, redactor: PackRedactor, left_out: WithoutTexts | None) -> EvidencePack:
    for _round in range(_MOST_ROUNDS):
        cleaner = redactor.again(pack)
        if cleaner == pack:
            break
        pack = cleaner
    if redactor.media:
        media = "1 picture or file" if redactor.media == 1 else f"{redactor.media:,} pictures or files"
        pack = replace(pack, notes=(*pack.notes, MEDIA.format(media)))
    return replace(pack, redacted=left_out.listed(redactor.report) if left_out else redactor.report)


def _page(pack: EvidencePack) -> bytes:
    return page_of(pack, data_of(pack)).encode("utf-8", "backslashreplace")


def _left(page: bytes, redactor: PackRedactor) -> int:
    """How many secrets are in the data of the page."""
    data = json.loads(data_in(page))
    found = sum(len(redactor.finds(text)) for text in _texts(data))
    written = from_json(EvidencePack, data)
    return found + int(redactor.again(written) != written)


def _strays(page: bytes, left_out: WithoutTexts, redactor: PackRedactor) -> int:
    """How many texts are in the data that are not meant to stay, whatever they are."""
    data = json.loads(data_in(page))
    return left_out.strays(_texts({key: item for key, item in data.items() if key != "redacted"}), redactor.again)


def _shown(page: bytes, pack: EvidencePack, redactor: PackRedactor) -> dict[str, str]:
    """The secrets that the page shows, and their rules. What the program says itself, in every pack, is none."""
    shown = _of_page(page.decode(), redactor)
    if shown:
        empty = blanked(pack)
        for text in _of_page(page_of(empty, data_of(empty)), redactor):
            shown.pop(text, None)
    return shown


def _of_page(page: str, redactor: PackRedactor) -> dict[str, str]:
    return {
        secret.text: secret.rule
        for segment in segments_of("text/html", page)
        if segment.location != ("template",)
        for piece in segment.text.split(_CUT)
        for secret in redactor.finds(_CUT_PLACEHOLDER.sub("", piece))
        if HIDDEN not in secret.text  # beside a placeholder, where the page escapes a line end; the data was searched
    }


def _texts(value: object) -> Iterator[str]:
    if isinstance(value, dict):
        for key, item in value.items():
            yield key
            yield from _texts(item)
    elif isinstance(value, list):
        for item in value:
            yield from _texts(item)
    elif isinstance(value, str):
        yield value
