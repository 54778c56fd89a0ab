// Your bot. This one takes whatever it can beat, otherwise it marches to the front. Make it better!
import { CAPITAL, CITY, MOUNTAIN, moveAll, rest, type Cell, type Game } from './protocol.ts';

/** The answer to a turn: rest(), moveAll(...) or moveHalf(...). Cells are counted from 0 here, row by row. */
export function choose(game: Game): string {
  const steps = stepsToFront(game);
  const place = (cell: number): [number, number] => [
    Math.floor(cell / game.columns) + 1,
    (cell % game.columns) + 1,
  ];
  let best = rest();
  let bestValue = 0;
  game.cells.forEach((cell, here) => {
    if (cell.owner !== game.me || cell.units < 2) return;
    for (const there of neighbours(game, here)) {
      const target = game.cells[there];
      let value = 0;
      if (blocked(target)) continue;
      if (target.owner === game.me) {
        if (steps[there] < steps[here]) value = cell.units; // nothing to take here: march
      } else if (target.units < cell.units - 1) {
        value = cell.units + worth(target);
      }
      if (value > bestValue) {
        bestValue = value;
        best = moveAll(...place(here), ...place(there));
      }
    }
  });
  return best;
}

/** Capitals first, then what belongs to somebody, then cities, then land. */
function worth(cell: Cell): number {
  if (cell.kind === CAPITAL) return 1000000;
  return cell.owner ? 3000 : cell.kind === CITY ? 2000 : 1000;
}

/** A hidden cell that looks like a city may as well be a mountain. */
function blocked(cell: Cell): boolean {
  return cell.kind === MOUNTAIN || (!cell.visible && cell.kind === CITY);
}

/** For every cell, how many steps it is to the nearest one that is not ours: a breadth-first search. */
function stepsToFront(game: Game): number[] {
  const steps: number[] = game.cells.map((cell) => (cell.owner !== game.me && !blocked(cell) ? 0 : -1));
  const queue = [...steps.keys()].filter((cell) => steps[cell] === 0);
  for (const cell of queue) {
    for (const other of neighbours(game, cell)) {
      if (steps[other] < 0 && !blocked(game.cells[other])) {
        steps[other] = steps[cell] + 1;
        queue.push(other);
      }
    }
  }
  return steps;
}

function neighbours(game: Game, cell: number): number[] {
  const found: number[] = [];
  if (cell >= game.columns) found.push(cell - game.columns);
  if (cell + game.columns < game.cells.length) found.push(cell + game.columns);
  if (cell % game.columns > 0) found.push(cell - 1);
  if ((cell % game.columns) + 1 < game.columns) found.push(cell + 1);
  return found;
}
