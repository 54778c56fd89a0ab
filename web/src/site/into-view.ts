/** Keeps what is chosen in a row of links in sight, where the row is longer than the screen is wide. */

import type { Attachment } from 'svelte/attachments';

/** `chosen` is read to know when something else is. */
export function intoView(chosen: () => unknown): Attachment<HTMLElement> {
  return (row) => {
    chosen();
    const link = row.querySelector<HTMLElement>('[aria-current]');
    // Only the row may move, never the page.
    if (link) row.scrollLeft = link.offsetLeft - (row.clientWidth - link.offsetWidth) / 2;
  };
}
