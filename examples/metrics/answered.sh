#!/bin/sh
# 1 when every turn has an answer, else 0. It only looks for the one spelling of "no answer", so it needs no parser.
# trace-inspector evaluate TRACES --only answered --metric-command "answered=sh answered.sh"
if grep -q '"final_response": *null'; then
  echo '{"score": 0, "status": "FAILED", "details": {"reason": "a turn has no answer"}}'
else
  echo '{"score": 1}'
fi
