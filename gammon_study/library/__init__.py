"""A library of matches: what its players get wrong, by theme, and why.

`library` keeps the matches in a file, `add` and `merge` add them, and `record` derives the rows of a
review. `matches` lists, removes and renames. `selection` turns a selection of decisions into SQL;
`stats` and `plan` answer it, `export` writes files, and `drill` asks cards of `decks`. `notes` keeps the
user's notes on positions.
"""
