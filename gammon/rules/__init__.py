"""The rules of backgammon: positions, rolls, plays, results and payoffs."""
