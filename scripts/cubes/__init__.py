"""A learned cube, for `scripts/learn_cube.py`: what it is, how it learns, how good it is."""
