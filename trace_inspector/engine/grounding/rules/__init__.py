"""Rules that look up the facts and words of a claim in the evidence, and the label that follows from them."""
