"""Other programs as players to compare with, where they are installed."""

from gammon_lab.programs.bgsage import Bgsage
from gammon_lab.programs.external import ExternalServer
from gammon_lab.programs.gnubg import GnuBackgammon
from gammon_lab.programs.peer import Peer

__all__ = ["Bgsage", "ExternalServer", "GnuBackgammon", "Peer"]
