"""The learned cube efficiency, for `scripts/learn_cube.py`: training and evaluation."""
