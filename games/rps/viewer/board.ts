/** The board of Rock Paper Scissor: the arena on the ground, units and counters in the air. */

import type { Board, Layer, Moment, Scene, Spot } from 'palestra/contract';
import { mix } from 'palestra/palette';
import type { Say } from 'palestra/say';
import { arc, between, Bitmaps, burst, circle, ease, seatName, stamp, type Point } from 'palestra/shapes';
import { arena } from './arena';
import { CLASH, losses, takings, type Loss } from './fights';
import type { Frame, FramePlayer, Kind } from '../frame';
import type { RpsHands } from './hands';
import { icon, NAMES, token } from './icons';
import { counterOf, countdownOf, factoryOf, MARGIN, middle } from './layout';
import { plans } from './plans';

type View = Scene<Frame, RpsHands>;

const KINDS: Kind[] = ['R', 'P', 'S'];

/** Half of a unit's width. */
const UNIT = 0.44;

/** For how many turns a fight can still be seen. */
const SPAN = 3;

export class RpsBoard implements Board<Frame, RpsHands> {
  readonly #bitmaps = new Bitmaps();
  /** What the ground looked like when it was drawn. */
  #drawn = '';

  constructor(private readonly say: Say) {}

  extent({ size }: Frame): { width: number; height: number } {
    return { width: size + 2 * MARGIN, height: size + 2 * MARGIN };
  }

  draw(ground: Layer, air: Layer, scene: View, fresh: boolean): void {
    if (fresh) this.#bitmaps.clear();
    const owners = scene.now.frame.bases.map((base) => base.owner).join();
    if (fresh || owners !== this.#drawn) arena(ground, scene);
    this.#drawn = owners;

    for (const player of scene.now.frame.players) {
      this.#production(air, scene, player);
      this.#countdown(air, scene, player);
    }
    if (scene.hands) plans(air, scene, scene.hands);
    this.#units(air, scene);
    if (scene.turnMillis >= 30) bursts(air, scene);
  }

  describe(scene: View, x: number, y: number): string | null {
    const { size, units, bases, players } = scene.now.frame;
    const cell = { x: Math.floor(x - MARGIN), y: Math.floor(y - MARGIN) };
    if (cell.x < 0 || cell.y < 0 || cell.x >= size || cell.y >= size) return null;
    const here = (at: Point): boolean => at.x === cell.x && at.y === cell.y;
    const parts: string[] = [];
    const unit = units.find(here);
    const { say } = this;
    const who = (seat: number): { who: string } => ({ who: seatName(scene, seat) });
    if (unit) parts.push(say('unit_of', { what: say(NAMES[unit.kind]), n: unit.id, ...who(unit.seat) }));
    const base = bases.find(here);
    if (base) parts.push(base.owner === null ? say('free_base') : say('base_of', who(base.owner)));
    const owner = players.find(({ seat }) => here(factoryOf(seat, size)));
    if (owner) parts.push(describeFactory(say, who(owner.seat), owner));
    // Each player counts from its own factory.
    const turned = scene.eye === 2;
    const place = turned ? `(${size - 1 - cell.x}, ${size - 1 - cell.y})` : `(${cell.x}, ${cell.y})`;
    return `${place}: ${parts.join('; ') || say('empty')}`;
  }

  spots(sent: string[], { size }: Frame, seat: number): Spot[] {
    // Each player counts from its own factory.
    const spot = (line: number, x: number, y: number): Spot => ({
      line,
      x: (seat === 2 ? size - 1 - x : x) + MARGIN,
      y: (seat === 2 ? size - 1 - y : y) + MARGIN,
      width: 1,
      height: 1,
    });
    return sent.flatMap((text, line) => {
      const [, x, y] = /^\d+ [AE] [RPS] (\d+) (\d+)$/.exec(text) ?? [];
      if (x !== undefined && y !== undefined) return spot(line, Number(x), Number(y));
      if (text.startsWith('base r')) return spot(line, size - 1, 0);
      return text.startsWith('base d') ? spot(line, 0, size - 1) : [];
    });
  }

  #units(air: Layer, scene: View): void {
    const { now, progress, hands, theme, scale } = scene;
    const before = previous(scene);
    const was = new Map(before?.frame.units.map((unit) => [unit.id, unit]));
    const moving = before !== null && progress < 1;
    if (moving && progress < CLASH) {
      for (const { unit, to } of losses(before, now)) {
        const at = between(middle(unit), middle(to), ease(progress / CLASH) * 0.5);
        stamp(air, this.#unit(scene, unit.seat, unit.kind), at, scale);
      }
    }
    for (const unit of now.frame.units) {
      const from = was.get(unit.id);
      const at = from && moving ? between(middle(from), middle(unit), ease(progress)) : middle(unit);
      const bitmap = this.#unit(scene, unit.seat, unit.kind);
      if (!from && moving) {
        const side = (bitmap.width / scale) * ease(progress);
        air.drawImage(bitmap, at.x - side / 2, at.y - side / 2, side, side);
      } else {
        stamp(air, bitmap, at, scale);
      }
      if (hands?.selected.has(unit.id)) {
        circle(air, at, 0.52);
        for (const [ink, width] of [[theme.ground, 0.2] as const, [theme.accent, 0.1] as const]) {
          air.strokeStyle = ink;
          air.lineWidth = width;
          air.stroke();
        }
      }
    }
  }

  #unit({ theme, patterns, scale }: View, seat: number, kind: Kind): ImageBitmap {
    const side = Math.ceil(scale);
    return this.#bitmaps.get(`unit ${seat} ${kind} ${patterns}`, side, side, (pen) => {
      const look = theme.seat(seat);
      pen.translate(side / 2, side / 2);
      pen.scale(UNIT * scale, UNIT * scale);
      token(pen, kind);
      pen.fillStyle = look.fill;
      pen.fill();
      pen.strokeStyle = look.edge;
      pen.lineWidth = 0.12;
      pen.stroke();
      if (patterns && look.pattern) {
        // Its tiles are in pixels of the device.
        look.pattern.setTransform(new DOMMatrix().scale(1 / (UNIT * scale)));
        pen.fillStyle = look.pattern;
        pen.fill();
        look.pattern.setTransform(new DOMMatrix());
      }
      icon(pen, kind, look.ink, look.fill);
      if (patterns) {
        pen.resetTransform();
        const letter = this.#bitmaps.text(look.letter, scale * 0.32, theme.text, theme.ground);
        pen.drawImage(letter, side - letter.width, side - letter.height * 0.9);
      }
    });
  }

  /** How far the next rock, paper and scissors have come, the one in production in full colour. */
  #production(air: Layer, scene: View, { seat, production }: FramePlayer): void {
    if (!production) return;
    const { theme, now, scale, hands, eye } = scene;
    const look = theme.seat(seat);
    const chosen = hands && eye === seat ? hands.producing() : production.kind;
    KINDS.forEach((kind, index) => {
      const at = counterOf(seat, now.frame.size, index);
      const active = kind === chosen;
      const share = (production.spent[index] ?? 0) / Math.max(1, production.needed);
      const name = `counter ${seat} ${kind} ${active}`;
      const bitmap = this.#bitmaps.get(name, scale, scale, (pen) => {
        pen.translate(scale / 2, scale / 2);
        pen.scale(scale * 0.4, scale * 0.4);
        circle(pen, { x: 0, y: 0 }, 0.95);
        pen.fillStyle = active ? look.fill : theme.ground;
        pen.fill();
        icon(pen, kind, active ? look.ink : theme.faint, active ? look.fill : theme.ground);
      });
      stamp(air, bitmap, at, scale);
      air.lineWidth = 0.13;
      air.lineCap = 'butt';
      air.strokeStyle = theme.line;
      circle(air, at, 0.48);
      air.stroke();
      air.strokeStyle = active ? look.edge : mix(look.fill, theme.faint, 0.5);
      arc(air, at, 0.48, share);
      air.stroke();
    });
  }

  /** A player that stands on the enemy's factory wins when the ring is full. */
  #countdown(air: Layer, scene: View, { seat, hold }: FramePlayer): void {
    if (hold === 0) return;
    const { theme, now, scale } = scene;
    const { size, hold_ticks } = now.frame;
    const look = theme.seat(seat);
    const share = hold / hold_ticks;
    const held = middle(factoryOf(3 - seat, size));
    const at = countdownOf(3 - seat, size);
    air.strokeStyle = `${theme.accent}55`;
    air.lineWidth = 0.16;
    circle(air, held, 0.86);
    air.stroke();
    air.strokeStyle = theme.accent;
    arc(air, held, 0.86, share);
    air.stroke();
    air.fillStyle = look.fill;
    circle(air, at, 0.62);
    air.fill();
    air.strokeStyle = theme.accent;
    arc(air, at, 0.66, share);
    air.stroke();
    stamp(air, this.#bitmaps.text(String(Math.max(0, hold_ticks - hold)), scale * 0.66, look.ink), at, scale);
  }
}

