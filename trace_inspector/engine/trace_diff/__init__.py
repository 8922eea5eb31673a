"""Where conversations part: compared turn by turn and call by call, counted, and written down."""
