/** Signing in and out, from wherever. */

import { arena } from './arena.svelte';
import { signOut } from './client';
import { router } from './router.svelte';

/** Goes on as whoever has just signed in, where that was wanted. */
export async function enter(next: string | null): Promise<void> {
  await arena.reload();
  router.replace(next ?? '/me');
}

export async function leave(): Promise<void> {
  // Whatever the answer is: what the server says next about who is signed in is what counts.
  await signOut().catch(() => undefined);
  await arena.reload();
  router.go({ page: 'home' });
}
