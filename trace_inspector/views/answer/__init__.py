"""An answer with its judged sentences. Imports widgets."""
