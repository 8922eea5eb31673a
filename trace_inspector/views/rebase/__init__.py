"""“Rebase”: what an agent does otherwise on purpose, taken into many goldens. Imports window context and widgets."""
