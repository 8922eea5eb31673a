"""Controls, fields, lists and tables that know no trace. Imports appearance."""
