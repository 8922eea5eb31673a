"""Widgets. main_window only assembles ACTIONS and PANELS."""
