"""What is true of backgammon: positions, rolls, plays, payoffs."""
