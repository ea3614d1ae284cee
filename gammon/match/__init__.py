"""Matches between any two players, with the luck of the dice removed.

`run_match` plays backgammon, `play_pairs` any game of chance.
"""

from gammon.match.match import MatchSettings, run_match
from gammon.match.pairs import PairResult, SearchPlayer, play_pairs
from gammon.match.player import Player, parse_player

__all__ = ["MatchSettings", "PairResult", "Player", "SearchPlayer", "parse_player", "play_pairs", "run_match"]
