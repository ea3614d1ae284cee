"""Matches between any two players, with the luck of the dice taken out."""

from gammon.match.player import Player, parse_player
from gammon.match.run import Settings, run_match

__all__ = ["Player", "Settings", "parse_player", "run_match"]
