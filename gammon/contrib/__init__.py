"""gammon in other programs' terms. Nothing here is needed by the rest of the package."""
