/** The visitor's preferences as the page uses them. */

import { theme } from 'palestra/palette';
import { SPEEDS } from './state/playback';
import { load, save, type Prefs } from './state/prefs';
import { storage } from './storage';

class Settings {
  #prefs = $state<Prefs>(load(storage));
  #systemDark = $state(matchMedia('(prefers-color-scheme: dark)').matches);
  #systemStill = $state(matchMedia('(prefers-reduced-motion: reduce)').matches);

  readonly dark = $derived((this.#prefs.theme ?? (this.#systemDark ? 'dark' : 'light')) === 'dark');
  readonly theme = $derived(theme(this.dark));
  readonly movement = $derived(this.#prefs.movement ?? !this.#systemStill);
  readonly speed = $derived(SPEEDS[this.#prefs.speed] ?? 1);

  constructor() {
    matchMedia('(prefers-color-scheme: dark)').addEventListener('change', (event) => {
      this.#systemDark = event.matches;
    });
    matchMedia('(prefers-reduced-motion: reduce)').addEventListener('change', (event) => {
      this.#systemStill = event.matches;
    });
  }

  get patterns(): boolean {
    return this.#prefs.patterns;
  }

  get projector(): boolean {
    return this.#prefs.projector;
  }

  get charts(): boolean {
    return this.#prefs.charts;
  }

  change(part: Partial<Prefs>): void {
    Object.assign(this.#prefs, part);
    save(storage, $state.snapshot(this.#prefs));
  }

  changeSpeed(steps: number): void {
    this.change({ speed: Math.max(0, Math.min(SPEEDS.length - 1, this.#prefs.speed + steps)) });
  }

  toggleTheme(): void {
    this.change({ theme: this.dark ? 'light' : 'dark' });
  }

  /** The projector wants the whole screen; where that is refused, large letters alone must do. */
  setProjector(on: boolean): void {
    this.change({ projector: on });
    if (on) document.documentElement.requestFullscreen?.().catch(() => undefined);
    else if (document.fullscreenElement) document.exitFullscreen().catch(() => undefined);
  }
}

export const settings = new Settings();
