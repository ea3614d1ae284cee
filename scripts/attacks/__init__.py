"""The attacks of `scripts/attack.py`, one file for each kind."""
