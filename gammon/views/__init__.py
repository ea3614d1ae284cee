"""Output for people and programs: reports, JSON, progress."""
