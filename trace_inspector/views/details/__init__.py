"""The Details panel: Content, Verdicts and Raw of whatever is selected."""
