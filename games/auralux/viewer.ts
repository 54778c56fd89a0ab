import type { GameViewer } from 'palestra/contract';
import { AuraluxBoard } from './viewer/board';
import type { Frame } from './frame';
import { AuraluxHands } from './viewer/hands';

const viewer: GameViewer<Frame, AuraluxHands> = {
  board: () => new AuraluxBoard(),
  hands: (seat, changed) => new AuraluxHands(seat, changed),
};

export default viewer;
