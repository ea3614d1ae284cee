"""The engine for programs in C and JavaScript: its functions, records and files."""
