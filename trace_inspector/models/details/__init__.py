"""Details of the selected row: session state, agents, raw text, JSON. Imports evaluation, files and base."""
