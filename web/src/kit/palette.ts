/** Colours: seats that everybody can tell apart, and the page in light and dark. */

import { SEAT_COLOURS } from './constants';
import type { SeatLook, Theme } from './contract';

const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+-';

/** Relative luminance, 0 to 1. */
export function luminance(hex: string): number {
  const part = (at: number): number => {
    const value = parseInt(hex.slice(at, at + 2), 16) / 255;
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  };
  return 0.2126 * part(1) + 0.7152 * part(3) + 0.0722 * part(5);
}

/** A colour between two: 0 is the first, 1 the second. */
export function mix(from: string, to: string, share: number): string {
  const part = (at: number): string => {
    const a = parseInt(from.slice(at, at + 2), 16);
    const b = parseInt(to.slice(at, at + 2), 16);
    return Math.round(a + (b - a) * share)
      .toString(16)
      .padStart(2, '0');
  };
  return `#${part(1)}${part(3)}${part(5)}`;
}

/** Black or white, whichever is easier to read on this colour. */
export function inkOn(hex: string): string {
  return luminance(hex) > 0.3 ? '#10141a' : '#ffffff';
}

export function seatFill(seat: number): string {
  return SEAT_COLOURS[(seat - 1) % SEAT_COLOURS.length] ?? SEAT_COLOURS[0];
}

export function seatLetter(seat: number): string {
  return LETTERS[(seat - 1) % LETTERS.length] ?? '?';
}

const TILE = 12;

/** Draws one of sixteen hatchings into a tile. */
function hatch(context: CanvasRenderingContext2D, kind: number): void {
  const line = (x1: number, y1: number, x2: number, y2: number): void => {
    context.beginPath();
    context.moveTo(x1, y1);
    context.lineTo(x2, y2);
    context.stroke();
  };
  const dot = (x: number, y: number, radius: number): void => {
    context.beginPath();
    context.arc(x, y, radius, 0, Math.PI * 2);
    context.fill();
  };
  const strokes: (() => void)[] = [
    () => undefined,
    () => [-TILE, 0, TILE].forEach((x) => line(x, TILE, x + TILE, 0)),
    () => dot(TILE / 2, TILE / 2, 2),
    () => line(0, TILE / 2, TILE, TILE / 2),
    () => line(TILE / 2, 0, TILE / 2, TILE),
    () => [-TILE, 0, TILE].forEach((x) => line(x, 0, x + TILE, TILE)),
    () => [line(0, TILE / 2, TILE, TILE / 2), line(TILE / 2, 0, TILE / 2, TILE)],
    () => [line(0, 0, TILE, TILE), line(0, TILE, TILE, 0)],
    () => context.strokeRect(3, 3, TILE - 6, TILE - 6),
    () => [dot(3, 3, 1.5), dot(9, 9, 1.5)],
    () => [line(0, 3, TILE, 3), line(0, 9, TILE, 9)],
    () => [line(3, 0, 3, TILE), line(9, 0, 9, TILE)],
    () => [
      line(0, TILE / 2, TILE / 2, 0),
      line(TILE / 2, TILE, TILE, TILE / 2),
      line(0, TILE / 2, TILE / 2, TILE),
    ],
    () => context.fillRect(0, 0, TILE / 2, TILE / 2),
    () => dot(TILE / 2, TILE / 2, 3.5),
    () => [line(0, 3, TILE, 3), line(3, 3, 3, TILE)],
  ];
  strokes[kind % strokes.length]?.();
}

function pattern(seat: number, ink: string): CanvasPattern | null {
  const tile = new OffscreenCanvas(TILE, TILE);
  const context = tile.getContext('2d') as unknown as CanvasRenderingContext2D | null;
  if (!context) return null;
  context.strokeStyle = context.fillStyle = ink;
  context.globalAlpha = 0.22;
  context.lineWidth = 1.5;
  hatch(context, (seat - 1) % 16);
  return context.createPattern(tile, 'repeat');
}

function looks(dark: boolean): (seat: number) => SeatLook {
  const made = new Map<number, SeatLook>();
  return (seat) => {
    const known = made.get(seat);
    if (known) return known;
    const fill = seat === 0 ? (dark ? '#5b6472' : '#c3c9d2') : seatFill(seat);
    const ink = inkOn(fill);
    const look: SeatLook = {
      fill,
      ink,
      edge: mix(fill, dark ? '#ffffff' : '#000000', 0.35),
      letter: seat === 0 ? '' : seatLetter(seat),
      pattern: seat === 0 ? null : pattern(seat, ink),
    };
    made.set(seat, look);
    return look;
  };
}

export function theme(dark: boolean): Theme {
  return dark
    ? {
        dark,
        page: '#12161c',
        ground: '#1d232c',
        line: '#2b333f',
        neutral: '#49525f',
        solid: '#6f7885',
        fog: '#0c0f14',
        text: '#eef1f5',
        faint: '#9aa4b2',
        accent: '#ffd34d',
        seat: looks(dark),
      }
    : {
        dark,
        page: '#f4f6f9',
        ground: '#ffffff',
        line: '#d5dae2',
        neutral: '#c3c9d2',
        solid: '#78808c',
        fog: '#b4bbc6',
        text: '#161b22',
        faint: '#5b6472',
        accent: '#4a33c9',
        seat: looks(dark),
      };
}

/** How well one colour can be told from another, from 1 to 21. */
export function contrast(one: string, other: string): number {
  const [a, b] = [luminance(one) + 0.05, luminance(other) + 0.05];
  return Math.max(a, b) / Math.min(a, b);
}

/** The colour of a seat's line: that of the seat, or its outline where that would have too little contrast with the page. */
export function strokeOf({ page, seat: look }: Theme, seat: number, least = 1.7): string {
  const { fill, edge } = look(seat);
  return contrast(fill, page) < least ? edge : fill;
}
