"""The heading of an answer: the board, the IDs, what is shown, what is at stake or left out.

Notes say which parts of a position's context a cubeless answer leaves out. The score counts
there only as far as the stakes say it.
"""

from collections.abc import Sequence

from rich.console import RenderableType
from rich.text import Text

from gammon.formats.context import BOTTOM, TOP, Context
from gammon.formats.position import Position
from gammon.formats.words import SEATS, cube_words, score_words
from gammon.rules.terms import CUBELESS, NAMED_STAKES, Payoffs, Terms
from gammon.view.board import board_view
from gammon.view.tables import Fitted, indented

#: The command that decides about the cube.
_TELLER = "`gammon analyze` with the cube"
_OFFERS = {"D": "double", "B": "beaver", "R": "raccoon"}


def unit_of(terms: Terms) -> str:
    """Return the name of equities at these terms."""
    return "EMG" if terms.length else "Equity"


def heading(
    position: Position, said: str, found: Sequence[str], turned: bool = False
) -> list[RenderableType]:
    """Return the views that stand above the tables of an answer.

    Args:
        position: the board that is drawn; its IDs are printed.
        said: who is on roll and what the answer is, in a line.
        found: the answer's notes.
        turned: whether the player on roll is at the top.
    """
    ids = f"Position ID: {position.position_id}", f"Match ID: {position.match_id}"
    beside = "   ".join(ids)
    lines = [said, *found]
    if position.context.on_roll == TOP:
        seen = "points are numbered" if turned else "the board and the plays are seen"
        lines.insert(0, f"O is on roll: {seen} from O's side.")
    return [
        board_view(position, turned),
        "",
        indented(Fitted(lambda room: Text(beside if len(beside) <= room else "\n".join(ids)))),
        # Never broken, so that they can be copied.
        *(Text(f"  {each}", no_wrap=True, overflow="ignore") for each in (position.xgid, position.ogid)),
        *(indented(Text(line)) for line in lines),
    ]


def stakes_words(terms: Terms) -> str:
    """Return in words what a cubeless answer is played for."""
    return "money" if terms == CUBELESS else f"stakes {terms.payoffs}"


def terms_words(terms: Terms, context: Context) -> str:
    """Return in a sentence what is at stake, with the cube.

    Args:
        terms: of the player on roll.
        context: of the position; it names the seats and the score.
    """
    if terms.length:
        own, their = terms.away
        game = f"{score_words(context)} ({own}-away {their}-away)"
    else:
        rules = ("Jacoby rule", terms.jacoby), ("beavers", terms.beavers)
        game = ", ".join(["money", *(name for name, holds in rules if holds)])
    cube = cube_words(terms.cube, terms.owner * context.on_roll)
    dead = ", dead" if terms.dead and not terms.crawford else ""
    return f"At stake: {game}, {cube}{dead}."


def notes(position: Position, terms: Terms, shown: str = "") -> list[str]:
    """Return what an answer leaves out, a line for each thing.

    Args:
        position: with dice where the answer is about a play.
        terms: what was at stake for the player on roll. With the cube nothing is left out.
        shown: what is shown before the roll; the best play of each roll unless given.
    """
    if terms.payoffs is None:
        return []
    context, player = position.context, SEATS[position.context.on_roll]
    found = []
    if position.dice is None:
        shown = shown or f"shown is {player}'s best play of each roll"
        if context.offer:
            offer = _OFFERS[context.offer]
            teller = _TELLER if context.offer == "D" else "Nothing"
            found.append(f"{teller} tells whether to take the {offer}; {shown}.")
        elif _may_double(context):
            found.append(f"{_TELLER} tells whether to double; {shown}.")
    left_out = _left_out(context, terms.payoffs)
    if left_out:
        names, details = " and ".join(left_out), "; ".join(filter(None, left_out.values()))
        details = f": {details}" if details else ""
        found.append(f"{names[0].upper()}{names[1:]} not taken into account{details}.")
    return found


def _left_out(context: Context, payoffs: Payoffs) -> dict[str, str]:
    """Return what does not count, with its state in words."""
    found = {}
    fitting = _fitting_stakes(context)
    if context.length and not _stand_for_score(payoffs, fitting):
        hint = f" (stakes {fitting} would fit)" if fitting else ""
        found["score"] = score_words(context) + hint
    turned = context.cube_owner or context.cube_log2
    matters = context.length and (_may_double(context) or _may_double(context.after_play()))
    if turned or matters:
        found["cube"] = cube_words(1 << context.cube_log2, context.cube_owner)
    money = not context.length and payoffs == CUBELESS.payoffs
    if money and context.jacoby and not context.cube_owner:
        found["Jacoby rule"] = ""
    return found


def _fitting_stakes(context: Context) -> str:
    """Return the named stakes that a score stands for, or nothing."""
    bottom, top = (context.length - score for score in context.scores)
    own, their = (bottom, top) if context.on_roll == BOTTOM else (top, bottom)
    cube = 1 << context.cube_log2
    if max(own, their) <= cube:
        return "dmp"
    if context.crawford and cube == 1:
        return {(2, 1): "gammon-go", (1, 2): "gammon-save"}.get((own, their), "")
    return ""


def _stand_for_score(payoffs: Payoffs, fitting: str) -> bool:
    """Tell whether payoffs are the fitting ones; any numbers are, where no name fits."""
    named = {name: terms.payoffs for name, terms in NAMED_STAKES.items() if terms.payoffs}
    if not fitting:
        return payoffs not in named.values()
    return _in_one_unit(payoffs) == _in_one_unit(named[fitting])


def _in_one_unit(payoffs: Payoffs) -> list[float]:
    """Return payoffs in the unit in which a game lost pays 0, and one won 1."""
    scale = payoffs.win - payoffs.lose
    return [round((paid - payoffs.lose) / scale, 6) for paid in payoffs]


def _may_double(context: Context) -> bool:
    """Tell whether the player on roll can turn the cube, to some effect."""
    if context.crawford or context.cube_owner not in (0, context.on_roll):
        return False
    if context.cube_log2 >= context.max_cube_log2:
        return False
    own = context.scores[0 if context.on_roll == BOTTOM else 1]
    return not context.length or context.length - own > 1 << context.cube_log2
