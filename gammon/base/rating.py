"""The unit of the performance rating (PR)."""

#: A performance rating (PR) is the mean loss of a decision in points times 500, as in XG.
RATING = 500.0
