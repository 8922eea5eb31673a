// The share of turns with at most `most` tool calls.
// trace-inspector evaluate TRACES --only few_calls --metric-command "few_calls=node few_calls.js"
const asked = JSON.parse(require("fs").readFileSync(0, "utf8"));
const most = asked.config.most ?? 3;
const scores = asked.invocations.map((turn) => (turn.intermediate_steps.tool_calls.length <= most ? 1 : 0));
const sum = scores.reduce((all, one) => all + one, 0);
console.log(JSON.stringify({ score: scores.length ? sum / scores.length : 0, per_invocation_scores: scores }));
