"""Controls, fields, lists and tables that are of no part. Imports the appearance."""
