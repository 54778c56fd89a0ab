/** How somebody likes the page; kept in the browser from one visit to the next. */

import { SPEEDS } from './playback';

export interface Prefs {
  /** Null is what the system says. */
  theme: 'light' | 'dark' | null;
  /** An index into {@link SPEEDS}. */
  speed: number;
  /** Whether things move from turn to turn; null is what the system says. */
  movement: boolean | null;
  /** Patterns and letters besides colours. */
  patterns: boolean;
  /** Readable from the back of a lecture hall. */
  projector: boolean;
  /** Whether the charts are open. */
  charts: boolean;
}

export const DEFAULTS: Prefs = {
  theme: null,
  speed: SPEEDS.indexOf(1),
  movement: null,
  patterns: false,
  projector: false,
  charts: true,
};

const KEY = 'palestra';

/** What was kept; whatever is missing or strange there is as by default. */
export function load(storage: Pick<Storage, 'getItem'>): Prefs {
  let kept: Partial<Record<keyof Prefs, unknown>> = {};
  try {
    kept = (JSON.parse(storage.getItem(KEY) ?? '{}') ?? {}) as typeof kept;
  } catch {
    // Nothing that could be read; the defaults will do.
  }
  const flag = (key: 'patterns' | 'projector' | 'charts'): boolean =>
    typeof kept[key] === 'boolean' ? kept[key] : DEFAULTS[key];
  return {
    theme: kept.theme === 'light' || kept.theme === 'dark' ? kept.theme : null,
    speed: typeof kept.speed === 'number' && kept.speed in SPEEDS ? kept.speed : DEFAULTS.speed,
    movement: typeof kept.movement === 'boolean' ? kept.movement : null,
    patterns: flag('patterns'),
    projector: flag('projector'),
    charts: flag('charts'),
  };
}

export function save(storage: Pick<Storage, 'setItem'>, prefs: Prefs): void {
  storage.setItem(KEY, JSON.stringify(prefs));
}
