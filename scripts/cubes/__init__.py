"""The learned efficiency of the cube, for `scripts/learn_cube.py`: learning, and judging."""
