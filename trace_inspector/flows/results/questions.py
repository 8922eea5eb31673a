"""Questions about results that are ready to be asked: SQL of ours, as anybody could write it."""

from __future__ import annotations

from typing import Final

from msgspec import Struct


class ReadyQuestion(Struct, frozen=True):
    """A question by its name, what its answer tells, and its SQL."""

    name: str
    title: str
    sql: str


QUESTIONS: Final = (
    ReadyQuestion(
        "pass-rate-by-tag",
        "how many of the decided cases of each tag passed, the worst tag first",
        """
SELECT tag, count(*) AS cases,
       count(*) FILTER (status = 'PASSED') AS passed,
       count(*) FILTER (status = 'FAILED') AS failed,
       round(passed / nullif(passed + failed, 0), 3) AS pass_rate
FROM (SELECT unnest(CASE WHEN len(tags) > 0 THEN tags ELSE ['(no tag)'] END) AS tag, status
      FROM verdicts WHERE about = 'case' AND criterion IS NULL)
GROUP BY tag
ORDER BY pass_rate NULLS LAST, cases DESC, tag
""",
    ),
    ReadyQuestion(
        "slowest-tools",
        "how long each tool took, in seconds, and how often it failed, the slowest first",
        """
SELECT tool, count(*) AS call_count, count(seconds) AS timed,
       round(median(seconds), 3) AS median_s,
       round(quantile_cont(seconds, 0.95), 3) AS p95_s,
       round(max(seconds), 3) AS longest_s,
       count(*) FILTER (failed) AS failed
FROM calls
GROUP BY tool
ORDER BY p95_s DESC NULLS LAST, call_count DESC, tool
""",
    ),
    ReadyQuestion(
        "cost-by-agent",
        "the tokens that each agent used with each model; multiply them with your prices",
        """
SELECT spent.agent AS agent, spent.model AS model, count(*) AS turn_count,
       sum(spent.input_tokens) AS input_tokens,
       sum(spent.output_tokens) AS output_tokens
FROM (SELECT unnest(spent) AS spent FROM turns)
GROUP BY ALL
ORDER BY coalesce(sum(spent.input_tokens), 0) + coalesce(sum(spent.output_tokens), 0) DESC, agent, model
""",
    ),
    ReadyQuestion(
        "criteria-that-agree",
        "pairs of criteria that never came to different verdicts on a case: one of them may tell nothing new",
        """
SELECT first.criterion AS criterion, other.criterion AS agrees_with, count(*) AS cases,
       count(*) FILTER (first.status = 'FAILED') AS both_failed
FROM verdicts AS first JOIN verdicts AS other
  ON first.trace_file IS NOT DISTINCT FROM other.trace_file AND first.trace_id IS NOT DISTINCT FROM other.trace_id
  AND first.place IS NOT DISTINCT FROM other.place AND first.suite = other.suite
  AND first.case_id = other.case_id AND first.attempt = other.attempt
WHERE first.about = 'case' AND other.about = 'case' AND first.criterion < other.criterion
  AND first.status IN ('PASSED', 'FAILED') AND other.status IN ('PASSED', 'FAILED')
GROUP BY ALL
HAVING bool_and(first.status = other.status)
ORDER BY cases DESC, criterion, agrees_with
""",
    ),
)
_BY_NAME: Final = {question.name: question for question in QUESTIONS}


def sql_of(text: str) -> str:
    """The SQL of a ready-made question, or the text itself, where it is none's name."""
    question = _BY_NAME.get(text.strip())
    return question.sql.strip() if question else text
