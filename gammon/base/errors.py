"""The errors that gammon raises on purpose.

Each message is one line that quotes the offending input and what was expected, so that the
command line can print it unchanged.
"""


class GammonError(Exception):
    """Base of every error that gammon raises on purpose."""


class FormatError(GammonError, ValueError):
    """Text that does not follow its format (a truncated ID, dice `70`)."""


class SettingError(GammonError, ValueError):
    """A setting out of its range, or an array of the wrong shape or type.

    Args:
        message: one line for people.
        setting: the name of the wrong setting, if it is a single one.

    Attributes:
        setting: the name, or None.
    """

    def __init__(self, message: object, setting: str | None = None) -> None:
        super().__init__(message)
        self.setting = setting


class SearchError(SettingError):
    """An impossible search: an unknown algorithm, a depth of the wrong parity."""


class GameError(SearchError):
    """A game or an evaluator that breaks its contract: a row too many, chances above 1."""


class IllegalPositionError(GammonError, ValueError):
    """A position that cannot arise, or that cannot be played on."""


class IllegalPlayError(GammonError, ValueError):
    """A play that the rules do not allow in its position."""


class AmbiguousPlayError(GammonError, ValueError):
    """A text that fits more than one legal play."""


class ModelError(GammonError):
    """A model file that is missing, damaged, or not made by gammon."""


class UnfinishedError(GammonError):
    """Work that a time limit, or a stop, ended before there was an answer."""


class MissingExtraError(GammonError, ImportError):
    """A library is missing that an extra of the package installs."""
