"""Parts of the tug of war that are wrong, each in one way: for tests of checks."""

import ctypes
from itertools import count

import numpy as np

from gammon.compiled.kernel import kernel
from gammon.compiled.records import Float32Matrix, Float32Vector, Float64Vector, UInt64Vector
from gammon.search.game import NOT_OVER, Params, Rows, State
from tests.engine.search import tug

END = tug.END
_COUNT = count()
#: Another number at each call, also for compiled code.
NEXT = ctypes.CFUNCTYPE(ctypes.c_int64)(lambda: next(_COUNT))


@kernel()
def unsure(state: State, params: Params, weight: Float64Vector) -> int:
    weight[0] = weight[1] = 0.25
    return 2


@kernel()
def negative(state: State, params: Params, weight: Float64Vector) -> int:
    weight[0], weight[1] = 1.5, -0.5
    return 2


@kernel()
def halved(state: State, params: Params, weight: Float64Vector) -> int:
    weight[0] = 0.5
    return 2


@kernel()
def no_outcomes(state: State, params: Params, weight: Float64Vector) -> int:
    return 0


@kernel()
def by_unknown_params(state: State, params: Params, weight: Float64Vector) -> int:
    weight[0] = 0.25 + 0.5 * params[4]
    weight[1] = 1 - weight[0]
    return 2


@kernel()
def writing_params(state: State, params: Params, weight: Float64Vector) -> int:
    params[0] += 1
    weight[0] = 1
    return 1


@kernel()
def stuck(state: State, outcome: int, params: Params, rows: Rows) -> int:
    return 0


@kernel()
def crowded(state: State, outcome: int, params: Params, rows: Rows) -> int:
    for j in range(3):
        rows[j, 0] = j
    return 3


@kernel(inner=True)
def _write(rows: Rows, place: int, number: int) -> None:
    rows[place, 0] = number


@kernel()
def crowded_by_another(state: State, outcome: int, params: Params, rows: Rows) -> int:
    for j in range(3):
        _write(rows, j, j)
    return 3


@kernel()
def uncounted(state: State, outcome: int, params: Params, rows: Rows) -> int:
    rows[0, 0], rows[1, 0] = 1, 2
    return 5


@kernel()
def hasty(state: State, outcome: int, params: Params, rows: Rows) -> int:
    rows[0, 0] = -state[0]
    return 2


@kernel()
def double(state: State, outcome: int, params: Params, rows: Rows) -> int:
    rows[0, 0] = rows[1, 0] = -state[0] - 1
    return 2


@kernel()
def moody(state: State, outcome: int, params: Params, rows: Rows) -> int:
    rows[0, 0] = NEXT() % 5
    return 1


@kernel()
def wider(state: State, outcome: int, params: Params, rows: Rows) -> int:
    rows[0, 0] = -state[0] - state[1] - 1
    return 1


@kernel()
def careless(state: State, outcome: int, params: Params, rows: Rows) -> int:
    state[0] += 1
    rows[0, 0] = -state[0]
    return 1


@kernel()
def undefined(state: State, stake: int, params: Params) -> float:
    return np.nan


@kernel()
def endless(state: State, stake: int, params: Params) -> float:
    return -np.inf if abs(state[0]) >= END else NOT_OVER


@kernel()
def blind(state: State, stake: int, params: Params, limits: Float64Vector) -> None:
    limits[0] = max(limits[0], 0.0)
    limits[1] = max(limits[1], 0.0)


@kernel()
def wide(state: State, stake: int, params: Params, limits: Float64Vector) -> None:
    limits[0] -= 1


@kernel()
def empty(state: State, stake: int, params: Params, limits: Float64Vector) -> None:
    limits[0], limits[1] = 1, -1


@kernel()
def partial(
    parent: State, rows: Rows, n: int, weights: Float32Vector, out: Float32Matrix, scratch: UInt64Vector
) -> None:
    for j in range(n):
        out[j, 0] = (rows[j, 0] + parent[0]) / 100
        out[j, 1] = 0


@kernel()
def restless(
    parent: State, rows: Rows, n: int, weights: Float32Vector, out: Float32Matrix, scratch: UInt64Vector
) -> None:
    for j in range(n + 1):
        out[j, 0] = out[j, 1] = 0


@kernel()
def crowd(
    parent: State, rows: Rows, n: int, weights: Float32Vector, out: Float32Matrix, scratch: UInt64Vector
) -> None:
    for j in range(n):
        out[j, 0] = rows[min(j + 1, n - 1), 0] / END
        out[j, 1] = 0


