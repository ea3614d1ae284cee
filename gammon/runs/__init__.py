"""Long work that survives: units of work, the processes that do them, and folders."""
