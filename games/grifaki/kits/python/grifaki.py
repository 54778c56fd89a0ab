#!/usr/bin/env python3
"""A first bot for Grifaki: takes whatever it can beat, otherwise marches to the front.

Try it:    palestra play grifaki ./grifaki.py expander
Then make it better: `choose` decides, everything else only reads and writes.
"""
import sys


class Board:
    """What the bot knows of the cells, which are counted from 0, row by row."""

    def __init__(self, height, width):
        self.height, self.width = height, width
        size = height * width
        self.units, self.owner, self.wall, self.kind = [0] * size, [0] * size, [0] * size, [""] * size
        self.neighbours = [
            [x * width + y for x, y in ((row - 1, column), (row + 1, column), (row, column - 1), (row, column + 1))
             if 0 <= x < height and 0 <= y < width]
            for row in range(height) for column in range(width)
        ]

    def read(self):
        for cell in range(self.height * self.width):
            # A hidden cell has no units and no owner, and is PLAIN or else MOUNTAIN, whatever it really is.
            units, owner, wall, _visible, _original_owner, self.kind[cell] = sys.stdin.readline().split()
            self.units[cell], self.owner[cell], self.wall[cell] = int(units), int(owner), int(wall)

    def steps_to_the_front(self, me):
        """For every cell, how many steps it is to the nearest cell that is not ours: a breadth-first search."""
        steps = [0 if kind != "MOUNTAIN" and owner != me else None for kind, owner in zip(self.kind, self.owner)]
        queue = [cell for cell, distance in enumerate(steps) if distance == 0]
        for cell in queue:
            for other in self.neighbours[cell]:
                if steps[other] is None and self.kind[other] != "MOUNTAIN":
                    steps[other] = steps[cell] + 1
                    queue.append(other)
        return steps


def choose(board, me):
    """The best move as (from, to), or None for nothing. All units but one will move."""
    steps = board.steps_to_the_front(me)
    best, best_value = None, 0
    for here, owner in enumerate(board.owner):
        units = board.units[here]
        if owner != me or units < 2:
            continue
        for there in board.neighbours[here]:
            kind, owner = board.kind[there], board.owner[there]
            if kind == "MOUNTAIN":
                continue
            # Behind a wall, defenders are 1.3 times as strong.
            defence = board.units[there] * 13 if board.wall[there] else board.units[there] * 10
            value = 0
            if owner != me and (units - 1) * 10 >= defence + 10:
                # Something we can take: capitals first, then cities, then what belongs to somebody, then land.
                value = units + (1000000 if kind == "CAPITAL" else 300000 if kind != "PLAIN" else 20000 if owner else 10000)
            elif owner == me and steps[here] and steps[there] < steps[here]:
                # Nothing to take from here: march to the front, the largest army first.
                value = units
            if value > best_value:
                best, best_value = (here, there), value
    return best


def main():
    height, width, _players, me = map(int, sys.stdin.readline().split())
    board = Board(height, width)
    while sys.stdin.readline().strip() == "0":
        board.read()
        move = choose(board, me)
        if move is None:
            print("EMPTY", flush=True)
        else:
            (x1, y1), (x2, y2) = (divmod(cell, width) for cell in move)
            print("MOVE", x1, y1, x2, y2, board.units[move[0]] - 1, flush=True)


main()
