"""From a position to the chances of its six results, and to an equity."""
