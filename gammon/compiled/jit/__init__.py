"""Everything that needs numba: the compiler of kernels, and its implementation of vectors.

Kernels that were compiled ahead of time run without this package. It is needed to change a
kernel, to add a game or an evaluator, or to build the library.
"""
