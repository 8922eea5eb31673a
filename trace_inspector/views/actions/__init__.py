"""Everything a person can do: one file a menu, one table of all."""
