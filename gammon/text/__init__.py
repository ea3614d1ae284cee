"""Answers of the engine as text: the board, and tables of plays and of rolls."""
