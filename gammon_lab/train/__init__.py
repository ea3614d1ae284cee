"""Training the evaluator by self-play, from random weights."""
