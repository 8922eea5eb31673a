"""How far a judge may be believed: statistics of its verdicts beside what people say. Imports repeats."""
