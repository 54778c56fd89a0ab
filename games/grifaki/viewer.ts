/** Grifaki in the browser. */

import type { GameViewer } from 'palestra/contract';
import { remembered } from 'palestra/grid';
import type { GridGame } from 'palestra/grid';
import { gridBoard } from 'palestra/grid-board';
import type { Frame } from './frame';
import { GrifakiHands } from './viewer/hands';

const game: GridGame<Frame> = {
  first: 0,
  words: {
    '.': 'plain',
    c: 'city',
    C: 'capital',
    F: 'fallen_capital',
    M: 'mountain',
    '?': 'hidden_plain',
    '!': 'hidden_other',
  },
  grid: remembered(({ height, width, kinds, owners, units, walls, capitals, last_action: action }) => {
    const cell = ([row, column]: [number, number]): number => row * width + column;
    return {
      rows: height,
      columns: width,
      kinds,
      owners,
      units,
      walls: new Set(walls.map(cell)),
      founders: new Map(capitals.map(({ at, original }) => [cell(at), original])),
      deed: action && {
        seat: action.seat,
        from: cell(action.from),
        to: cell(action.to),
        built: action.built !== undefined,
        moved: action.moved,
      },
    };
  }),
};

export default {
  board: (say) => gridBoard(game, say),
  hands: (seat, changed, say) => new GrifakiHands(seat, changed, game, say),
} satisfies GameViewer<Frame, GrifakiHands>;
