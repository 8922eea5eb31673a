"""“Bulk edit”: one change of many goldens, with every place it would touch. Imports window context and widgets."""