@kernel()
def vain(
    parent: State, rows: Rows, n: int, weights: Float32Vector, out: Float32Matrix, scratch: UInt64Vector
) -> None:
    for j in range(n):
        out[j, 0] = out[j, 1] = 0
        rows[j, 0] = 1


@kernel()
def lazy(outputs: Float32Matrix, n: int, stake: int, params: Params, values: Float32Vector) -> None:
    values[0] = 0


@kernel()
def spilling(outputs: Float32Matrix, n: int, stake: int, params: Params, values: Float32Vector) -> None:
    for j in range(n + 1):
        values[j] = 0


@kernel()
def growing(state: State, outcome: int, params: Params, rows: Rows) -> int:
    rows[0, 0] = state[0] + state[0]
    return 1


@kernel()
def nothing(
    parent: State, rows: Rows, n: int, weights: Float32Vector, out: Float32Matrix, scratch: UInt64Vector
) -> None:
    out[:] = 0


LEAF = tug.LEAF
#: Each fault, and the words about it: compiled, and as plain Python where it is another.
INDEX = "raises IndexError"
GAMES = [
    ({"outcomes": unsure}, r"outcomes of \[0\] are \[0.25 0.25\], of sum 0.5; expected"),
    ({"outcomes": negative}, r"outcomes of \[0\] are \[1.5 -0.5\]"),
    ({"outcomes": halved}, r"outcomes of \[0\] are \[0.5 nan\], of sum nan"),
    ({"outcomes": no_outcomes}, r"outcomes of \[0\] returns 0; expected 1 to max_outcomes, 3"),
    ({"outcomes": by_unknown_params}, "reads behind the end of params: their length is 4", INDEX),
    ({"outcomes": writing_params}, "writes into params"),
    ({"max_outcomes": 2}, "outcomes .* writes behind the end of weight: max_outcomes is 2", INDEX),
    ({"successors": stuck}, "successors .* are none; a player who cannot move passes"),
    ({"successors": crowded}, "writes behind the end of rows: max_successors x width is 2 x 1", INDEX),
    (
        {"successors": crowded_by_another},
        "writes behind the end of rows: max_successors x width is 2 x 1",
        INDEX,
    ),
    ({"successors": uncounted}, "returns 5; expected 1 to max_successors, 2"),
    (
        {"max_successors": 1},
        r"tug of war: successors of \[0\] after outcome \d writes behind the end of rows: "
        r"max_successors x width is 1 x 1",
        INDEX,
    ),
    ({"successors": hasty}, "leaves parts of rows unwritten"),
    ({"successors": double}, "are the same twice; expected distinct rows"),
    ({"successors": moody}, "gives another result when it is called again"),
    ({"successors": wider}, "reads behind the end of state: width is 1", INDEX),
    ({"successors": careless}, "writes into state"),
    ({"terminal": undefined}, r"terminal of \[0\] is nan; expected -6 to 6"),
    ({"terminal": endless}, "terminal of .* is -inf; expected -6 to 6"),
    ({"low": -2.0, "high": 2.0}, r"of \[.*\] is -?[23].*; expected -2 to 2, the bounds for"),
    ({"low": -6.0, "high": 2.0}, "of .* is -?[23].*; expected -.* to .*, the bounds for"),
    ({"bounds": wide}, r"bounds of \[0\] are -7 and 6; expected narrower ones than -6 and 6"),
    ({"bounds": empty}, r"bounds of \[0\] are 1 and -1; expected"),
    ({"bounds": blind}, "is -?[13]; the bounds of an earlier state are"),
]
EVALUATORS = [
    ({"evaluate": partial}, "gives .* as a successor of .*, and .* as its own parent"),
    ({"evaluate": restless}, "evaluate of .* writes behind the end of out: n x outputs", INDEX),
    ({"evaluate": crowd}, "expected the same"),
    ({"evaluate": vain}, "writes into rows, which it may only read"),
    ({"outputs": 1}, "evaluate of .* writes behind the end of out: n x outputs is", INDEX),
    ({"weights": LEAF.weights[:8]}, "reads behind the end of weights: their length is 8", INDEX),
    ({"weights": LEAF.weights * np.float32(np.nan)}, "the static value of .* is nan; expected"),
    ({"weights": LEAF.weights * 100}, "the static value of .* is .*; expected -6 to 6"),
    ({"fold": lazy}, "the static value of .* is nan"),
    ({"fold": spilling}, "fold of .* writes behind the end of values: n is", INDEX),
]
