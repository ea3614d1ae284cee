"""What is asked of the engine, and what it answers."""
