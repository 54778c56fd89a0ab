/** Amit a meccsnéző és az oldal is mond, magyarul. */

import type { CommonWords } from './en';

export const common: CommonWords = {
  loading: 'Betöltés…',
  tryAgain: 'Próbáld újra',
  cancel: 'Mégse',
  copy: 'Másolás',
  copied: 'Kimásolva',
  live: 'ZAJLIK',
};
