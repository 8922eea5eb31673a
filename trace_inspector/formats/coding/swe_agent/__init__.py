"""Trajectories of SWE-agent and of mini-SWE-agent."""
