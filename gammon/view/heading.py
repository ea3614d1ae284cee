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
from gammon.rules.stakes import MONEY, NAMED_STAKES, Stakes
from gammon.rules.terms import Terms
from gammon.view.board import board_view
from gammon.view.tables import Fitted, indented

#: The command that decides about the cube.
_TELLER = "`gammon analyze` with the cube"
_OFFERS = {"D": "double", "B": "beaver", "R": "raccoon"}


def unit_of(terms: Terms | None) -> str:
    """Return the name of equities at these terms, without terms those of a cubeless answer."""
    return "EMG" if terms and terms.length else "Equity"


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
        *(
            Text(f"  {each}", no_wrap=True, overflow="ignore")
            for each in (position.xgid, position.ogid)
        ),
        *(indented(Text(line)) for line in lines),
    ]


def stakes_words(stakes: Stakes) -> str:
    """Return cubeless stakes in words."""
    return "money" if stakes == MONEY else f"stakes {stakes}"


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


def notes(position: Position, stakes: Stakes | None, shown: str = "") -> list[str]:
    """Return what an answer leaves out, a line for each thing.

    Args:
        position: with dice where the answer is about a play.
        stakes: what results were worth to the player on roll; None with the cube, where
            nothing is left out.
        shown: what is shown before the roll; the best play of each roll unless given.
    """
    if stakes is None:
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
    left_out = _left_out(context, stakes)
    if left_out:
        names, details = " and ".join(left_out), "; ".join(filter(None, left_out.values()))
        details = f": {details}" if details else ""
        found.append(f"{names[0].upper()}{names[1:]} not taken into account{details}.")
    return found


def _left_out(context: Context, stakes: Stakes) -> dict[str, str]:
    """Return what does not count, with its state in words."""
    found = {}
    fitting = _fitting_stakes(context)
    if context.length and not _stand_for_score(stakes, fitting):
        hint = f" (stakes {fitting} would fit)" if fitting else ""
        found["score"] = score_words(context) + hint
    turned = context.cube_owner or context.cube_log2
    matters = context.length and (_may_double(context) or _may_double(context.after_play()))
    if turned or matters:
        found["cube"] = cube_words(1 << context.cube_log2, context.cube_owner)
    if context.jacoby and not context.length and not context.cube_owner and stakes == MONEY:
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


def _stand_for_score(stakes: Stakes, fitting: str) -> bool:
    """Tell whether stakes are the fitting ones; any numbers are, where no name fits."""
    if not fitting:
        return stakes not in NAMED_STAKES.values()
    return _in_one_unit(stakes) == _in_one_unit(NAMED_STAKES[fitting])


def _in_one_unit(stakes: Stakes) -> list[float]:
    """Return stakes in the unit in which a game lost is worth 0, and one won 1."""
    return [round((worth - stakes.lose) / (stakes.win - stakes.lose), 6) for worth in stakes]


def _may_double(context: Context) -> bool:
    """Tell whether the player on roll can turn the cube, to some effect."""
    if context.crawford or context.cube_owner not in (0, context.on_roll):
        return False
    if context.cube_log2 >= context.max_cube_log2:
        return False
    own = context.scores[0 if context.on_roll == BOTTOM else 1]
    return not context.length or context.length - own > 1 << context.cube_log2
