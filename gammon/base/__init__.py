"""The tools of all packages: errors, settings and their checks, files, workers, and rendering."""
