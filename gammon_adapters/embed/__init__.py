"""The engine for programs in C and JavaScript: its calls, its numbers, its files."""
