"""Your bot. This one raises its planets, then attacks the nearest weak one. Make it better!"""
from protocol import send_ships

CAPTURE_COST = 100
TOP_LEVEL = 3


def choose(game):
    """The orders of a turn: a list of send_ships(...), with planets counted from 1."""
    orders = []
    for here, planet in enumerate(game.planets):
        if planet.owner != game.me or planet.ships == 0:
            continue
        if planet.level < TOP_LEVEL or planet.armor < 100 * planet.level:
            if planet.level > 0 or planet.ships >= CAPTURE_COST:
                orders.append(send_ships(here + 1, here + 1, planet.ships))  # capture, repair or raise
        elif planet.ships > CAPTURE_COST:
            target = nearest_weak(game, here)
            if target is not None:
                orders.append(send_ships(here + 1, target + 1, planet.ships))
    return orders


def nearest_weak(game, here):
    """The planet of somebody else that is best to attack from here."""
    best, best_cost = None, 0
    for there, planet in enumerate(game.planets):
        if planet.owner == game.me:
            continue
        cost = game.distances[here * game.planet_count + there] + (planet.ships + planet.armor) // 2
        if best is None or cost < best_cost:
            best, best_cost = there, cost
    return best
