"""Results folders that the program writes: verdicts of a run as a data set. Here their row of the table."""

from __future__ import annotations

from trace_inspector.core.rows.contents import RESULTS
from trace_inspector.formats.common.format import Format, Implementation
from trace_inspector.formats.common.recogniser import All, Holds, Keys, OneObject


def _rows() -> Implementation:
    from trace_inspector.formats.results.rows import IMPLEMENTATION

    return IMPLEMENTATION


FORMATS: tuple[Format, ...] = (
    Format(
        name=RESULTS,
        title="Results folder",
        system="Trace Inspector",
        short="results folders",
        holds="the verdicts of a run as a data set, with the beginning of what was asked and answered",
        recognise=OneObject((100, All(Keys("trace_inspector_results"), Holds("verdicts", list)))),
        load=_rows,
    ),
)
