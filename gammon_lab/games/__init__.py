"""The games of the papers, and games for tests, each as a `gammon.search.Game`."""
