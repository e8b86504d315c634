"""Players made of code: random, greedy, tree search. Game, clock and random source are passed in."""
