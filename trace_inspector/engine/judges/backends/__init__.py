"""Who answers: clients of the services, and what can go wrong with them. Imports scoring."""
