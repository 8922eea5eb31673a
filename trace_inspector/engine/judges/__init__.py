"""One file per kind of judge, and what judged metrics share: the context of a turn, replies and votes."""
