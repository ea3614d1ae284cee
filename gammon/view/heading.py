"""The heading of an answer: the board, the IDs, a title, and lines about the terms.

A cubeless answer has notes about the parts of the position's context that it leaves out. There
the score counts only through the stakes. Colours of the board only repeat what the letters show, in
shades that are readable on black and on white; piped output has none.
"""

from collections.abc import Sequence

from rich.console import RenderableType
from rich.text import Text

from gammon.engine.analysis import Analysis, Kind
from gammon.engine.cube import CubeAction, CubeDecision
from gammon.eval.janowski import costs_nothing
from gammon.formats.context import BOTTOM, SEATS, TOP, Context, cube_words, score_words
from gammon.formats.position import Position
from gammon.rules.board import OWN_BAR, THEIR_BAR
from gammon.rules.terms import CUBELESS, HIGHEST_CUBE, NAMED_STAKES, Payoffs, Terms
from gammon.view.tables import WIDTH, Fitted, indented

_ROWS = 5
_STYLES = {"X": "bold green", "O": "bold magenta"}
_INDENT = "  "


def board_view(position: Position, turned: bool = False, pips: bool = True) -> Fitted:
    """Return the board as a view for any width; see `board_text`."""
    return Fitted(lambda width: board_text(position, width, turned, pips))


def board_text(position: Position, width: int = WIDTH, turned: bool = False, pips: bool = True) -> Text:
    """Return the board as text. The player on roll is at the bottom and bears off at the right.

    X and O are the players of the position's IDs: X is the bottom player of an XGID, and GNU
    Backgammon's player 1.

    Args:
        position: the checkers, and the player on roll.
        width: the characters of a line. If the board and its notes do not fit side by side, the
            notes stand above and below it; if the board does not fit, it is left out.
        turned: whether the player on roll is at the top.
        pips: whether to show the pip counts.
    """
    own, their = SEATS[position.context.on_roll], SEATS[-position.context.on_roll]
    (own_pips, their_pips), (own_off, their_off) = position.pips, position.off
    theirs, ours = (f"pips {count}, " if pips else "" for count in (their_pips, own_pips))
    above = f"{their}: {theirs}off {their_off}", _STYLES[their]
    turn = "" if position.is_over or position.context.offer else ", to play"
    below = f"{own}{turn}: {ours}off {own_off}", _STYLES[own]
    lines = _lines(position.points, own, their)
    if turned:
        above, below, lines = below, above, lines[::-1]
    board_width = len(_INDENT + lines[0])
    beside = board_width + len(_INDENT) + max(len(above[0]), len(below[0])) <= width
    text = Text()
    if not beside:
        text.append(_INDENT).append(*above).append("\n")
    for number, line in enumerate(lines) if board_width <= width else ():
        first, last = number == 0, number == len(lines) - 1
        text.append(_INDENT)
        for letter in line:
            text.append(letter, "" if first or last else _STYLES.get(letter, ""))
        if beside and first:
            text.append(_INDENT).append(*above)
        if beside and last:
            text.append(_INDENT).append(*below)
        text.append("\n")
    if not beside:
        text.append(_INDENT).append(*below).append("\n")
    text.right_crop(1)
    return text


def _lines(points: Sequence[int], own: str, their: str) -> list[str]:
    """Return the lines of the board; `own` and `their` are the letters of the players."""
    upper = [range(13, 19), range(19, 25)]
    lower = [range(12, 6, -1), range(6, 0, -1)]
    cells = [_column(count, own if count > 0 else their) for count in points]
    return [
        "+13-14-15-16-17-18------19-20-21-22-23-24-+",
        *_half(cells, upper, OWN_BAR, range(_ROWS)),
        "|                  |BAR|                  |",
        *_half(cells, lower, THEIR_BAR, range(_ROWS - 1, -1, -1)),
        "+12-11-10--9--8--7-------6--5--4--3--2--1-+",
    ]


def _half(cells: list[list[str]], quarters: list[range], bar: int, order: range) -> list[str]:
    """Return the lines of the upper or the lower half of the board."""
    lines = []
    for row in order:
        left, right = ("".join(f"{cells[p][row]:^3}" for p in quarter) for quarter in quarters)
        lines.append(f"|{left}|{cells[bar][row]:^3}|{right}|")
    return lines


def _column(count: int, letter: str) -> list[str]:
    """Return the cells of a point, from the edge of the board inwards.

    If there are more checkers than rows, the innermost cell shows their number.
    """
    size = abs(count)
    cells = [letter if row < size else "" for row in range(_ROWS)]
    if size > _ROWS:
        cells[-1] = str(size)
    return cells


