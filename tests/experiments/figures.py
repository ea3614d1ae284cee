"""Figures that a reproduction wrote."""


def differences(rows, column="difference"):
    """Return a column as numbers."""
    return [float(row[column]) for row in rows]
