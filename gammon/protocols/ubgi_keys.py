"""The settings of `gammon ubgi`: what each may be, as the protocol announces and sets them."""

from typing import NamedTuple

from gammon.base.checks import shown
from gammon.base.errors import SettingError

__all__ = ["KEYS", "OLD_NAMES", "Key", "changed", "key_of"]

#: A value of a setting.
Setting = int | bool | str


class Key(NamedTuple):
    """A setting.

    Attributes:
        name: as the protocol has it.
        default: its value at first.
        text: what it is, in words.
        low, high: the limits of a number.
        choices: what a word may be.
        minor: whether the answers do not depend on it.
    """

    name: str
    default: Setting
    text: str
    low: int = 0
    high: int = 0
    choices: tuple[str, ...] = ()
    minor: bool = False

    @property
    def kind(self) -> str:
        """Its type and range, such as `int 1..4`."""
        if isinstance(self.default, bool):
            return "bool"
        if isinstance(self.default, int):
            return f"int {self.low}..{self.high}"
        return f"enum {'|'.join(self.choices)}"

    @property
    def line(self) -> str:
        """The line that announces it."""
        mark = " !" if self.minor else ""
        return f"key {self.name} {self.kind} {written(self.default)}{mark} {self.text}"

    def read(self, text: str) -> Setting:
        """Return the value that a text stands for.

        Raises:
            SettingError: the text is not a value of this setting.
        """
        if isinstance(self.default, bool):
            if text.lower() in ("true", "false", "on", "off"):
                return text.lower() in ("true", "on")
        elif isinstance(self.default, int):
            if text.isascii() and text.isdigit() and len(text) < 12:
                value = int(text)
                if self.low <= value <= self.high:
                    return value
        elif text in self.choices:
            return text
        raise SettingError(f"{self.name} {shown(text)} must_be {self.kind}")


KEYS = (
    Key("game.variant", "backgammon", "the only game", choices=("backgammon",)),
    Key("engine.ply", 2, "plies as XG counts them: 1 is static", 1, 4),
    Key("engine.model", "leaf", "the network", choices=("leaf", "large", "probe")),
    Key(
        "engine.filter", "none", "plays that are left out",
        choices=("none", "tiny", "narrow", "normal", "large", "huge"),
    ),
    Key("engine.cube", True, "plays are judged with the cube and the score"),
    Key("engine.noise", 0, "standard deviation of errors in 1/1000 points", 0, 1000),
    Key("engine.seed", 0, "which errors", 0, 2**31 - 1),
    Key("engine.movetime", 0, "milliseconds for a decision, 0 for no limit", 0, 3_600_000),
    Key("engine.threads", 1, "processors for one decision", 1, 256, minor=True),
)  # fmt: skip
_BY_NAME = {key.name: key for key in KEYS}
#: Version 0.1's names of options, in lower case.
OLD_NAMES = {
    "threads": "engine.threads", "seed": "engine.seed", "ply": "engine.ply",
    "model": "engine.model", "evalmode": "engine.cube",
}  # fmt: skip


def key_of(name: str) -> Key | None:
    """Return the setting of a name, or None."""
    return _BY_NAME.get(name)


def written(value: Setting) -> str:
    """Return a value as the protocol writes it."""
    return str(value).lower() if isinstance(value, bool) else str(value)


def changed(values: dict[str, Setting], name: str, text: str) -> dict[str, Setting]:
    """Return settings with one of them changed.

    Args:
        values: by name.
        name: of the setting.
        text: its new value.

    Raises:
        SettingError: the text is not a value of this setting.
    """
    return values | {name: _BY_NAME[name].read(text)}
