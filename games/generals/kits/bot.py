"""Your bot. This one takes whatever it can beat, otherwise it marches to the front. Make it better!"""
from protocol import CAPITAL, CITY, MOUNTAIN, move_all, neighbours, rest, steps_to


def choose(game):
    """The answer to a turn: rest(), move_all(...) or move_half(...). Cells are counted from 0 here, row by row."""
    steps = steps_to(game, lambda cell: cell.owner != game.me, blocked)
    best, best_value = rest(), 0
    for here, cell in enumerate(game.cells):
        if cell.owner != game.me or cell.units < 2:
            continue
        for there in neighbours(game, here):
            target, value = game.cells[there], 0
            if blocked(target):
                continue
            if target.owner == game.me:
                if steps[there] < steps[here]:
                    value = cell.units  # nothing to take here: march, the largest army first
            elif target.units < cell.units - 1:
                value = cell.units + worth(target)
            if value > best_value:
                best_value = value
                best = move_all(here // game.columns + 1, here % game.columns + 1,
                                there // game.columns + 1, there % game.columns + 1)
    return best


def worth(cell):
    """Capitals first, then what belongs to somebody, then cities, then land."""
    if cell.kind == CAPITAL:
        return 1000000
    return 3000 if cell.owner else 2000 if cell.kind == CITY else 1000


def blocked(cell):
    """A hidden cell that looks like a city may as well be a mountain."""
    return cell.kind == MOUNTAIN or not cell.visible and cell.kind == CITY
