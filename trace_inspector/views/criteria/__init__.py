"""The Criteria panel, where criteria are edited. Imports the window context and widgets."""
