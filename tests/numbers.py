"""Things that a file of results may have in the place of three numbers."""

NOT_NUMBERS = [
    None, {}, [], [1, 2], [1, 2, "3"], [1, 2, None], [1, 2, True], [1, 2, 10**400],
    [1, 2, float("nan")], [1, 2, float("inf")], [[1], 2, 3],
]  # fmt: skip
