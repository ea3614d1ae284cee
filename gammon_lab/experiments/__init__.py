"""Results of papers and studies of our own: the work of `gammon reproduce` and `noise`."""
