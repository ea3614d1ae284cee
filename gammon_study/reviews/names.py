"""Names that questions about decisions may have: themes, phases, kinds, decks, and groups.

Help shows them, so this file needs nothing else.
"""

THEMES = (
    "opening", "blitz", "prime", "holding game", "back game", "containment", "race", "bear-in",
    "bear-off", "hit or not", "point or slot", "anchor", "run", "too good", "missed double",
    "wrong double", "wrong take", "wrong pass", "gammon go", "gammon save",
)  # fmt: skip
#: The phases of a game; each position has one.
PHASES = "opening", "middle game", "race", "bear-off"
#: Rises with each change of a rule for themes, of what is said of an error, or of what else
#: follows from a match: libraries then look at their matches again.
RULES = 7
#: Kinds of decisions; the last one stands for all but plays.
KINDS = "play", "no double", "double", "take", "pass", "cube"
#: Decks of cards for drills.
DECKS = "errors", "openings", "replies", "cubes", "races"
#: Groups of decisions, and those of matches too.
GROUPS = (
    "all", "player", "opponent", "day", "month", "year", "length", "analysis", "match",
    "kind", "phase", "theme",
)  # fmt: skip
