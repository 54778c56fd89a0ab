// Your bot. This one takes whatever it can beat, otherwise it marches to the front. Make it better!

/** The answer to a turn: rest(), moveAll(...) or moveHalf(...). Cells are counted from 0 here, row by row. */
fun choose(game: Game): String {
    val steps = stepsTo(game, { it.owner != game.me }, ::blocked)
    var best = rest()
    var bestValue = 0L
    for ((here, cell) in game.cells.withIndex()) {
        if (cell.owner != game.me || cell.units < 2) continue
        for (there in neighbours(game, here)) {
            val target = game.cells[there]
            val value = when {
                blocked(target) -> 0
                // Nothing to take here: march, the largest army first.
                target.owner == game.me -> if (steps[there] < steps[here]) cell.units else 0
                target.units < cell.units - 1 -> cell.units + worth(target)
                else -> 0
            }
            if (value > bestValue) {
                bestValue = value
                best = moveAll(here / game.columns + 1, here % game.columns + 1,
                    there / game.columns + 1, there % game.columns + 1)
            }
        }
    }
    return best
}

/** Capitals first, then what belongs to somebody, then cities, then land. */
fun worth(cell: Cell) = when {
    cell.kind == CAPITAL -> 1000000
    cell.owner != 0 -> 3000
    cell.kind == CITY -> 2000
    else -> 1000
}

/** A hidden cell that looks like a city may as well be a mountain. */
fun blocked(cell: Cell) = cell.kind == MOUNTAIN || !cell.visible && cell.kind == CITY