#: The command that decides about the cube.
_CUBE_COMMAND = "`gammon analyze` with the cube"
_OFFERS = {"D": "double", "B": "beaver", "R": "raccoon"}


def unit_of(terms: Terms) -> str:
    """Return the name of equities at these terms."""
    return "EMG" if terms.length else "Equity"


def heading(
    position: Position, title: str, lines: Sequence[str], turned: bool = False
) -> list[RenderableType]:
    """Return the views above the tables of an answer.

    Args:
        position: the position, for the board and the IDs.
        title: a line with the player on roll and the kind of answer.
        lines: further lines, such as the terms.
        turned: whether the player on roll is at the top.
    """
    ids = f"Position ID: {position.position_id}", f"Match ID: {position.match_id}"
    beside = "   ".join(ids)
    lines = [title, *lines]
    if position.context.on_roll == TOP:
        seen = "points are numbered" if turned else "the board and the plays are seen"
        lines.insert(0, f"O is on roll: {seen} from O's side.")
    return [
        board_view(position, turned),
        "",
        indented(Fitted(lambda room: Text(beside if len(beside) <= room else "\n".join(ids)))),
        # Never broken, so that they can be copied.
        *(Text(f"  {line}", no_wrap=True, overflow="ignore") for line in (position.xgid, position.ogid)),
        *(indented(Text(line)) for line in lines),
    ]


def stakes_words(terms: Terms) -> str:
    """Return a phrase with the stakes of a cubeless answer."""
    return "money" if terms == CUBELESS else f"stakes {terms.payoffs}"


def money_words(terms: Terms) -> str:
    """Return a phrase with the rules of games for money."""
    rules = ("Jacoby rule", terms.jacoby), ("beavers", terms.beavers)
    return ", ".join(["money", *(name for name, holds in rules if holds)])


def terms_words(terms: Terms, context: Context) -> str:
    """Return a sentence with the terms, including the cube.

    Args:
        terms: what is at stake for the player on roll.
        context: the context of the position, with the seats and the score.
    """
    if terms.length:
        own, their = terms.away
        game = f"{score_words(context)} ({own}-away {their}-away)"
    else:
        game = money_words(terms)
    cube = cube_words(terms.cube, terms.owner * context.on_roll)
    dead = ", dead" if terms.dead and not terms.crawford else ""
    return f"At stake: {game}, {cube}{dead}."


def notes(position: Position, terms: Terms, shown: str = "") -> list[str]:
    """Return a line for each thing that an answer leaves out.

    Args:
        position: the position, with dice if the answer is about a play.
        terms: what is at stake for the player on roll. With the cube only its limit may be left out.
        shown: a phrase for what an answer before the roll shows; the best play of each roll
            unless given.
    """
    if terms.payoffs is None:
        return _limit_notes(position.context, terms)
    context, player = position.context, SEATS[position.context.on_roll]
    lines = []
    if position.dice is None:
        shown = shown or f"shown is {player}'s best play of each roll"
        if context.offer:
            offer = _OFFERS[context.offer]
            command = _CUBE_COMMAND if context.offer == "D" else "No command"
            lines.append(f"{command} decides whether to take the {offer}; {shown}.")
        elif _may_double(context):
            lines.append(f"{_CUBE_COMMAND} decides whether to double; {shown}.")
    left_out = _left_out(context, terms.payoffs)
    if left_out:
        names, details = " and ".join(left_out), "; ".join(filter(None, left_out.values()))
        details = f": {details}" if details else ""
        lines.append(f"{names[0].upper()}{names[1:]} not taken into account{details}.")
    return lines


def cube_notes(decision: CubeDecision) -> list[str]:
    """Return the lines of `notes` for a decision about the cube, and one about a doubtful verdict."""
    lines = notes(decision.position, decision.terms)
    context, terms = decision.position.context, decision.terms
    if {*terms.away} == {1, terms.length} and not terms.crawford and terms.length > 1:
        behind = SEATS[context.on_roll if terms.away[0] > 1 else -context.on_roll]
        lines.append(
            f"{behind} has no point, so this can only be the Crawford game, in which nobody doubles; the "
            "answer is for a game after it."
        )
    if _is_doubtful(decision):
        lines.append(_doubtful_words(decision))
    return lines


