"""The window itself: centre, panels, menus, dialogs. Imports every part."""
