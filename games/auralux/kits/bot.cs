// Your bot. This one raises its planets, then attacks the nearest weak one. Make it better!
using System.Collections.Generic;
using static Protocol;

static class Bot {
    const int CaptureCost = 100;
    const int TopLevel = 3;

    /// The orders of a turn: SendShips(...), with planets counted from 1.
    public static List<string> Choose(Game game) {
        var orders = new List<string>();
        for (int here = 0; here < game.PlanetCount; here++) {
            Planet planet = game.Planets[here];
            if (planet.Owner != game.Me || planet.Ships == 0) continue;
            if (planet.Level < TopLevel || planet.Armor < 100 * planet.Level) {
                if (planet.Level > 0 || planet.Ships >= CaptureCost) // capture, repair or raise
                    orders.Add(SendShips(here + 1, here + 1, planet.Ships));
            } else if (planet.Ships > CaptureCost) {
                int target = NearestWeak(game, here);
                if (target >= 0) orders.Add(SendShips(here + 1, target + 1, planet.Ships));
            }
        }
        return orders;
    }

    /// The planet of somebody else that is best to attack from here, or -1.
    static int NearestWeak(Game game, int here) {
        int best = -1, bestCost = 0;
        for (int there = 0; there < game.PlanetCount; there++) {
            Planet planet = game.Planets[there];
            if (planet.Owner == game.Me) continue;
            int cost = game.Distances[here * game.PlanetCount + there] + (planet.Ships + planet.Armor) / 2;
            if (best < 0 || cost < bestCost) {
                best = there;
                bestCost = cost;
            }
        }
        return best;
    }
}
