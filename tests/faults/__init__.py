"""Puts faults into a copy of the program, one at a time, and looks which tests notice."""
