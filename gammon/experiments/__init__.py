"""Reproductions of what the papers of *-minimax report, one module each."""
