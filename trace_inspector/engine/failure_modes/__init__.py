"""How frequent failure modes are, with intervals, and which rose or fell. Imports the intervals of calibration."""
