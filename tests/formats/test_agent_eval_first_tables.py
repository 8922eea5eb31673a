"""The first tables of agent-eval, whose columns of scores have another name."""

from __future__ import annotations

from pathlib import Path

from tests.formats import agent_eval_files as files
from trace_inspector.flows.opening.open_file import open_file


def test_the_first_tables_name_scores_otherwise_and_have_spans_alone(tmp_path: Path) -> None:
    row = files.live()
    del row["final_session_state"]
    older = {key.replace("adk_score.", "score."): value for key, value in row.items()}
    path = tmp_path / "run.csv"
    path.write_text(files.table(older))
    contents = open_file(path).contents
    assert contents.format == "agent-eval"
    (verdict,) = contents.reported
    assert ("tool_trajectory_avg_score", 0.5) in [(metric.metric, metric.score) for metric in verdict.metrics]
    assert not [extra.name for extra in contents.traces[0].extras if extra.name.startswith("score.")]
    assert contents.traces[0].turns[0].spans
