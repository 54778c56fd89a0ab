// Your bot. This one takes whatever it can beat, otherwise it marches to the front. Make it better!

/** The answer to a turn: nothing(), moveArmy(...), buildWall(...) or buildCity(...). Cells are counted from 0, row by row. */
fun choose(game: Game): String {
    val steps = stepsTo(game, { it.owner != game.me }, ::blocked)
    var best = nothing()
    var bestValue = 0L
    for ((here, cell) in game.cells.withIndex()) {
        if (cell.owner != game.me || cell.army < 2) continue
        for (there in neighbours(game, here)) {
            val target = game.cells[there]
            val value = when {
                blocked(target) -> 0
                // Nothing to take here: march, the largest army first.
                target.owner == game.me -> if (steps[there] < steps[here]) cell.army else 0
                strength(target) <= 10 * (cell.army - 2) -> cell.army + worth(target)
                else -> 0
            }
            if (value > bestValue) {
                bestValue = value
                best = moveArmy(here / game.width, here % game.width,
                    there / game.width, there % game.width, cell.army - 1)
            }
        }
    }
    return best
}

/** Capitals first, then cities, then what belongs to somebody, then land. */
fun worth(cell: Cell) = when {
    cell.kind == CAPITAL -> 1000000
    cell.kind != PLAIN -> 300000
    cell.owner != 0 -> 20000
    else -> 10000
}

/** Ten times the strength of who is there: behind a wall it is 1.3 times as much. */
fun strength(cell: Cell) = cell.army * if (cell.wall) 13 else 10

/** A hidden cell that is no plain looks like a mountain. */
fun blocked(cell: Cell) = cell.kind == MOUNTAIN
