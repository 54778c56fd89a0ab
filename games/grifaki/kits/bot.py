"""Your bot. This one takes whatever it can beat, otherwise it marches to the front. Make it better!"""
from protocol import CAPITAL, MOUNTAIN, PLAIN, move_army, neighbours, nothing, steps_to


def choose(game):
    """The answer to a turn: nothing(), move_army(...), build_wall(...) or build_city(...). Cells are counted from 0 here, row by row."""
    steps = steps_to(game, lambda cell: cell.owner != game.me, blocked)
    best, best_value = nothing(), 0
    for here, cell in enumerate(game.cells):
        if cell.owner != game.me or cell.army < 2:
            continue
        for there in neighbours(game, here):
            target, value = game.cells[there], 0
            if blocked(target):
                continue
            if target.owner == game.me:
                if steps[there] < steps[here]:
                    value = cell.army  # nothing to take here: march, the largest army first
            elif strength(target) <= 10 * (cell.army - 2):
                value = cell.army + worth(target)
            if value > best_value:
                best_value = value
                best = move_army(here // game.width, here % game.width,
                                 there // game.width, there % game.width, cell.army - 1)
    return best


def worth(cell):
    """Capitals first, then cities, then what belongs to somebody, then land."""
    if cell.kind == CAPITAL:
        return 1000000
    return 300000 if cell.kind != PLAIN else 20000 if cell.owner else 10000


def strength(cell):
    """Ten times the strength of who is there: behind a wall it is 1.3 times as much."""
    return cell.army * 13 if cell.wall else cell.army * 10


def blocked(cell):
    """A hidden cell that is no plain looks like a mountain."""
    return cell.kind == MOUNTAIN
