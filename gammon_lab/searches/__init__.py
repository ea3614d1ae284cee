"""Searches of papers after 2007, for any game: ChanceProbCut, sparse sampling, Monte Carlo tree search."""
