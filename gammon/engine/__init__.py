"""The engine: its questions and its answers."""
