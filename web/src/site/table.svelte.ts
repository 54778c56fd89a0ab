/** A table at which somebody waits for others, as long as a page shows it. */

import { RETRY_MILLIS, Trouble } from '../client';
import type { TableView } from './api';
import { getTable } from './client';

/** Between two looks at a table: somebody may have sat down. */
const LOOK_MILLIS = 1000;

export class Table {
  view = $state.raw<TableView | null>(null);
  /** Why it is not there, or cannot be reached. */
  error = $state.raw<unknown>(null);
  #timer: ReturnType<typeof setTimeout> | undefined;
  #closed = false;

  constructor(
    readonly token: string,
    /** Called with every look at it. */
    private readonly seen: (view: TableView) => void,
  ) {
    void this.look();
  }

  async look(): Promise<void> {
    clearTimeout(this.#timer);
    try {
      const view = await getTable(this.token);
      if (this.#closed) return;
      this.view = view;
      this.error = null;
      this.seen(view);
      this.#again(LOOK_MILLIS);
    } catch (error) {
      if (this.#closed) return;
      this.error = error;
      // What cannot be reached may come back; a table that is gone does not.
      if (error instanceof Trouble && error.status === 0) this.#again(RETRY_MILLIS);
    }
  }

  #again(millis: number): void {
    if (!this.#closed) this.#timer = setTimeout(() => void this.look(), millis);
  }

  close(): void {
    this.#closed = true;
    clearTimeout(this.#timer);
  }
}
