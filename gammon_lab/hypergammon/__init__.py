"""Hypergammon, backgammon with three checkers a side: the exact value of every position."""
