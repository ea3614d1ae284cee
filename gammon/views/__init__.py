"""What is seen: text tables, JSON, progress."""
