"""The share of answers of at most `most` characters.

trace-inspector evaluate TRACES --only short_answers --metric-command "short_answers=python3 short_answers.py"
"""

import json
import sys

asked = json.load(sys.stdin)
most = asked["config"].get("most", 200)
scores = [1.0 if 0 < len(turn["final_response"] or "") <= most else 0.0 for turn in asked["invocations"]]
too_long = [turn["invocation_id"] for turn, score in zip(asked["invocations"], scores) if score < 1]
answer = {"score": sum(scores) / len(scores) if scores else 0.0, "per_invocation_scores": scores}
if too_long:
    answer["details"] = {"longer_or_empty": too_long}
json.dump(answer, sys.stdout)
