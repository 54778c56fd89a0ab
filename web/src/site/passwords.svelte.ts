/** Passwords that were told once: kept on the page until the organisers have taken them. */

import type { NewPassword } from './api';

class Passwords {
  list = $state.raw<NewPassword[]>([]);

  add(more: NewPassword[]): void {
    const fresh = new Set(more.map(({ id }) => id));
    this.list = [...more, ...this.list.filter(({ id }) => !fresh.has(id))];
  }

  forget(): void {
    this.list = [];
  }
}

export const passwords = new Passwords();