def grid_notes(answers: Sequence[Analysis | CubeDecision], context: Context) -> list[str]:
    """Return the notes on answers by score: about the highest cube, and about doubtful verdicts."""
    lines = _limit_notes(context, *(answer.terms for answer in answers))
    doubtful = [answer for answer in answers if isinstance(answer, CubeDecision) and _is_doubtful(answer)]
    if doubtful:
        at = ", ".join(dict.fromkeys("{}-away {}-away".format(*answer.terms.away) for answer in doubtful))
        words = _doubtful_words(doubtful[0])
        lines.append(f"At {at} the verdict is doubtful: {words[0].lower()}{words[1:]}")
    return lines


def _is_doubtful(decision: CubeDecision) -> bool:
    """Return whether a position is too good to double by a search, where a double costs nothing."""
    too_good, searched = decision.action is CubeAction.TOO_GOOD, decision.no_double.kind is not Kind.ROLLOUT
    return too_good and searched and costs_nothing(decision.terms)


def _doubtful_words(decision: CubeDecision) -> str:
    player = SEATS[decision.position.context.on_roll]
    return (
        f"A double costs {player} nothing. Then the model of the cube makes No double up to 0.1 too good: a "
        "rollout is more reliable."
    )


def _limit_notes(context: Context, *terms: Terms) -> list[str]:
    """Return a line about the highest cube if doubles can pass it in an answer, since values do not know it.

    Args:
        context: the context of the position, with the highest cube.
        terms: all terms of the answer.
    """
    highest = min(1 << context.max_cube_log2, HIGHEST_CUBE)
    if not any(_can_exceed(each, highest) for each in terms):
        return []
    return [f"Highest cube of {highest} not taken into account: values are as if doubles could go on."]


def _can_exceed(terms: Terms, highest: int) -> bool:
    """Return whether doubles that could gain something can turn the cube past a highest value."""
    turning = [side for side in (terms, terms.for_opponent()) if side.may_double]
    while turning and turning[0].cube < highest:
        taken = [side.doubled().for_opponent() for side in turning]
        turning = [side for side in taken if side.may_offer]
    return bool(turning)


def _left_out(context: Context, payoffs: Payoffs) -> dict[str, str]:
    """Return the things that an answer leaves out, with a phrase about the state of each."""
    left_out = {}
    fitting = _fitting_stakes(context)
    if context.length and not _stand_for_score(payoffs, fitting):
        hint = f" (stakes {fitting} would fit)" if fitting else ""
        left_out["score"] = score_words(context) + hint
    turned = context.cube_owner or context.cube_log2
    matters = context.length and (_may_double(context) or _may_double(context.after_play()))
    if turned or matters:
        left_out["cube"] = cube_words(1 << context.cube_log2, context.cube_owner)
    money = not context.length and payoffs == CUBELESS.payoffs
    if money and context.jacoby and not context.cube_owner:
        left_out["Jacoby rule"] = ""
    return left_out


def _fitting_stakes(context: Context) -> str:
    """Return the name of the stakes that fit a score, or an empty text."""
    bottom, top = (context.length - score for score in context.scores)
    own, their = (bottom, top) if context.on_roll == BOTTOM else (top, bottom)
    cube = 1 << context.cube_log2
    if max(own, their) <= cube:
        return "dmp"
    if context.is_crawford and cube == 1:
        return {(2, 1): "gammon-go", (1, 2): "gammon-save"}.get((own, their), "")
    return ""


def _stand_for_score(payoffs: Payoffs, fitting: str) -> bool:
    """Return whether payoffs fit a score; if no named stakes fit it, any other payoffs may."""
    named = {name: terms.payoffs for name, terms in NAMED_STAKES.items() if terms.payoffs}
    if not fitting:
        return payoffs not in named.values()
    return _in_one_unit(payoffs) == _in_one_unit(named[fitting])


def _in_one_unit(payoffs: Payoffs) -> list[float]:
    """Return payoffs on the scale on which a lost game pays 0 and a won game 1."""
    scale = payoffs.win - payoffs.lose
    return [round((payoff - payoffs.lose) / scale, 6) for payoff in payoffs]


def _may_double(context: Context) -> bool:
    """Return whether the player on roll can turn the cube and may gain by it."""
    if context.is_crawford or context.cube_owner not in (0, context.on_roll):
        return False
    if context.cube_log2 >= context.max_cube_log2:
        return False
    own = context.scores[0 if context.on_roll == BOTTOM else 1]
    return not context.length or context.length - own > 1 << context.cube_log2
