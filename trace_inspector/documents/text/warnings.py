"""What can be odd about the bytes of a document, in words: one line of WARNINGS for each code."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from trace_inspector.core.finding import Finding, Severity
from trace_inspector.documents.text.encoding import Body, lines_and_columns

MAX_FINDINGS = 500
# Deeper values are stepped over. Pickling, comparing or walking them by recursion ends in a RecursionError somewhere
# below 1,000, and whoever reads a document may be deep in calls already.
MAX_DEPTH = 300

_ERROR, _WARNING, _INFO = Severity.ERROR, Severity.WARNING, Severity.INFO

# Errors are what a strict JSON parser stumbles over; warnings are legal, or accepted by most parsers.
WARNINGS: dict[str, tuple[Severity, str]] = {
    "truncated": (_ERROR, "The file ends inside a value; everything before that is shown. Get the complete file."),
    "trailing-comma": (_ERROR, "A comma stands before the closing bracket; it was ignored. Remove it."),
    "extra-comma": (_ERROR, "A comma has no value before it; the comma was ignored. Remove it."),
    "missing-comma": (
        _ERROR,
        "A comma is missing before this value; the value was read as if the comma were there. Add it.",
    ),
    "missing-colon": (
        _ERROR,
        "A colon is missing after this key; the key was read as if the colon were there. Add it.",
    ),
    "missing-value": (_ERROR, "This key has no value, so it was left out. Add a value or remove the key."),
    "missing-key": (_ERROR, "This value in an object has no key, so it was left out. Add a key in quotation marks."),
    "missing-space": (
        _ERROR,
        "This value follows another one without a separator. Put each value on a line of its own.",
    ),
    "unquoted-key": (_ERROR, "This key has no quotation marks; it was read as text. Add them."),
    "unexpected-text": (_ERROR, "This is not a JSON value; it was read as text. Put it into double quotation marks."),
    "unexpected-mark": (_ERROR, "This character has no meaning here; it was ignored. Remove it."),
    "mismatched-bracket": (_ERROR, "This bracket closes nothing. Check the brackets before it."),
    "comment": (_ERROR, "JSON has no comments; this one was ignored. Remove it for tools that read strictly."),
    "too-large": (
        _ERROR,
        "This line is larger than 256 MB, so it is left out; its bytes stay in the file. Split it.",
    ),
    "unreadable-rest": (
        _ERROR,
        (
            "From here on the brackets do not match. A file of this size is read in one pass, so the rest is left "
            "out. Repair the brackets."
        ),
    ),
    "control-character": (_ERROR, "A string holds an unescaped control character; it was kept. Write it as \\u00XX."),
    "invalid-escape": (_ERROR, "A backslash begins no known escape; it was read as itself. Write it twice."),
    "invalid-utf-8": (_ERROR, "Bytes from here on are not UTF-8; they are kept as they are. Save the file as UTF-8."),
    "half-character": (
        _ERROR,
        "The file ends inside a UTF-16 character; its last byte is kept. Get the complete file.",
    ),
    "too-deep": (
        _ERROR,
        f"Values nested deeper than {MAX_DEPTH} are not shown and count as null here; their bytes are kept.",
    ),
    "not-a-number": (_WARNING, "JSON has no NaN or infinity; the value was read as Python writes it."),
    "lone-surrogate": (_WARNING, "Half of a character is escaped here, as in a cut emoji; it is kept as it is."),
    "huge-number": (_WARNING, "An integer of more than 4,300 digits counts as infinite here; its digits are kept."),
    "duplicate-key": (_WARNING, "The object has this key twice; the last one counts, as in most parsers."),
    "byte-order-mark": (_INFO, "The file begins with a byte-order mark, which some parsers refuse; it is kept."),
    "utf-16": (_INFO, "The file is UTF-16, which most parsers refuse; it is kept in that encoding."),
    "double-encoded": (
        _INFO,
        (
            "All text in this file that is not ASCII was encoded twice; it is shown repaired, and the file keeps its "
            "bytes."
        ),
    ),
    "yaml-syntax": (
        _ERROR,
        "The YAML cannot be read from here on: {detail}. Everything before is shown. Correct this line.",
    ),
    "yaml-unknown-alias": (
        _ERROR,
        "No anchor with this name comes before this alias; it was read as text. Add the anchor or correct the name.",
    ),
    "yaml-circle": (
        _ERROR,
        "This alias is inside the value that it refers to; it was read as text. Remove the circle.",
    ),
    "yaml-bomb": (
        _ERROR,
        "Aliases make more than 100,000 values of this file; this one was read as text. Use fewer aliases.",
    ),
    "yaml-merge": (_WARNING, "The value of << is not a mapping; << was read as an ordinary key. Check it."),
    "yaml-tag": (_WARNING, "This YAML tag is not supported; its value was read as if the tag were not there."),
    "yaml-key": (
        _INFO,
        "This key is not a text; it is used as a key with the spelling in the file, and so are all others like it.",
    ),
    "yaml-date": (_INFO, "This is text here, as are all other dates in this file; older YAML tools read a date."),
    "yaml-old-boolean": (
        _INFO,
        "This word is text here, as are all others like it in this file; older YAML tools read true or false.",
    ),
    "csv-name": (_WARNING, "This column has no name of its own, or one that is taken; it is called “{detail}” here."),
    "csv-ragged": (
        _WARNING,
        "This row has {detail}. Cells that are missing are absent here; others are named by their column.",
    ),
    "csv-quote": (
        _ERROR,
        "This quotation mark is never closed; the rest of the file was read as one cell. Close it.",
    ),
    "csv-rows": (_ERROR, "Only the first {detail} rows are shown; the rows from here on are not. Split the file."),
    "more-findings": (_WARNING, "This file has more oddities than are listed here: {count} further places."),
}


class SourceWarning(Struct, frozen=True):
    """Something odd at an offset of the body. `document` counts those of a JSON Lines file; -1 is the file itself."""

    code: str
    offset: int
    document: int = -1
    pointer: str = ""
    detail: str = ""


def findings_of(body: Body, warnings: Sequence[SourceWarning], hidden: int, *, is_lines: bool) -> tuple[Finding, ...]:
    """Findings in the order of the file, with line and column."""
    places = lines_and_columns(body.data, body.utf_8, (warning.offset for warning in warnings))
    findings = []
    for warning in sorted(warnings, key=lambda warning: warning.offset):
        severity, sentence = WARNINGS[warning.code]
        pointer = f"/{warning.document}{warning.pointer}" if is_lines and warning.document >= 0 else warning.pointer
        message = sentence.format(detail=warning.detail)
        findings.append(Finding(severity, warning.code, message, pointer, *places[warning.offset]))
    if hidden:
        severity, sentence = WARNINGS["more-findings"]
        findings.append(Finding(severity, "more-findings", sentence.format(count=hidden)))
    return tuple(findings)
