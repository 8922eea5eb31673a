"""An answer with its judged sentences, and the card that says why. Imports widgets."""
