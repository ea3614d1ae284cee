"""Match analysis: what each decision of a match cost, and how lucky its dice were.

`themes` names what a decision is about, `explain` describes what an error gave away.
"""
