"""The attacks of `scripts/attack.py`, one kind a file."""
