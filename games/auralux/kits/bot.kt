// Your bot. This one raises its planets, then attacks the nearest weak one. Make it better!

const val CAPTURE_COST = 100
const val TOP_LEVEL = 3

/** The orders of a turn: sendShips(...), with planets counted from 1. */
fun choose(game: Game): List<String> {
    val orders = mutableListOf<String>()
    for ((here, planet) in game.planets.withIndex()) {
        if (planet.owner != game.me || planet.ships == 0) continue
        if (planet.level < TOP_LEVEL || planet.armor < 100 * planet.level) {
            if (planet.level > 0 || planet.ships >= CAPTURE_COST) {
                orders.add(sendShips(here + 1, here + 1, planet.ships)) // capture, repair or raise
            }
        } else if (planet.ships > CAPTURE_COST) {
            nearestWeak(game, here)?.let { orders.add(sendShips(here + 1, it + 1, planet.ships)) }
        }
    }
    return orders
}

/** The planet of somebody else that is best to attack from here. */
fun nearestWeak(game: Game, here: Int) =
    game.planets.indices.filter { game.planets[it].owner != game.me }.sortedBy {
        game.distances[here * game.planetCount + it] + (game.planets[it].ships + game.planets[it].armor) / 2
    }.firstOrNull()
