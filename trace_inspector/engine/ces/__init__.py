"""How CES decides: its metrics, computed from goldens and traces. What its papers leave open is decided here."""
