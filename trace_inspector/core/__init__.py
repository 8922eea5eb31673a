"""The vocabulary and the pure logic. Standard library only; everything else may import this room."""
