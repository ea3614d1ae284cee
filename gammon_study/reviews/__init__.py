"""Match analysis: what each decision of a match cost, and how lucky its dice were.

`explain` names what a decision is about, and describes what an error gave away. `imported` takes the
analysis of a file in place of a search.
"""
