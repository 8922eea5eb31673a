"""Words of attributes, states, comparisons and calculations in several languages, and what they mean."""
