"""The board in a browser, and the HTTP API."""
