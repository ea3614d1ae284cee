"""The engine as flat functions: what Python, C and other languages call around a search."""
