"""What all packages use: errors, settings and their checks, files, workers, and rendering."""
