"""Other programs as players to compare with, where they are installed."""

from gammon.peers.bgsage import Bgsage
from gammon.peers.external import ExternalServer
from gammon.peers.gnubg import GnuBackgammon
from gammon.peers.peer import Peer

__all__ = ["Bgsage", "ExternalServer", "GnuBackgammon", "Peer"]
