"""What papers report, and studies of our own: what `gammon reproduce` and `gammon noise` do."""
