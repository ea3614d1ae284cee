"""Training the evaluator by self-play, from nothing."""
