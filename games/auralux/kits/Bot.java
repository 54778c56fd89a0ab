import java.util.ArrayList;
import java.util.List;

/** Your bot. This one raises its planets, then attacks the nearest weak one. Make it better! */
final class Bot {
    private static final int CAPTURE_COST = 100;
    private static final int TOP_LEVEL = 3;

    /** The orders of a turn: sendShips(...), with planets counted from 1. */
    static List<String> choose(Protocol.Game game) {
        List<String> orders = new ArrayList<>();
        for (int here = 0; here < game.planetCount; here++) {
            Protocol.Planet planet = game.planets.get(here);
            if (planet.owner != game.me || planet.ships == 0) continue;
            if (planet.level < TOP_LEVEL || planet.armor < 100 * planet.level) {
                if (planet.level > 0 || planet.ships >= CAPTURE_COST) { // capture, repair or raise
                    orders.add(Protocol.sendShips(here + 1, here + 1, planet.ships));
                }
            } else if (planet.ships > CAPTURE_COST) {
                int target = nearestWeak(game, here);
                if (target >= 0) orders.add(Protocol.sendShips(here + 1, target + 1, planet.ships));
            }
        }
        return orders;
    }

    /** The planet of somebody else that is best to attack from here, or -1. */
    private static int nearestWeak(Protocol.Game game, int here) {
        int best = -1;
        int bestCost = 0;
        for (int there = 0; there < game.planetCount; there++) {
            Protocol.Planet planet = game.planets.get(there);
            if (planet.owner == game.me) continue;
            int cost = game.distances.get(here * game.planetCount + there) + (planet.ships + planet.armor) / 2;
            if (best < 0 || cost < bestCost) {
                best = there;
                bestCost = cost;
            }
        }
        return best;
    }
}
