"""Games, as instances of `gammon.search.game.Game`."""
