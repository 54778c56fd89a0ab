/** What the tests in a browser need to know of this game. */

import type { GameFixture } from '../../web/tests/browser/games';

export default {
  title: 'Generals',
  fog: true,
  house: ['hunter', 'greedy', 'random'],
  replay: { bots: ['hunter', 'greedy'], turns: [0, 120, 250] },
  log: { format: 'log', file: 'log.txt' },
  map: 'tiny',
  rounds: (rounds) => ['max_turns', rounds],
  client: { pass: '-1\n', before: 1, over: '0\n' },
  idle: (seconds, gates = {}) => `
import os, sys, time
gates = ${JSON.stringify(gates)}
rows, columns, players, seat = map(int, sys.stdin.readline().split())
turn = 0
while sys.stdin.readline().strip() == "1":
    for _ in range(players + rows * columns):
        sys.stdin.readline()
    turn += 1
    time.sleep(${seconds})
    while str(turn) in gates and not os.path.exists(gates[str(turn)]):
        time.sleep(0.01)
    print("thought number", turn, file=sys.stderr, flush=True)
    print(-1, flush=True)
`,
} satisfies GameFixture;
