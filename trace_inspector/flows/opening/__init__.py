"""Paths become items: listing, opening, converting. Imports engine, formats and store."""
