#!/usr/bin/env python3
"""A first bot for Generals: takes whatever it can beat, otherwise marches to the front.

Try it:    palestra play generals bots/python/generals.py greedy
Then make it better: `choose` decides, everything else only reads and writes.
"""
import sys

EMPTY, CITY, CAPITAL, MOUNTAIN = 1, 2, 3, 4


def words():
    """The numbers of the game, one after the other."""
    for line in sys.stdin:
        yield from map(int, line.split())


class Cell:
    __slots__ = ("visible", "kind", "owner", "units")


def read_cell(number):
    cell = Cell()
    cell.visible, cell.kind, cell.owner, cell.units = next(number) == 1, next(number), 0, 0
    if not cell.visible:
        # All that is known of a hidden cell: 1 may be entered (or is a capital), 2 may be a mountain or a city.
        cell.kind = EMPTY if cell.kind == 1 else MOUNTAIN
    elif cell.kind != MOUNTAIN:
        cell.owner, cell.units = next(number), next(number)
    return cell


def neighbours(cell, rows, columns):
    row, column = divmod(cell, columns)
    if row > 0:
        yield cell - columns
    if row < rows - 1:
        yield cell + columns
    if column > 0:
        yield cell - 1
    if column < columns - 1:
        yield cell + 1


def steps_to_the_front(board, rows, columns, me):
    """For every cell, how many steps it is to the nearest cell that is not ours: a breadth-first search."""
    steps = [0 if cell.kind != MOUNTAIN and cell.owner != me else None for cell in board]
    queue = [cell for cell, distance in enumerate(steps) if distance == 0]
    for cell in queue:
        for other in neighbours(cell, rows, columns):
            if steps[other] is None and board[other].kind != MOUNTAIN:
                steps[other] = steps[cell] + 1
                queue.append(other)
    return steps


def choose(board, rows, columns, me):
    """The best move as (from, to), cells counted from 0 row by row, or None to pass."""
    steps = steps_to_the_front(board, rows, columns, me)
    best, best_value = None, 0
    for here, cell in enumerate(board):
        if cell.owner != me or cell.units < 2:
            continue
        for there in neighbours(here, rows, columns):
            target = board[there]
            if target.kind == MOUNTAIN:
                continue
            value = 0
            if target.owner != me and target.units < cell.units - 1:
                # Something we can take: capitals first, then what belongs to somebody, then cities, then land.
                value = 1000000 if target.kind == CAPITAL else 3000 if target.owner else 2000 if target.kind == CITY else 1000
                value += cell.units
            elif target.owner == me and steps[here] and steps[there] is not None and steps[there] < steps[here]:
                # Nothing to take from here: march to the front, the largest army first.
                value = cell.units
            if value > best_value:
                best, best_value = (here, there), value
    return best


def main():
    number = words()
    rows, columns, players, me = (next(number) for _ in range(4))
    while next(number, 0) == 1:
        for _ in range(players):
            next(number), next(number)  # army and land of each player
        board = [read_cell(number) for _ in range(rows * columns)]
        move = choose(board, rows, columns, me)
        if move is None:
            print("-1", flush=True)
        else:
            here, there = (divmod(cell, columns) for cell in move)
            print(1, here[0] + 1, here[1] + 1, there[0] + 1, there[1] + 1, flush=True)


main()
