/** The server's time, as far as a page can know it, second by second. */

class Clock {
  #behind = 0;
  now = $state(Date.now());

  constructor() {
    setInterval(() => this.#tick(), 1000);
  }

  /** The server has said what time it is there. */
  set(now: number): void {
    this.#behind = now - Date.now();
    this.#tick();
  }

  #tick(): void {
    this.now = Date.now() + this.#behind;
  }
}

export const clock = new Clock();
