"""Rollouts: what a position is worth, by playing games from it to the end."""
