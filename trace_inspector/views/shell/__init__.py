"""The window itself: centre, menus, tool bar, status, welcome. Imports all other folders; nothing imports it."""
