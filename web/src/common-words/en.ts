/** What the viewer and the site both say, in English. */

export const common = {
  loading: 'Loading…',
  tryAgain: 'Try again',
  cancel: 'Cancel',
  copy: 'Copy',
  copied: 'Copied',
  live: 'LIVE',
};

export type CommonWords = typeof common;
