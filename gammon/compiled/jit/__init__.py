"""Everything that needs numba: the compiler of kernels, and what vectors become in it.

Kernels that were compiled ahead of time run without this room. It is for whoever changes a
kernel, adds a game or an evaluator of their own, or builds the library.
"""
