/** Hears how far a match that goes on has come, and keeps trying when the connection is lost. */

import type { Progress } from './api';

const RETRY_MILLIS = 2000;

export class Live {
  #source: EventSource | null = null;
  #retry: ReturnType<typeof setTimeout> | undefined;

  constructor(
    private readonly path: string,
    private readonly progress: (progress: Progress) => void,
    private readonly lost: (lost: boolean) => void,
  ) {
    this.#connect();
  }

  close(): void {
    clearTimeout(this.#retry);
    this.#source?.close();
  }

  #connect(): void {
    const source = new EventSource(this.path);
    this.#source = source;
    source.onopen = () => this.lost(false);
    source.onmessage = (event) => {
      this.progress(JSON.parse(event.data as string) as Progress);
    };
    source.onerror = () => {
      // Browsers try again by themselves after some failures and give up after others; one way is enough.
      source.close();
      this.#retry = setTimeout(() => this.#connect(), RETRY_MILLIS);
      this.lost(true);
    };
  }
}
