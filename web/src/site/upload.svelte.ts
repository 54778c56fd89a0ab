/** Something being handed in: sent, then followed until it is settled. */

import { RETRY_MILLIS } from '../client';
import type { VersionView } from './api';
import { getVersion, uploadVersion, logPath } from './client';

export class Upload {
  /** What is being sent. */
  sending = $state('');
  version = $state.raw<VersionView | null>(null);
  log = $state('');
  /** Whether the log does not come at the moment. */
  lost = $state(false);
  error = $state.raw<unknown>(null);

  #source: EventSource | null = null;
  #retry: ReturnType<typeof setTimeout> | undefined;

  /** `settled` is called when it is ready or rejected. */
  constructor(private readonly settled: () => void) {}

  send(game: string, file: File): Promise<void> {
    return this.take(file.name, () => uploadVersion(game, file));
  }

  /** Follows what is handed in, or tried, under this name. */
  async take(name: string, work: () => Promise<VersionView>): Promise<void> {
    this.close();
    this.version = null;
    this.error = null;
    this.log = '';
    this.sending = name;
    try {
      this.#see(await work());
    } catch (error) {
      this.error = error;
    }
    this.sending = '';
  }

  /** Follows what was handed in before, if it is not settled yet. */
  resume(version: VersionView): void {
    if (!this.version && !isSettled(version)) this.#see(version);
  }

  close(): void {
    clearTimeout(this.#retry);
    this.#source?.close();
    this.#source = null;
  }

  #see(version: VersionView): void {
    this.version = version;
    if (isSettled(version)) {
      this.close();
      if (version.log !== null) this.log = version.log;
      this.settled();
    } else if (!this.#source) {
      this.#listen(version.id);
    }
  }

  #listen(id: number): void {
    const source = new EventSource(logPath(id));
    this.#source = source;
    source.onopen = () => {
      // It begins with everything that was written so far.
      this.log = '';
      this.lost = false;
    };
    source.addEventListener('log', ({ data }) => (this.log += JSON.parse(data as string) as string));
    source.addEventListener('state', ({ data }) => this.#see(JSON.parse(data as string) as VersionView));
    source.onerror = () => {
      this.close();
      this.#retry = setTimeout(() => void this.#again(id), RETRY_MILLIS);
    };
  }

  async #again(id: number): Promise<void> {
    try {
      this.#see(await getVersion(id));
    } catch {
      this.lost = true;
      this.#retry = setTimeout(() => void this.#again(id), RETRY_MILLIS);
    }
  }
}

export const isSettled = ({ state }: VersionView): boolean => state === 'ready' || state === 'rejected';
