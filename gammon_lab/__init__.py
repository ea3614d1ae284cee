"""The laboratory: the papers' games and experiments, judges, the benchmark, other programs."""
