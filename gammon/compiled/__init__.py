"""Our dialect of numba: one decorator, records, vectors, and compiled code on disk."""
