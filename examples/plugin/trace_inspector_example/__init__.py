"""An example of a plugin of Trace Inspector."""
