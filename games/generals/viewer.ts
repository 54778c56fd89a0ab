/** Generals in the browser. */

import type { GameViewer } from 'palestra/contract';
import { remembered } from 'palestra/grid';
import type { Grid, GridGame } from 'palestra/grid';
import { gridBoard } from 'palestra/grid-board';
import { GridHands } from 'palestra/grid-hands';
import type { Step } from 'palestra/grid-hands';
import type { Frame } from './frame';

const game: GridGame<Frame> = {
  first: 1,
  words: {
    '.': 'land',
    c: 'city',
    C: 'capital',
    M: 'mountain',
    '?': 'hidden_land',
    '!': 'hidden_obstacle',
  },
  grid: remembered(({ rows, columns, kinds, owners, units, last_move: move }) => {
    const cell = ([row, column]: [number, number]): number => (row - 1) * columns + column - 1;
    const deed = move && {
      seat: move.seat,
      from: cell(move.from),
      to: cell(move.to),
      built: false,
    };
    return {
      rows,
      columns,
      kinds,
      owners,
      units,
      deed,
      walls: new Set(),
      founders: new Map(),
    };
  }),
};

class GeneralsHands extends GridHands<Frame> {
  protected override write(grid: Grid, step: Step): string | null {
    if (step.kind === 'pass') return '-1\n';
    // A move without units is allowed and changes nothing: not worth a turn.
    if (step.kind !== 'move' || this.units(grid, step) === 0) return null;
    const place = (cell: number): string =>
      `${Math.floor(cell / grid.columns) + 1} ${(cell % grid.columns) + 1}`;
    return `${step.amount === 'half' ? 2 : 1} ${place(step.from)} ${place(step.to)}\n`;
  }
}

export default {
  board: (say) => gridBoard(game, say),
  hands: (seat, changed, say) => new GeneralsHands(seat, changed, game, say),
} satisfies GameViewer<Frame, GridHands<Frame>>;
