"""Results of papers and studies of our own: run by `gammon reproduce` and `gammon noise`."""
