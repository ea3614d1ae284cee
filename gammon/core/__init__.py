"""Kernels around a search: the games of rollouts, their dice and luck, and equities."""
