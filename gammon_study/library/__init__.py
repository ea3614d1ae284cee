"""A library of matches: what its players get wrong, by theme, and why.

`library` keeps the matches in a file, `add` adds them, and `record` derives the rows of a review.
`ask` turns a selection of decisions into SQL, `stats` and `errors` answer it, and `export`
writes files.
"""
