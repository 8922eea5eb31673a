"""VIEWS and PANELS: the views of the centre and the panels around it. Imports the parts, each when first seen."""
