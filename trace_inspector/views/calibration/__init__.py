"""The calibration page: judges beside people, question by question."""
