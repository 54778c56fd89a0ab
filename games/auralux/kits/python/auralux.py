#!/usr/bin/env python3
"""A first bot for Auralux: takes the nearest free planet, raises its planets, then attacks the weakest.

Try it:    palestra play auralux ./auralux.py aggressive
Then make it better: `choose` decides, everything else only reads and writes.
"""
import sys

CAPTURE_COST = 100
TOP_LEVEL = 3


def numbers():
    return list(map(int, sys.stdin.readline().split()))


def choose(planets, distance, me):
    """The orders of this turn: a list of (from, to, count), planets counted from 1."""
    orders = []
    for here, (owner, ships, level, armor) in enumerate(planets, 1):
        if owner != me or ships == 0:
            continue
        if level < TOP_LEVEL or armor < 100 * level:
            if level > 0 or ships >= CAPTURE_COST:
                orders.append((here, here, ships))  # capture, repair or upgrade
            continue
        if ships <= CAPTURE_COST:
            continue

        def cost(there):
            owner, ships, _, armor = planets[there - 1]
            return distance[here - 1][there - 1] + (ships + armor) // 2

        targets = [there for there, planet in enumerate(planets, 1) if planet[0] != me]
        if targets:
            orders.append((here, min(targets, key=cost), ships))
    return orders


def main():
    me, _, planet_count = numbers()
    distance = [numbers() for _ in range(planet_count)]
    while True:
        line = numbers()
        if not line or line[0] == -1:
            return
        for _ in range(line[0]):
            numbers()  # who sent how many ships from where to where since the last turn
        planets = [numbers() for _ in range(planet_count)]
        orders = choose(planets, distance, me)
        print(len(orders))
        for order in orders:
            print(*order)
        sys.stdout.flush()


main()
