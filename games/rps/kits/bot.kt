// Your bot. This one sends every unit to the nearest base, and then to the enemy's factory. Make it better!

const val LAST = 19 // your factory is at (0, 0), the enemy's at (LAST, LAST)
val KINDS = listOf(ROCK, PAPER, SCISSORS) // each beats the one before it

/** The lines of an answer: step(id, direction) and produce(kind). */
fun choose(game: Game): List<String> {
    val answer = mutableListOf(produce(KINDS[game.soldiers.count { it.side == ALLY } % 3]))
    for (soldier in game.soldiers) {
        if (soldier.side != ALLY) continue
        val (x, y) = goal(game, soldier)
        val dx = Integer.signum(x - soldier.x)
        val dy = Integer.signum(y - soldier.y)
        if (dx != 0 && isFree(game, soldier, soldier.x + dx, soldier.y)) {
            answer.add(step(soldier.id, if (dx > 0) RIGHT else LEFT))
            soldier.x += dx
        } else if (dy != 0 && isFree(game, soldier, soldier.x, soldier.y + dy)) {
            answer.add(step(soldier.id, if (dy > 0) DOWN else UP))
            soldier.y += dy
        }
    }
    return answer
}

/** The nearest of the enemy's factory and the bases that are not ours. */
fun goal(game: Game, soldier: Soldier): Pair<Int, Int> {
    val goals = mutableListOf(Pair(LAST, LAST))
    if (game.baseR != ALLY) goals.add(Pair(LAST, 0))
    if (game.baseD != ALLY) goals.add(Pair(0, LAST))
    return goals.sortedBy { Math.abs(it.first - soldier.x) + Math.abs(it.second - soldier.y) }.first()
}

/** Whether nobody is there but an enemy that it beats. */
fun isFree(game: Game, soldier: Soldier, x: Int, y: Int): Boolean {
    val other = game.soldiers.find { it.x == x && it.y == y } ?: return true
    return other.side != ALLY && beats(soldier.kind, other.kind)
}

fun beats(kind: String, other: String) = KINDS.indexOf(kind) == (KINDS.indexOf(other) + 1) % 3
