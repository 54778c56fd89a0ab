import type { GameViewer } from 'palestra/contract';
import { AuraluxBoard } from './viewer/board';
import type { Frame } from './frame';
import { AuraluxHands } from './viewer/hands';

const viewer: GameViewer<Frame, AuraluxHands> = {
  board: (say) => new AuraluxBoard(say),
  hands: (seat, changed, say) => new AuraluxHands(seat, changed, say),
};

export default viewer;
