"""Text in, text out: position IDs, match IDs, XGIDs and the notation of plays."""
