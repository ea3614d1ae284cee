"""Reads and writes position IDs, match IDs, XGIDs and the notation of plays."""
