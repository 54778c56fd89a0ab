/** Something asked of the server for as long as a page shows it. */

import { untrack } from 'svelte';
import { RETRY_MILLIS, Trouble } from '../client';

export class Resource<T> {
  value = $state.raw<T | null>(null);
  /** Why there is no value, or no newer one. */
  error = $state.raw<unknown>(null);
  /** Only the latest question is worth an answer. */
  #asked = 0;
  #retry: ReturnType<typeof setTimeout> | undefined;

  constructor(private readonly load: () => Promise<T>) {}

  /** Asks from the beginning: what is there belongs to something else. */
  begin(): Promise<void> {
    this.value = null;
    this.error = null;
    return this.reload();
  }

  /** Asks again, and shows what is there until the answer comes. */
  async reload(): Promise<void> {
    clearTimeout(this.#retry);
    const asked = ++this.#asked;
    try {
      const value = await this.load();
      if (asked !== this.#asked) return;
      this.value = value;
      this.error = null;
    } catch (error) {
      if (asked !== this.#asked) return;
      this.error = error;
      // What cannot be reached, or has no answer just now, may come back; what was refused stays refused.
      if (error instanceof Trouble && (error.status === 0 || error.status === 503)) {
        this.#retry = setTimeout(() => void this.reload(), RETRY_MILLIS);
      }
    }
  }

  close(): void {
    clearTimeout(this.#retry);
    this.#asked++;
  }
}

/**
 * For components: loads at once, from the beginning whenever something that `load` reads at its start changes, and
 * quietly again when `again` changes.
 */
export function resource<T>(load: () => Promise<T>, again?: () => unknown): Resource<T> {
  let question: Promise<T> | null = null;
  const made = new Resource<T>(() => {
    const first = question;
    question = null;
    return first ?? untrack(load);
  });
  $effect(() => {
    question = load();
    untrack(() => void made.begin());
    return () => made.close();
  });
  let first = true;
  $effect(() => {
    again?.();
    if (!first) untrack(() => void made.reload());
    first = false;
  });
  return made;
}
