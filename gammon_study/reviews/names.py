"""Names of themes, phases, kinds, decks, and groups of decisions.

Help texts list them, so this module imports nothing.
"""

THEMES = (
    "opening", "blitz", "prime", "holding game", "back game", "containment", "race", "bear-in",
    "bear-off", "hit or not", "point or slot", "anchor", "run", "too good", "missed double",
    "wrong double", "wrong take", "wrong pass", "gammon go", "gammon save",
)  # fmt: skip
#: The phases of a game; each position has one.
PHASES = "opening", "middle game", "race", "bear-off"
#: The version of the rules for themes, explanations and other derived data. When it rises,
#: libraries derive the rows of their matches again.
RULES = 9
#: Kinds of decisions; the last one means all but plays.
KINDS = "play", "no double", "double", "take", "pass", "cube"
#: The sides to which decisions can lean, and the words for a player who leans to + and to -.
BIASES = {
    "takes": ("takes too much", "passes too much"),
    "doubles": ("doubles too early", "doubles too late"),
    "doubles for money": ("doubles too early", "doubles too late"),
    "doubles ahead": ("doubles too early", "doubles too late"),
    "doubles at an even score": ("doubles too early", "doubles too late"),
    "doubles behind": ("doubles too early", "doubles too late"),
    "blots": ("too bold", "too shy"),
}
#: The kinds of plays, of doubles and of takes.
KINDS_BY_PART = {"plays": ("play",), "doubles": ("no double", "double"), "takes": ("take", "pass")}
#: Decks of cards for drills.
DECKS = "errors", "reference", "notes", "openings", "replies", "cubes", "races"
#: The decks of a drill unless others are asked for; the reference positions are errors, too.
USUAL_DECKS = tuple(deck for deck in DECKS if deck != "reference")
#: Groups of matches, and of decisions.
GROUPS = (
    "all", "player", "opponent", "day", "month", "year", "length", "analysis", "match",
    "kind", "phase", "theme",
)  # fmt: skip
