"""Your bot. This one takes whatever it can beat, otherwise it marches to the front. Make it better!"""
from protocol import CAPITAL, CITY, MOUNTAIN, move_all, rest


def choose(game):
    """The answer to a turn: rest(), move_all(...) or move_half(...). Cells are counted from 0 here, row by row."""
    steps = steps_to_front(game)
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


def steps_to_front(game):
    """For every cell, how many steps it is to the nearest one that is not ours: a breadth-first search."""
    steps = [0 if cell.owner != game.me and not blocked(cell) else -1 for cell in game.cells]
    queue = [cell for cell, distance in enumerate(steps) if distance == 0]
    for cell in queue:
        for other in neighbours(game, cell):
            if steps[other] < 0 and not blocked(game.cells[other]):
                steps[other] = steps[cell] + 1
                queue.append(other)
    return steps


def neighbours(game, cell):
    column, size = cell % game.columns, game.rows * game.columns
    if cell >= game.columns:
        yield cell - game.columns
    if cell + game.columns < size:
        yield cell + game.columns
    if column > 0:
        yield cell - 1
    if column + 1 < game.columns:
        yield cell + 1