function previous(scene: View): Moment<Frame> | null {
  return scene.before && scene.before.turn === scene.now.turn - 1 ? scene.before : null;
}

/** Fights and captures of the last turns; at rest, those of this one. */
function bursts(air: Layer, scene: View): void {
  const { now, playing, progress, theme } = scene;
  const resting = !playing && progress === 1;
  const moments = scene.history(resting ? 2 : SPAN + 2);
  moments.slice(1).forEach((moment, index) => {
    const before = moments[index];
    const age = resting ? 0.4 : (now.turn - moment.turn + progress - CLASH) / SPAN;
    if (!before || before.turn !== moment.turn - 1 || age < 0 || age >= 1) return;
    for (const loss of losses(before, moment)) {
      burst(air, clash(loss), 1.1, age, theme.seat(loss.unit.seat).edge, loss.unit.id);
    }
    for (const { at, seat } of takings(before, moment)) {
      air.globalAlpha = 1 - age;
      air.strokeStyle = theme.seat(seat).fill;
      air.lineWidth = 0.14;
      circle(air, middle(at), 0.6 + age * 0.7);
      air.stroke();
      air.globalAlpha = 1;
    }
  });
}

function clash({ unit, to }: Loss): Point {
  return between(middle(unit), middle(to), 0.5);
}

function describeFactory(say: Say, who: { who: string }, { production }: FramePlayer): string {
  if (!production) return say('factory', who);
  const { kind, spent, needed } = production;
  if (!kind) return say('factory_idle', who);
  const done = spent[KINDS.indexOf(kind)] ?? 0;
  return say('factory_makes', { ...who, what: say(NAMES[kind]), done, n: needed });
}
