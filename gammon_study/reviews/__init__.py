"""Match analysis: what each decision of a match cost, and how lucky its dice were.

`themes` says what a decision is about, `explain` what an error gave away.
"""
