/** What the tests in a browser need to know of this game. */

import type { GameFixture } from '../../web/tests/browser/games';

export default {
  title: 'Rock Paper Scissor',
  fog: false,
  house: ['marshal', 'greedy', 'bot', 'random'],
  replay: { bots: ['marshal', 'greedy'], turns: [0, 60, 150] },
  idle: (seconds, gates = {}) => `
import os, sys, time
gates = ${JSON.stringify(gates)}
turn = 0
for line in sys.stdin:
    if line.strip() == ".":
        turn += 1
        time.sleep(${seconds})
        while str(turn) in gates and not os.path.exists(gates[str(turn)]):
            time.sleep(0.01)
        print("thought number", turn, file=sys.stderr, flush=True)
        print("prod R\\n.", flush=True)
`,
  noisy: `
import sys
for line in sys.stdin:
    if line.strip() == ".":
        print("what?", flush=True)
`,
} satisfies GameFixture;
