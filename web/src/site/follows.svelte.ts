/** Whom the visitor follows: kept with the account, or in the browser for whoever has none. */

import { storage } from '../storage';
import { follow, getFollows, unfollow } from './client';
import { FOLLOWS } from './constants';

const KEY = 'palestra-follows';

function kept(): number[] {
  try {
    const found: unknown = JSON.parse(storage.getItem(KEY) ?? '[]');
    return Array.isArray(found) ? found.filter(Number.isInteger).slice(0, FOLLOWS) : [];
  } catch {
    return [];
  }
}

class Follows {
  ids = $state.raw<ReadonlySet<number>>(new Set(kept()));
  #signedIn = false;

  /** Whoever signs in takes along whom they followed before. */
  async load(me: number | null): Promise<void> {
    this.#signedIn = me !== null;
    const own = kept();
    if (me === null) {
      this.ids = new Set(own);
      return;
    }
    const known = await getFollows().catch(() => null);
    if (!known) return;
    const fresh = own.filter((id) => id !== me && !known.includes(id));
    // One that is gone, or one too many, is no reason to lose the others.
    await Promise.allSettled(fresh.map(follow));
    storage.setItem(KEY, '[]');
    this.ids = new Set(fresh.length ? await getFollows().catch(() => known) : known);
  }

  async toggle(id: number): Promise<void> {
    const has = this.ids.has(id);
    if (this.#signedIn) await (has ? unfollow(id) : follow(id));
    const rest = [...this.ids].filter((other) => other !== id);
    this.ids = new Set(has ? rest : [...rest, id].slice(-FOLLOWS));
    if (!this.#signedIn) storage.setItem(KEY, JSON.stringify([...this.ids]));
  }
}

export const follows = new Follows();
