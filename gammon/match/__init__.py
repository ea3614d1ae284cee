"""Matches between any two players, with the luck of the dice removed.

`run_match` plays backgammon, `play_pairs` any game of chance.
"""

from gammon.match.match import MatchSettings, has_one_connection, run_match
from gammon.match.pairs import PairResult, SearchPlayer, play_pairs
from gammon.match.player import Player, parse_player

__all__ = [
    "MatchSettings",
    "PairResult",
    "Player",
    "SearchPlayer",
    "has_one_connection",
    "parse_player",
    "play_pairs",
    "run_match",
]
