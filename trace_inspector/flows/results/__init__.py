"""Results of a run as a data set: its rows, how they are written, ready-made questions. Imports runs and below."""
