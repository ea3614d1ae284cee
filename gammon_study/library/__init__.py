"""A library of matches: what its players get wrong, by theme, and why.

`library` keeps the matches in a file, `add` brings them there, and `record` has the rows that
follow from a review. `ask` has the conditions of a question, `stats` and `errors` answer it,
`export` writes files.
"""
