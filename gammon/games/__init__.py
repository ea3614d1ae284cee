"""Games as values of the one contract, `gammon.search.game.Game`."""
