#!/usr/bin/env bash
# comment.sh FILE: write FILE as the one comment of Trace Inspector on a pull request, in the place of an earlier one.
set -euo pipefail

marker='<!-- trace-inspector -->'
body="$(mktemp)"
trap 'rm -f "$body"' EXIT
python3 -c 'import json, sys; json.dump({"body": open(sys.argv[1], encoding="utf-8", errors="replace").read()}, sys.stdout)' "$1" >"$body"

# Only a comment that begins with the marker is ours; people may quote it.
id="$(gh api --paginate "repos/$REPOSITORY/issues/$PULL_REQUEST/comments" \
  --jq ".[] | select(.body | startswith(\"$marker\")) | .id" | head -n 1)"
if [ -n "$id" ]; then
  gh api --method PATCH "repos/$REPOSITORY/issues/comments/$id" --input "$body" >/dev/null
else
  gh api --method POST "repos/$REPOSITORY/issues/$PULL_REQUEST/comments" --input "$body" >/dev/null
fi
