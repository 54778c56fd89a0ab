import type { GameViewer } from 'palestra/contract';
import { RpsBoard } from './viewer/board';
import type { Frame } from './frame';
import { RpsHands } from './viewer/hands';

const viewer: GameViewer<Frame, RpsHands> = {
  board: () => new RpsBoard(),
  hands: (seat, changed) => new RpsHands(seat, changed),
};

export default viewer;
