import type { GameViewer } from 'palestra/contract';
import { RpsBoard } from './viewer/board';
import type { Frame } from './frame';
import { RpsHands } from './viewer/hands';

const viewer: GameViewer<Frame, RpsHands> = {
  board: (say) => new RpsBoard(say),
  hands: (seat, changed, say) => new RpsHands(seat, changed, say),
};

export default viewer;
