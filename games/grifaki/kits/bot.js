// Your bot. This one takes whatever it can beat, otherwise it marches to the front. Make it better!
'use strict';
const { CAPITAL, MOUNTAIN, PLAIN, moveArmy, neighbours, nothing, stepsTo } = require('./protocol');

/** The answer to a turn: nothing(), moveArmy(...), buildWall(...) or buildCity(...). Cells are counted from 0, row by row. */
function choose(game) {
  const steps = stepsTo(game, (cell) => cell.owner !== game.me, blocked);
  const place = (cell) => [Math.floor(cell / game.width), cell % game.width];
  let best = nothing();
  let bestValue = 0;
  game.cells.forEach((cell, here) => {
    if (cell.owner !== game.me || cell.army < 2) return;
    for (const there of neighbours(game, here)) {
      const target = game.cells[there];
      let value = 0;
      if (blocked(target)) continue;
      if (target.owner === game.me) {
        if (steps[there] < steps[here]) value = cell.army; // nothing to take here: march
      } else if (strength(target) <= 10 * (cell.army - 2)) {
        value = cell.army + worth(target);
      }
      if (value > bestValue) {
        bestValue = value;
        best = moveArmy(...place(here), ...place(there), cell.army - 1);
      }
    }
  });
  return best;
}

/** Capitals first, then cities, then what belongs to somebody, then land. */
function worth(cell) {
  if (cell.kind === CAPITAL) return 1000000;
  return cell.kind !== PLAIN ? 300000 : cell.owner ? 20000 : 10000;
}

/** Ten times the strength of who is there: behind a wall it is 1.3 times as much. */
function strength(cell) {
  return cell.army * (cell.wall ? 13 : 10);
}

/** A hidden cell that is no plain looks like a mountain. */
function blocked(cell) {
  return cell.kind === MOUNTAIN;
}

module.exports = { choose };
