// Your bot. This one takes whatever it can beat, otherwise it marches to the front. Make it better!
'use strict';
const { CAPITAL, CITY, MOUNTAIN, moveAll, neighbours, rest, stepsTo } = require('./protocol');

/** The answer to a turn: rest(), moveAll(...) or moveHalf(...). Cells are counted from 0 here, row by row. */
function choose(game) {
  const steps = stepsTo(game, (cell) => cell.owner !== game.me, blocked);
  const place = (cell) => [Math.floor(cell / game.columns) + 1, (cell % game.columns) + 1];
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
function worth(cell) {
  if (cell.kind === CAPITAL) return 1000000;
  return cell.owner ? 3000 : cell.kind === CITY ? 2000 : 1000;
}

/** A hidden cell that looks like a city may as well be a mountain. */
function blocked(cell) {
  return cell.kind === MOUNTAIN || (!cell.visible && cell.kind === CITY);
}

module.exports = { choose };
