"""How other programs ask gammon: as a player, or for analyses, line by line."""
