"""Reading and writing of position IDs, match IDs, XGIDs, OGIDs and the notation of plays."""
