"""GNU Backgammon as a player and a judge to compare with, where it is installed."""

from gammon.gnubg.client import GnuBackgammon, find_program

__all__ = ["GnuBackgammon", "find_program"]
