// Your bot. This one sends every unit to the nearest base, and then to the enemy's factory. Make it better!
import {
  ALLY,
  DOWN,
  LEFT,
  PAPER,
  RIGHT,
  ROCK,
  SCISSORS,
  UP,
  produce,
  step,
  type Game,
  type Soldier,
} from './protocol.ts';

type Place = [number, number];

const LAST = 19; // your factory is at (0, 0), the enemy's at (LAST, LAST)
const KINDS = [ROCK, PAPER, SCISSORS]; // each beats the one before it

/** The lines of an answer: step(id, direction) and produce(kind). */
export function choose(game: Game): string[] {
  const allies = game.soldiers.filter((soldier) => soldier.side === ALLY);
  const answer = [produce(KINDS[allies.length % 3])];
  for (const soldier of allies) {
    const [x, y] = goal(game, soldier);
    const [dx, dy] = [Math.sign(x - soldier.x), Math.sign(y - soldier.y)];
    if (dx && isFree(game, soldier, soldier.x + dx, soldier.y)) {
      answer.push(step(soldier.id, dx > 0 ? RIGHT : LEFT));
      soldier.x += dx;
    } else if (dy && isFree(game, soldier, soldier.x, soldier.y + dy)) {
      answer.push(step(soldier.id, dy > 0 ? DOWN : UP));
      soldier.y += dy;
    }
  }
  return answer;
}

/** The nearest of the enemy's factory and the bases that are not ours. */
function goal(game: Game, soldier: Soldier): Place {
  const steps = ([x, y]: Place) => Math.abs(x - soldier.x) + Math.abs(y - soldier.y);
  let best: Place = [LAST, LAST];
  if (game.baseR !== ALLY && steps([LAST, 0]) < steps(best)) best = [LAST, 0];
  if (game.baseD !== ALLY && steps([0, LAST]) < steps(best)) best = [0, LAST];
  return best;
}

/** Whether nobody is there but an enemy that it beats. */
function isFree(game: Game, soldier: Soldier, x: number, y: number): boolean {
  const other = game.soldiers.find((one) => one.x === x && one.y === y);
  return !other || (other.side !== ALLY && beats(soldier.kind, other.kind));
}

function beats(kind: string, other: string): boolean {
  return KINDS.indexOf(kind) === (KINDS.indexOf(other) + 1) % 3;
}
