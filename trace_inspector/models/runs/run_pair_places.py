"""The conversations of a compared case in the open files."""

from __future__ import annotations

from pathlib import Path, PurePath

from trace_inspector.models.base.open_file import FileState, OpenFile
from trace_inspector.models.base.row_table import TOP
from trace_inspector.models.base.translation import tr
from trace_inspector.models.compare.sides import SideRef, ref_of, top_of
from trace_inspector.models.files.files import Files
from trace_inspector.work.runs.comparison_messages import CaseLine


def sides_of(files: Files, line: CaseLine) -> tuple[SideRef, ...] | str:
    """The golden where it is open, then the conversation of each run; or a sentence about what is missing."""
    golden = _ref(files, line.new.golden_path or line.base.golden_path, *_golden(line))
    refs = [golden] if isinstance(golden, SideRef) and golden.is_case else []
    for side in (line.base, line.new):
        if side.status is None:
            continue
        if not side.path:
            return tr("No conversation was recorded for this case.")
        ref = _ref(files, side.path, side.place, side.id)
        if isinstance(ref, str):
            return ref
        if ref not in refs:  # both runs judged the same conversation
            refs.append(ref)
    return tuple(refs)


def paths_of(files: Files, line: CaseLine) -> tuple[str, ...]:
    """The files of a case that are not open."""
    paths = (line.new.golden_path or line.base.golden_path, line.base.path, line.new.path)
    return tuple(path for path in dict.fromkeys(paths) if path and _file(files, path) is None)


def _golden(line: CaseLine) -> tuple[str, str]:
    side = line.new if line.new.golden_path else line.base
    return side.golden_place, side.case_id


def _ref(files: Files, path: str, place: str, name: str) -> SideRef | str:
    file, shown = _file(files, path), PurePath(path).name
    if file is None:
        return tr("{0} is not open: open it (O) to compare this case.").format(shown)
    if file.state is not FileState.READY:
        return tr("{0} is being read. Try again when it is there.").format(shown)
    top = top_of(files, SideRef(file.number, place, name, is_case=False))
    if top == TOP:
        return tr("This conversation is no longer in {0}: the file has changed.").format(shown)
    return ref_of(file, top)


def _file(files: Files, path: str) -> OpenFile | None:
    """The open file of a path, which is relative in runs of the command line."""
    absolute = str(Path(path).absolute()) if path else ""
    return next((file for file in files if str(file.path) == absolute), None)
