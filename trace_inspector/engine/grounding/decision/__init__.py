"""From what rules and records find to a label: features, a small fitted model, and the judge that uses it."""
