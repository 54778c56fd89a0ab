/** Hears what a server has to say for as long as it lasts, and keeps trying when the connection is lost. */

import { RETRY_MILLIS } from './client';

export interface Hearing<T> {
  heard(news: T): void;
  lost(lost: boolean): void;
  /** Whether to hang up while nobody looks at the page: browsers allow only a few connections at once. */
  rests?: () => boolean;
}

export class Live<T> {
  #source: EventSource | null = null;
  #retry: ReturnType<typeof setTimeout> | undefined;

  constructor(
    private readonly path: string,
    private readonly hearing: Hearing<T>,
  ) {
    this.#connect();
    document.addEventListener('visibilitychange', this.#looked);
  }

  close(): void {
    document.removeEventListener('visibilitychange', this.#looked);
    this.#hangUp();
  }

  /** Asks anew, as somebody else. */
  restart(): void {
    this.#hangUp();
    this.#connect();
  }

  #looked = (): void => {
    if (this.hearing.rests?.()) this.restart();
  };

  #hangUp(): void {
    clearTimeout(this.#retry);
    this.#source?.close();
  }

  #connect(): void {
    if (this.hearing.rests?.() && document.hidden) return;
    const source = new EventSource(this.path);
    this.#source = source;
    source.onopen = () => this.hearing.lost(false);
    source.onmessage = (event) => {
      this.hearing.heard(JSON.parse(event.data as string) as T);
    };
    source.onerror = () => {
      // Browsers try again by themselves after some failures and give up after others; one way is enough.
      source.close();
      this.#retry = setTimeout(() => this.#connect(), RETRY_MILLIS);
      this.hearing.lost(true);
    };
  }
}
