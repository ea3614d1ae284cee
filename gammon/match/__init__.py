"""Matches between any two players, with the luck of the dice taken out."""

from gammon.match.match import MatchSettings, run_match
from gammon.match.player import Player, parse_player

__all__ = ["MatchSettings", "Player", "parse_player", "run_match"]
