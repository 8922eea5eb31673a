"""Secrets that prose tells, in any language: roots of words, what looks like a secret, and which belongs to which."""
