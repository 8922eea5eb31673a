#!/usr/bin/env bash
# Evaluate, write every report into $REPORTS, and show the annotations. The exit code is the output `status`, so that
# the steps that follow run whatever it is. Inputs come as variables, never as parts of this text: a branch or a file
# may be called anything.
set -uo pipefail

lines() { # one argument for each line that is not empty
  local line
  while IFS= read -r line; do
    line="${line%$'\r'}"
    [ -z "$line" ] || printf '%s\0' "$line"
  done <<<"$1"
}

mapfile -d '' -t traces < <(lines "$TRACES")
mapfile -d '' -t golden < <(lines "${GOLDEN:-}")
mkdir -p "$REPORTS"

arguments=(--fail-on "${FAIL_ON:-not-evaluated}")
for report in adk=run.evalset_result.json junit=junit.xml sarif=run.sarif html=run.html markdown=run.md otel=run.otlp.jsonl github=annotations.txt; do
  arguments+=(--report "${report%%=*}=$REPORTS/${report#*=}")
done
[ -z "${CRITERIA:-}" ] || arguments+=(--criteria "$CRITERIA")
[ ${#golden[@]} -eq 0 ] || arguments+=(--golden "${golden[@]}")

"$TRACE_INSPECTOR" evaluate "${traces[@]}" "${arguments[@]}"
status=$?
[ ! -f "$REPORTS/annotations.txt" ] || cat "$REPORTS/annotations.txt"

# One page of the run without secrets, for whoever has nothing but a browser. Where one would be left in it, there is none.
if [ -f "$REPORTS/run.evalset_result.json" ]; then
  "$TRACE_INSPECTOR" evidence "$REPORTS/run.evalset_result.json" --output "$REPORTS/evidence.html" ||
    printf 'No evidence pack was written: the log says why.\n'
fi

if [ -n "${BASELINE:-}" ] && [ -f "$REPORTS/run.evalset_result.json" ]; then
  "$TRACE_INSPECTOR" compare-runs "$BASELINE" "$REPORTS/run.evalset_result.json" --fail-on never \
    --report "markdown=$REPORTS/compared.md" || [ "$status" -ne 0 ] || status=2
fi

# The first line marks the comment, by which the next run finds and replaces it.
{
  printf '<!-- trace-inspector -->\n'
  for part in compared.md run.md; do
    [ ! -f "$REPORTS/$part" ] || { cat "$REPORTS/$part"; printf '\n'; }
  done
  [ -f "$REPORTS/run.md" ] || printf 'Trace Inspector could not run: the log says why.\n'
} | head -c 60000 >"$REPORTS/comment.md"

[ -z "${GITHUB_STEP_SUMMARY:-}" ] || cat "$REPORTS/comment.md" >>"$GITHUB_STEP_SUMMARY"
[ -z "${GITHUB_OUTPUT:-}" ] || printf 'status=%s\n' "$status" >>"$GITHUB_OUTPUT"
exit 0
