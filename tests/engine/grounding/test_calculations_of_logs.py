"""Lines of logs as sentences describe them, and which of two came first."""

from __future__ import annotations

import pytest

from tests.engine.grounding.result_tables import tables_of_result
from trace_inspector.core.verdict.verdict import SentenceSupport
from trace_inspector.engine.grounding.calculations.calculations import check_calculation
from trace_inspector.engine.grounding.facts.claim import read_claim
from trace_inspector.engine.grounding.text.sentences import Form

LOG = (
    "[10:02:11] INFO  mailer: deployed build 7 to node-3\n"
    "[10:04:40] WARN  mailer: queue depth 55 above threshold\n"
    "[10:05:02] ERROR billing: checksum mismatch in segment 12\n"
    "[10:09:59] ERROR billing: out of memory, killed (exit 137) on node-9\n"
)
YES, NO = SentenceSupport.SUPPORTED, SentenceSupport.CONTRADICTORY


@pytest.mark.parametrize(
    ("sentence", "support"),
    [
        ("Build 7 of the mailer was rolled out on node-3 at 10:02.", YES),
        ("Build 7 of the mailer was rolled out on node-4.", NO),
        ("At 10:04am the mailer reported a backlog of 55.", YES),
        ("At 10:04am billing reported a backlog of 55.", NO),
        ("At 10:08 the mailer reported a backlog of 55.", NO),
        ("billing ran out of memory on node-9.", YES),
        ("The mailer warned about a backlog of 55 at 10:04.", YES),
        ("At 10:05 billing warned that segment 12 was corrupt.", NO),
        ("billing found that segment 13 was corrupt.", NO),
        ("There are two errors.", YES),
        ("There are three errors.", NO),
        ("billing had two errors.", YES),
        ("The mailer had two errors.", NO),
        ("The mailer was deployed on node-3 before billing ran out of memory.", YES),
        ("First billing ran out of memory, later the mailer was deployed on node-3.", NO),
        ("The checksum of segment 12 did not match after the mailer reported a backlog of 55.", YES),
    ],
)
def test_lines(sentence: str, support: SentenceSupport) -> None:
    finding = check_calculation(read_claim(sentence, Form.PROSE), tables_of_result(LOG))
    assert finding is not None
    assert finding.support is support


@pytest.mark.parametrize(
    "sentence",
    [
        "The new version of the mailer caused this.",
        "The mailer reported a backlog shortly after 10:03.",
        "billing was moved to node-3 by an operator.",
        "Half an hour later everything was fine again.",
    ],
)
def test_what_a_log_does_not_tell(sentence: str) -> None:
    assert check_calculation(read_claim(sentence, Form.PROSE), tables_of_result(LOG)) is None


def test_a_log_without_errors_has_none() -> None:
    log = "\n".join(LOG.splitlines()[:2])
    finding = check_calculation(read_claim("There are no errors in the log.", Form.PROSE), tables_of_result(log))
    assert finding is not None
    assert finding.support is YES
