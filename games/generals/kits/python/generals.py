#!/usr/bin/env python3
"""A first bot for Generals: takes whatever it can beat, otherwise marches to the front.

Try it:    palestra play generals ./generals.py greedy
Then make it better: `choose` decides, everything else only reads and writes.
"""
import sys

EMPTY, CITY, CAPITAL, MOUNTAIN = 1, 2, 3, 4


class Board:
    """What the bot knows of the cells, which are counted from 0, row by row."""

    def __init__(self, rows, columns):
        self.rows, self.columns = rows, columns
        self.kind, self.owner, self.units = ([0] * (rows * columns) for _ in range(3))
        self.neighbours = [
            [r * columns + c for r, c in ((row - 1, column), (row + 1, column), (row, column - 1), (row, column + 1))
             if 0 <= r < rows and 0 <= c < columns]
            for row in range(rows) for column in range(columns)
        ]

    def read(self):
        for cell in range(self.rows * self.columns):
            visible, kind, *rest = map(int, sys.stdin.readline().split())
            if not visible:
                # All that is known of a hidden cell: 1 may be entered, 2 may be a mountain or a city.
                kind = EMPTY if kind == 1 else MOUNTAIN
            self.kind[cell] = kind
            self.owner[cell], self.units[cell] = rest if rest else (0, 0)

    def steps_to_the_front(self, me):
        """For every cell, how many steps it is to the nearest cell that is not ours: a breadth-first search."""
        steps = [0 if kind != MOUNTAIN and owner != me else None for kind, owner in zip(self.kind, self.owner)]
        queue = [cell for cell, distance in enumerate(steps) if distance == 0]
        for cell in queue:
            for other in self.neighbours[cell]:
                if steps[other] is None and self.kind[other] != MOUNTAIN:
                    steps[other] = steps[cell] + 1
                    queue.append(other)
        return steps


def choose(board, me):
    """The best move as (from, to), or None to pass."""
    steps = board.steps_to_the_front(me)
    best, best_value = None, 0
    for here, owner in enumerate(board.owner):
        units = board.units[here]
        if owner != me or units < 2:
            continue
        for there in board.neighbours[here]:
            kind, owner = board.kind[there], board.owner[there]
            if kind == MOUNTAIN:
                continue
            value = 0
            if owner != me and board.units[there] < units - 1:
                # Something we can take: capitals first, then what belongs to somebody, then cities, then land.
                value = units + (1000000 if kind == CAPITAL else 3000 if owner else 2000 if kind == CITY else 1000)
            elif owner == me and steps[here] and steps[there] < steps[here]:
                # Nothing to take from here: march to the front, the largest army first.
                value = units
            if value > best_value:
                best, best_value = (here, there), value
    return best


def main():
    rows, columns, players, me = map(int, sys.stdin.readline().split())
    board = Board(rows, columns)
    while sys.stdin.readline().strip() == "1":
        for _ in range(players):
            sys.stdin.readline()  # army and land of each player
        board.read()
        move = choose(board, me)
        if move is None:
            print("-1", flush=True)
        else:
            here, there = (divmod(cell, columns) for cell in move)
            print(1, here[0] + 1, here[1] + 1, there[0] + 1, there[1] + 1, flush=True)


main()
