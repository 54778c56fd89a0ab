// Your bot. This one raises its planets, then attacks the nearest weak one. Make it better!
import { sendShips, type Game } from './protocol.ts';

const CAPTURE_COST = 100;
const TOP_LEVEL = 3;

/** The orders of a turn: sendShips(...), with planets counted from 1. */
export function choose(game: Game): string[] {
  const orders: string[] = [];
  game.planets.forEach((planet, here) => {
    if (planet.owner !== game.me || planet.ships === 0) return;
    if (planet.level < TOP_LEVEL || planet.armor < 100 * planet.level) {
      if (planet.level > 0 || planet.ships >= CAPTURE_COST) {
        orders.push(sendShips(here + 1, here + 1, planet.ships)); // capture, repair or raise
      }
    } else if (planet.ships > CAPTURE_COST) {
      const target = nearestWeak(game, here);
      if (target >= 0) orders.push(sendShips(here + 1, target + 1, planet.ships));
    }
  });
  return orders;
}

/** The planet of somebody else that is best to attack from here, or -1. */
function nearestWeak(game: Game, here: number): number {
  let best = -1;
  let bestCost = 0;
  game.planets.forEach((planet, there) => {
    if (planet.owner === game.me) return;
    const cost =
      game.distances[here * game.planetCount + there] + Math.floor((planet.ships + planet.armor) / 2);
    if (best < 0 || cost < bestCost) [best, bestCost] = [there, cost];
  });
  return best;
}
