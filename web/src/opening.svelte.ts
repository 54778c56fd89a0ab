/** Opening files that people drop on the page or choose. */

import { messageOf, openFile } from './client';
import { router } from './router.svelte';
import { matchPlace } from './state/address';

class Opening {
  /** What is being opened now. */
  name = $state('');
  /** Why the last file could not be opened. */
  trouble = $state('');

  async open(file: File | undefined | null): Promise<void> {
    if (!file) return;
    this.name = file.name;
    this.trouble = '';
    try {
      const { id } = await openFile(file);
      router.go(matchPlace(id));
    } catch (error) {
      this.trouble = messageOf(error);
    }
    this.name = '';
  }
}

export const opening = new Opening();
