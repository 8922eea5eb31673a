"""“Listen”: receives what programs send while they run. Imports the window context and widgets."""
