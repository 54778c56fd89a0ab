"""Your bot. This one sends every unit to the nearest base, and then to the enemy's factory. Make it better!"""
from protocol import ALLY, DOWN, LEFT, PAPER, RIGHT, ROCK, SCISSORS, UP, produce, step

LAST = 19  # your factory is at (0, 0), the enemy's at (LAST, LAST)
KINDS = [ROCK, PAPER, SCISSORS]  # each beats the one before it


def choose(game):
    """The lines of an answer: a list of step(id, direction) and produce(kind)."""
    allies = [soldier for soldier in game.soldiers if soldier.side == ALLY]
    answer = [produce(KINDS[len(allies) % 3])]
    for soldier in allies:
        x, y = goal(game, soldier)
        ways = []
        if x != soldier.x:
            ways.append((RIGHT, 1, 0) if x > soldier.x else (LEFT, -1, 0))
        if y != soldier.y:
            ways.append((DOWN, 0, 1) if y > soldier.y else (UP, 0, -1))
        for direction, dx, dy in ways:
            if free(game, soldier, soldier.x + dx, soldier.y + dy):
                answer.append(step(soldier.id, direction))
                soldier.x, soldier.y = soldier.x + dx, soldier.y + dy
                break
    return answer


def goal(game, soldier):
    """The nearest of the enemy's factory and the bases that are not ours."""
    goals = [(LAST, LAST)]
    if game.base_r != ALLY:
        goals.append((LAST, 0))
    if game.base_d != ALLY:
        goals.append((0, LAST))
    return min(goals, key=lambda place: abs(place[0] - soldier.x) + abs(place[1] - soldier.y))


def free(game, soldier, x, y):
    """Whether nobody is there but an enemy that it beats."""
    for other in game.soldiers:
        if (other.x, other.y) == (x, y):
            return other.side != ALLY and beats(soldier.kind, other.kind)
    return True


def beats(kind, other):
    return KINDS.index(kind) == (KINDS.index(other) + 1) % 3
