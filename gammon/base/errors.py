"""The errors that gammon raises on purpose.

Each message quotes the offending input and says what would be right, in one
line, so that the command line can print it as it is.
"""


class GammonError(Exception):
    """Base of every error that gammon raises on purpose."""


class FormatError(GammonError, ValueError):
    """Text that is not what its format asks for (a truncated ID, dice `70`)."""


class SettingError(GammonError, ValueError):
    """A setting out of its range, or an array of the wrong shape or type.

    Args:
        message: a line for people.
        setting: the name of the setting that is wrong, where that is one.

    Attributes:
        setting: that name, or None.
    """

    def __init__(self, message: object, setting: str | None = None) -> None:
        super().__init__(message)
        self.setting = setting


class SearchError(SettingError):
    """A search that cannot be: an unknown algorithm, a depth of the wrong parity."""


class GameError(SearchError):
    """A game or an evaluator that breaks its contract: a row too many, chances above 1."""


class IllegalPositionError(GammonError, ValueError):
    """A position that cannot arise, or that cannot be played on."""


class IllegalPlayError(GammonError, ValueError):
    """A play that the rules do not allow in its position."""


class AmbiguousPlayError(GammonError, ValueError):
    """A text that more than one legal play answers to."""


class ModelError(GammonError):
    """A model file that is missing, damaged, or not one of ours."""


class UnfinishedError(GammonError):
    """Work that its limit of time, or a stop, has ended before there was an answer."""


class MissingExtraError(GammonError, ImportError):
    """A library that only an extra of the package brings is not installed."""
