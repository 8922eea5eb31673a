"""The checkable facts of a text: numbers, dates, identifiers, names; and a sentence read as a claim."""
