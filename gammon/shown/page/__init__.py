"""The report of a review: one file for a browser, see docs/review.md."""
