/** What the tests in a browser need to know of this game. */

import type { GameFixture } from '../../web/tests/browser/games';

export default {
  title: 'Grifaki',
  fog: true,
  house: ['warlord', 'expander', 'random'],
  replay: { bots: ['warlord', 'expander'], turns: [0, 150, 600] },
} satisfies GameFixture;
