/** What the tests in a browser need to know of this game. */

import type { GameFixture } from '../../web/tests/browser/games';

export default {
  title: 'Rock Paper Scissor',
  fog: false,
  house: ['marshal', 'greedy', 'bot', 'random'],
  replay: { bots: ['marshal', 'greedy'], turns: [0, 60, 150] },
  idle: (seconds) => `
import sys, time
turn = 0
for line in sys.stdin:
    if line.strip() == ".":
        turn += 1
        time.sleep(${seconds})
        print("thought number", turn, file=sys.stderr, flush=True)
        print("prod R\\n.", flush=True)
`,
} satisfies GameFixture;
