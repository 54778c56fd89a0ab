/** Playing by hand with things that are selected, one by one or with a box around them, and then ordered about. */

import type { BaseFrame, Control } from './contract';
import type { Say } from './say';
import type { Point } from './shapes';

type Button = Extract<Control, { kind: 'button' }>;

export abstract class SelectionHands<F extends BaseFrame> {
  /** By number. */
  readonly selected = new Set<number>();

  protected frame: F | null = null;
  /** Whether every order ends the turn by itself. */
  protected atOnce = false;
  /** Whether there is an order that is to end the turn. */
  protected ready = false;

  constructor(
    protected readonly seat: number,
    protected readonly changed: () => void,
    protected readonly say: Say,
  ) {}

  abstract key(key: string, shift: boolean): boolean;

  /** Selects one alone, or with shift one more, or one less. */
  protected select(one: number, shift: boolean): void {
    if (shift && this.selected.has(one)) {
      this.selected.delete(one);
    } else {
      if (!shift) this.selected.clear();
      this.selected.add(one);
    }
  }

  /** Selects what stands between two corners, with shift beside what was selected before. */
  protected selectBetween(a: Point, b: Point, things: Iterable<[number, Point]>, shift: boolean): void {
    if (!shift) this.selected.clear();
    const within = (value: number, a: number, b: number): boolean =>
      value >= Math.min(a, b) && value <= Math.max(a, b);
    for (const [one, { x, y }] of things) {
      if (within(x, a.x, b.x) && within(y, a.y, b.y)) this.selected.add(one);
    }
  }

  /** A button that does what a key does. */
  protected button(
    label: string,
    key: string,
    more: Pick<Button, 'disabled' | 'pressed' | 'title'> = {},
  ): Control {
    return { kind: 'button', label, key, press: () => void this.key(key.toLowerCase(), false), ...more };
  }

  /** Whether every order ends the turn by itself. */
  protected atOnceButton(label: string, title: string): Control {
    return this.button(label, 'O', { pressed: this.atOnce, title });
  }
}
