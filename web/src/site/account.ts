/** Signing out, from wherever. */

import { arena } from './arena.svelte';
import { signOut } from './client';
import { router } from './router.svelte';

export async function leave(): Promise<void> {
  // Whatever the answer is: what the server says next about who is signed in is what counts.
  await signOut().catch(() => undefined);
  await arena.reload();
  router.go({ page: 'home' });
}
