"""Slow, obvious twins of what is fast elsewhere: tests hold one to the other.

Each module says in its first line what it is the twin of:

* `plays`: plays and their moves, and shots, from every order of moves;
* `search`, `leaves`: a chance node's value by its definition, and its principal leaves;
* `backgammon`: values of plays in backgammon, from the slow plays;
* `visits`: Monte Carlo tree search with a tree of objects;
* `widths`: widths of bounded search, from what a game pays at a score;
* `matches`: the loop of matches;
* `features`, `networks`, `cube`, `splitmix`: what networks see, their arithmetic, the network
  of the cube, and hashes;
* `bearoff`, `races`: tables of bearoffs, and races by one side at a time;
* `training`: replies of self-play, families of positions, the activity of units;
* `study`: measures of a library: difficulty, what can be won back, biases, intervals;
* `themes`: themes of positions, plays and scores, in plain Python;
* `games`: the papers' games, by their rules written a second time;
* `hypergammon`: the value of every position, from lists of the positions after each roll.
"""
