"""Controls, fields, lists and tables that belong to no part. Imports the appearance."""
