"""Backgammon as the search sees it: cubeless, for money, gammons and backgammons counted."""

from gammon.rules.board import SIZE
from gammon.rules.dice import N_ROLLS
from gammon.rules.outcome import MAX_PAYOFF, narrow, payoff
from gammon.rules.plays import MAX_ROWS, outcomes, successors
from gammon.search.game import Game

__all__ = ["BACKGAMMON"]

BACKGAMMON = Game(
    name="backgammon",
    width=SIZE,
    max_outcomes=N_ROLLS,
    max_successors=MAX_ROWS,
    low=-MAX_PAYOFF,
    high=MAX_PAYOFF,
    outcomes=outcomes,
    successors=successors,
    terminal=payoff,
    bounds=narrow,
)
