"""Reports of measurements: tables and plots, and the pages that keep them."""
