/** What the tests in a browser need to know of this game. */

import type { GameFixture } from '../../web/tests/browser/games';

export default {
  title: 'Auralux',
  fog: false,
  house: [
    'admiral',
    'aggressive_expansion_nearest',
    'aggressive_expansion_random',
    'upgrade_and_repair_main',
    'afk',
  ],
  replay: { bots: ['admiral', 'aggressive', 'aggressive', 'afk'], turns: [0, 800, 2400] },
  log: { format: 'visualizer', file: 'game_visualizer.log' },
  short: 'maps = ["tiny"]\nsettings = { max_steps = 60 }',
} satisfies GameFixture;
