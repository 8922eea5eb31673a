"""The review: which outputs a person is asked about, and what they answer."""
