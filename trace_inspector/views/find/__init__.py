"""The Find panel: text across everything that is open. Imports Details and Judge calls, which show what is found."""
