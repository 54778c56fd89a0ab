/** Small drawings that boards share: text of any size, bitmaps that are drawn once, arrows, bursts. */

import type { BaseFrame, Layer, Scene } from './contract';

export interface Point {
  x: number;
  y: number;
}

/** A layer, or a bitmap in the making. */
export type Pen = Layer | OffscreenCanvasRenderingContext2D;

export const TAU = Math.PI * 2;

const FONT = 'system-ui, -apple-system, "Segoe UI", Roboto, sans-serif';

/** Enough for every number of a long match, and still only some megabytes. */
const MOST_BITMAPS = 3000;

export function clamp(value: number, low: number, high: number): number {
  return Math.max(low, Math.min(high, value));
}

export function distance(a: Point, b: Point): number {
  return Math.hypot(a.x - b.x, a.y - b.y);
}

/** The point this share of the way from one to another. */
export function between(a: Point, b: Point, share: number): Point {
  return { x: a.x + (b.x - a.x) * share, y: a.y + (b.y - a.y) * share };
}

/** Whom a seat is called in a sentence: "B (greedy)". */
export function seatName({ theme, names }: Pick<Scene<BaseFrame>, 'theme' | 'names'>, seat: number): string {
  const name = names[seat - 1];
  return theme.seat(seat).letter + (name ? ` (${name})` : '');
}

/** A number in at most four characters: 987, 4321, 12k, 1.2M. */
export function short(count: number): string {
  if (count < 10_000) return String(count);
  if (count < 1_000_000) return `${Math.floor(count / 1000)}k`;
  if (count < 10_000_000) return `${Math.floor(count / 100_000) / 10}M`;
  return `${Math.floor(count / 1_000_000)}M`;
}

/** Starts slowly and ends slowly. */
export function ease(share: number): number {
  return share * share * (3 - 2 * share);
}

/** A number from 0 to 1 that looks like chance and is always the same for the same seed. */
export function scatter(seed: number): number {
  const mixed = Math.imul(seed ^ (seed >>> 15) ^ 0x9e3779b9, 0x85ebca6b);
  return ((Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35) ^ (mixed >>> 16)) >>> 0) / 2 ** 32;
}

/** Bitmaps in pixels of the device; showing one is many times faster than drawing it anew. */
export class Bitmaps {
  readonly #made = new Map<string, ImageBitmap>();
  readonly #ruler = new OffscreenCanvas(1, 1).getContext('2d');

  /** The bitmap of this name, drawn now if it is not there yet. */
  get(
    name: string,
    width: number,
    height: number,
    draw: (pen: OffscreenCanvasRenderingContext2D) => void,
  ): ImageBitmap {
    const known = this.#made.get(name);
    if (known) return known;
    if (this.#made.size >= MOST_BITMAPS) this.#made.clear();
    const canvas = new OffscreenCanvas(Math.max(1, Math.ceil(width)), Math.max(1, Math.ceil(height)));
    const pen = canvas.getContext('2d');
    if (pen) draw(pen);
    const bitmap = canvas.transferToImageBitmap();
    this.#made.set(name, bitmap);
    return bitmap;
  }

  /** One line of bold text, `size` pixels high, with a halo where it must stand out from what is behind it. */
  text(text: string, size: number, ink: string, halo?: string): ImageBitmap {
    const pixels = Math.max(6, Math.round(size));
    const rim = halo ? Math.max(2, pixels * 0.28) : 0;
    const font = `700 ${pixels}px ${FONT}`;
    const name = `text ${pixels} ${ink} ${halo ?? ''} ${text}`;
    const known = this.#made.get(name);
    if (known) return known;
    if (this.#ruler) this.#ruler.font = font;
    const width = (this.#ruler?.measureText(text).width ?? 0) + rim * 2 + 2;
    return this.get(name, width, pixels * 1.2 + rim, (context) => {
      const [x, y] = [context.canvas.width / 2, context.canvas.height / 2 + pixels * 0.06];
      context.font = font;
      context.textAlign = 'center';
      context.textBaseline = 'middle';
      if (halo) {
        context.strokeStyle = halo;
        context.lineWidth = rim;
        context.lineJoin = 'round';
        context.strokeText(text, x, y);
      }
      context.fillStyle = ink;
      context.fillText(text, x, y);
    });
  }

  clear(): void {
    this.#made.clear();
  }
}

/** Shows a bitmap with its middle at a point of the board, on whole pixels, so that it stays sharp. */
export function stamp(layer: Layer, bitmap: ImageBitmap, at: Point, scale: number): void {
  const x = Math.round(at.x * scale - bitmap.width / 2) / scale;
  const y = Math.round(at.y * scale - bitmap.height / 2) / scale;
  layer.drawImage(bitmap, x, y, bitmap.width / scale, bitmap.height / scale);
}

export function circle(pen: Pen, at: Point, radius: number): void {
  pen.beginPath();
  pen.arc(at.x, at.y, radius, 0, TAU);
}

/** A part of a circle that begins at the top, `share` of it, clockwise. */
export function arc(pen: Pen, at: Point, radius: number, share: number): void {
  pen.beginPath();
  pen.arc(at.x, at.y, radius, -TAU / 4, -TAU / 4 + TAU * clamp(share, 0, 1));
}

/** Strokes a line with a head of this size at its end, in the pen's present style. */
export function arrow(pen: Pen, from: Point, to: Point, head: number): void {
  const turn = Math.atan2(to.y - from.y, to.x - from.x);
  pen.beginPath();
  pen.moveTo(from.x, from.y);
  pen.lineTo(to.x, to.y);
  for (const side of [-1, 1]) {
    pen.moveTo(to.x, to.y);
    pen.lineTo(to.x - head * Math.cos(turn + side * 0.5), to.y - head * Math.sin(turn + side * 0.5));
  }
  pen.stroke();
}

/** Sparks that fly apart and a ring that grows; `age` goes from 0 to 1, where nothing is left. */
export function burst(pen: Pen, at: Point, radius: number, age: number, ink: string, seed: number): void {
  const reach = radius * (1 - (1 - age) ** 2);
  pen.save();
  pen.globalAlpha *= 1 - age;
  pen.strokeStyle = ink;
  pen.lineCap = 'round';
  pen.lineWidth = radius * 0.13 * (1 - age * 0.6);
  pen.beginPath();
  const sparks = 9;
  for (let spark = 0; spark < sparks; spark += 1) {
    const turn = ((spark + scatter(seed + spark)) / sparks) * TAU;
    const [far, near] = [reach * (0.75 + 0.45 * scatter(seed * 31 + spark)), reach * 0.45];
    pen.moveTo(at.x + near * Math.cos(turn), at.y + near * Math.sin(turn));
    pen.lineTo(at.x + far * Math.cos(turn), at.y + far * Math.sin(turn));
  }
  pen.stroke();
  pen.lineWidth *= 0.6;
  circle(pen, at, reach);
  pen.stroke();
  pen.restore();
}
