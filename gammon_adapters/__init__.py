"""How other programs reach gammon: line by line, as an environment, or linked to it."""
