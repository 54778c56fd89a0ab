/** The ground of the board: space, and the planets in it. A planet is drawn again only when it looks different. */

import type { Layer, Scene } from 'palestra/contract';
import { mix } from 'palestra/palette';
import { arc, Bitmaps, circle, scatter, short, stamp, type Point } from 'palestra/shapes';
import type { Frame, PlanetFrame } from '../frame';
import { disc, REACH, rim, RING, type Layout } from './layout';

export class Planets {
  readonly #layout: Layout;
  readonly #bitmaps: Bitmaps;
  /** What each planet looked like when it was drawn. */
  #drawn: string[] = [];

  constructor(layout: Layout, bitmaps: Bitmaps) {
    this.#layout = layout;
    this.#bitmaps = bitmaps;
  }

  draw(ground: Layer, scene: Scene<Frame>, planets: PlanetFrame[], fresh: boolean): void {
    const looks = planets.map((planet) => lookOf(planet, scene));
    if (fresh) {
      this.#repaint(ground, scene, planets, { x: 0, y: 0, ...this.#layout });
    } else {
      // On whole pixels, so that the edges of what is drawn anew blend with what is not.
      const whole = (value: number): number => Math.floor(value * scene.scale) / scene.scale;
      const reach = this.#layout.radius * REACH;
      const side = whole(2 * reach) + 2 / scene.scale;
      this.#layout.places.forEach(({ x, y }, index) => {
        if (looks[index] === this.#drawn[index]) return;
        this.#repaint(ground, scene, planets, {
          x: whole(x - reach),
          y: whole(y - reach),
          width: side,
          height: side,
        });
      });
    }
    this.#drawn = looks;
  }

  #repaint(ground: Layer, scene: Scene<Frame>, planets: PlanetFrame[], box: Box): void {
    ground.save();
    ground.beginPath();
    ground.rect(box.x, box.y, box.width, box.height);
    ground.clip();
    stamp(ground, this.#space(scene), middle(this.#layout), scene.scale);
    const reach = this.#layout.radius * REACH;
    this.#layout.places.forEach(({ x, y }, index) => {
      const near = x + reach > box.x && x - reach < box.x + box.width;
      const planet = planets[index];
      if (planet && near && y + reach > box.y && y - reach < box.y + box.height) {
        this.#planet(ground, scene, planet, index);
      }
    });
    ground.restore();
  }

  /** Darkness, and stars that are always at the same places. */
  #space({ theme, scale }: Scene<Frame>): ImageBitmap {
    const [width, height] = [this.#layout.width * scale, this.#layout.height * scale];
    return this.#bitmaps.get('space', width, height, (pen) => {
      const { x, y } = middle({ width, height });
      const sky = pen.createRadialGradient(x, y, 0, x, y, Math.hypot(x, y));
      sky.addColorStop(0, theme.ground);
      sky.addColorStop(1, mix(theme.ground, theme.dark ? '#000814' : '#c9d6ea', theme.dark ? 0.55 : 0.4));
      pen.fillStyle = sky;
      pen.fillRect(0, 0, width + 1, height + 1);
      for (let star = 0; star < 220; star += 1) {
        const at = { x: width * scatter(star * 3 + 1), y: height * scatter(star * 3 + 2) };
        const bright = scatter(star * 3 + 3) ** 3;
        pen.fillStyle = mix(theme.ground, theme.dark ? '#cfdcff' : '#5f7396', 0.18 + 0.5 * bright);
        circle(pen, at, 0.6 + 1.1 * bright);
        pen.fill();
      }
    });
  }

  #planet(ground: Layer, scene: Scene<Frame>, planet: PlanetFrame, index: number): void {
    const { radius, places } = this.#layout;
    const at = places[index];
    if (!at) return;
    const { theme, scale } = scene;
    stamp(ground, this.#body(scene, planet.owner, planet.level), at, scale);
    if (planet.full_armor > 0) {
      ground.lineWidth = radius * 0.14;
      ground.lineCap = 'butt';
      ground.strokeStyle = mix(theme.ground, theme.text, 0.14);
      circle(ground, at, rim(this.#layout, planet.level));
      ground.stroke();
      ground.strokeStyle = theme.seat(planet.owner).edge;
      arc(ground, at, rim(this.#layout, planet.level), planet.armor / planet.full_armor);
      ground.stroke();
    }

    this.count(ground, scene, planet, at);
    // Its number, by which bots call it.
    if (radius * scale > 14) {
      const away = 0.74 * (rim(this.#layout, planet.level) + radius * 0.18);
      const bitmap = this.#bitmaps.text(String(index + 1), Math.max(radius * scale * 0.38, 10), theme.faint);
      stamp(ground, bitmap, { x: at.x + away, y: at.y + away }, scale);
    }
  }

  /** The ships on a planet, and whose they are where letters are wanted. */
  count(layer: Layer, scene: Scene<Frame>, { owner, level, ships }: PlanetFrame, at: Point): void {
    if (owner === 0) return;
    const { theme, scale, patterns, projector } = scene;
    const look = theme.seat(owner);
    const ink = level > 0 ? look.ink : theme.text;
    const write = (text: string, down: number, size: number): void => {
      const { radius } = this.#layout;
      const bitmap = this.#bitmaps.text(text, size * radius * scale, ink);
      stamp(layer, bitmap, { x: at.x, y: at.y + down * radius }, scale);
    };
    const text = short(ships);
    const size = (projector ? 1.1 : 1) * ([1, 1, 0.94, 0.78, 0.64][text.length] ?? 0.6);
    if (patterns) write(look.letter, -0.42, 0.46);
    write(text, patterns ? 0.16 : 0, patterns ? size * 0.86 : size);
  }

  /** Glow, disc and the rings of its level: all that does not change from turn to turn. */
  #body(scene: Scene<Frame>, owner: number, level: number): ImageBitmap {
    const { theme, scale, patterns } = scene;
    const unit = this.#layout.radius * scale;
    const side = 2 * REACH * unit;
    return this.#bitmaps.get(`planet ${owner} ${level} ${patterns}`, side, side, (pen) => {
      const look = theme.seat(owner);
      const size = disc(this.#layout, level) * scale;
      const held = owner > 0 && level === 0;
      const at = middle(pen.canvas);

      if (owner > 0) {
        const glow = pen.createRadialGradient(
          at.x,
          at.y,
          size * 0.8,
          at.x,
          at.y,
          REACH * unit * (held ? 0.75 : 1),
        );
        const strength = (theme.dark ? 0x70 : 0x50) * (held ? 0.5 : 1);
        glow.addColorStop(0, look.fill + Math.round(strength).toString(16).padStart(2, '0'));
        glow.addColorStop(1, `${look.fill}00`);
        pen.fillStyle = glow;
        circle(pen, at, REACH * unit);
        pen.fill();
      }

      // Ships that merely stand on a planet give it a tinge; only a captured one is all of their colour.
      const base = owner > 0 ? look.fill : mix(theme.ground, theme.neutral, 0.75);
      const colour = held ? mix(theme.ground, look.fill, 0.22) : base;
      const shine = pen.createRadialGradient(
        at.x - size * 0.35,
        at.y - size * 0.4,
        size * 0.1,
        at.x,
        at.y,
        size * 1.05,
      );
      shine.addColorStop(0, mix(colour, '#ffffff', level > 0 ? 0.2 : theme.dark ? 0.1 : 0.4));
      shine.addColorStop(0.55, colour);
      shine.addColorStop(1, mix(colour, '#000000', level > 0 ? 0.18 : 0.08));
      pen.fillStyle = shine;
      circle(pen, at, size);
      pen.fill();
      if (patterns && look.pattern) {
        pen.fillStyle = look.pattern;
        pen.fill();
      }
      if (level === 0) {
        pen.strokeStyle = owner > 0 ? look.edge : mix(theme.neutral, theme.solid, 0.4);
        pen.lineWidth = unit * (held ? 0.09 : 0.05);
        if (held) pen.setLineDash([unit * 0.24, unit * 0.16]);
        pen.stroke();
      }

      pen.strokeStyle = mix(look.fill, look.edge, 0.35);
      pen.lineWidth = Math.max(1, unit * 0.075);
      for (let ring = 1; ring <= level; ring += 1) {
        circle(pen, at, size + unit * RING * (ring - 0.2));
        pen.stroke();
      }
    });
  }
}

interface Box {
  x: number;
  y: number;
  width: number;
  height: number;
}

function lookOf(planet: PlanetFrame, { patterns, projector }: Scene<Frame>): string {
  const { owner, ships, level, armor, full_armor } = planet;
  return `${owner} ${ships} ${level} ${armor} ${full_armor} ${patterns} ${projector}`;
}

function middle({ width, height }: { width: number; height: number }): Point {
  return { x: width / 2, y: height / 2 };
}
