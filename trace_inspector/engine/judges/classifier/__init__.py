"""A classifier from a folder that a person names: its form, its windows of tokens, and what is asked and answered."""
