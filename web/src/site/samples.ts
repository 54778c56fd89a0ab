/** Things to test with. */

import type { MatchView } from './api';

export const match = (id: number, part: Partial<MatchView> = {}): MatchView => ({
  id,
  game: 'chess',
  kind: 'ladder',
  round: null,
  challenge: null,
  state: 'running',
  started: 0,
  ended: null,
  counted: null,
  turns: 0,
  seats: [],
  watchable: true,
  late: null,
  replay: true,
  why: null,
  worker: null,
  ...part,
});
