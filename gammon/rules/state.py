"""A position as compiled code takes it; `board` has the same counts as a tuple.

The names stand apart from `board`, so that reading a position needs no compiler.
"""

from gammon.compiled.records import Int8Matrix, Int8Vector

#: A state, int8 [26], in the order of `gammon.rules.board`.
State = Int8Vector
#: States, int8 [N, 26].
Rows = Int8Matrix
