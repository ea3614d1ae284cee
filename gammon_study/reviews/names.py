"""Names of what a decision is about: themes, and the phases of a game.

Help shows them, so this file needs nothing else.
"""

THEMES = (
    "opening", "blitz", "prime", "holding game", "back game", "containment", "race", "bear-in",
    "bear-off", "hit or not", "point or slot", "anchor", "run", "too good", "missed double",
    "wrong double", "wrong take", "wrong pass", "gammon go", "gammon save",
)  # fmt: skip
#: The phases of a game; each position has one.
PHASES = "opening", "middle game", "race", "bear-off"
