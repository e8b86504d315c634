"""Players made of code: random, greedy, tree search. Game, clock and random source are passed in.

A bot is given what its seat may see (`Seen`), never the state of the table, so it cannot peek. Imports only
`companion.engine`, `companion.table` and `companion.errors`; knows no game.
"""

from companion.bots.bot import Bot, Budget, Decision, Option
from companion.bots.greedy import Greedy
from companion.bots.levels import LEVELS, Level, level
from companion.bots.random_bot import RandomBot
from companion.bots.search import Search

__all__ = ["LEVELS", "Bot", "Budget", "Decision", "Greedy", "Level", "Option", "RandomBot", "Search", "level"]
