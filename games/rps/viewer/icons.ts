/** Rock, paper, scissors, factory and base as drawings; each fits a square from (-1, -1) to (1, 1). */

import { circle, TAU, type Pen } from 'palestra/shapes';
import type { Kind } from '../frame';

type Corner = readonly [number, number];

export const NAMES: Record<Kind, string> = { R: 'rock', P: 'paper', S: 'scissors' };

/** In `ink`, with details in `paper`. */
export function icon(pen: Pen, kind: Kind, ink: string, paper: string): void {
  pen.fillStyle = pen.strokeStyle = ink;
  pen.lineCap = pen.lineJoin = 'round';
  ({ R: rock, P: sheet, S: scissors })[kind](pen, paper);
}

/** The outline of a unit; each kind has its own, so that it is known from afar. */
export function token(pen: Pen, kind: Kind): void {
  pen.beginPath();
  if (kind === 'R') pen.arc(0, 0, 0.98, 0, TAU);
  else if (kind === 'P') pen.roundRect(-0.88, -0.88, 1.76, 1.76, 0.3);
  else {
    pen.save();
    pen.rotate(TAU / 8);
    pen.roundRect(-0.82, -0.82, 1.64, 1.64, 0.28);
    pen.restore();
  }
}

export function factory(pen: Pen): void {
  shape(pen, [
    [-0.8, 0.7],
    [-0.8, -0.05],
    [-0.3, -0.4],
    [-0.3, -0.05],
    [0.2, -0.4],
    [0.2, -0.05],
    [0.34, -0.05],
    [0.4, -0.8],
    [0.68, -0.8],
    [0.8, 0.7],
  ]);
  pen.fill();
}

export function flag(pen: Pen): void {
  shape(pen, [
    [-0.42, -0.8],
    [0.7, -0.38],
    [-0.42, 0.04],
  ]);
  pen.fill();
  pen.fillRect(-0.56, -0.86, 0.16, 1.66);
}

function rock(pen: Pen, paper: string): void {
  shape(pen, [
    [-0.68, 0.44],
    [-0.6, -0.04],
    [-0.26, -0.5],
    [0.22, -0.58],
    [0.56, -0.22],
    [0.7, 0.3],
    [0.48, 0.56],
    [-0.44, 0.58],
  ]);
  pen.fill();
  // Two sides that lie in the shade.
  pen.fillStyle = paper;
  pen.globalAlpha = 0.55;
  shape(pen, [
    [0.22, -0.58],
    [0.56, -0.22],
    [0.7, 0.3],
    [0.48, 0.56],
    [0.3, 0.06],
  ]);
  pen.fill();
  pen.globalAlpha = 0.3;
  shape(pen, [
    [0.3, 0.06],
    [0.48, 0.56],
    [-0.44, 0.58],
    [-0.24, 0.2],
  ]);
  pen.fill();
  pen.globalAlpha = 1;
}

function sheet(pen: Pen, paper: string): void {
  shape(pen, [
    [-0.46, -0.62],
    [0.2, -0.62],
    [0.48, -0.34],
    [0.48, 0.62],
    [-0.46, 0.62],
  ]);
  pen.fill();
  pen.fillStyle = pen.strokeStyle = paper;
  shape(pen, [
    [0.2, -0.62],
    [0.2, -0.34],
    [0.48, -0.34],
  ]);
  pen.lineWidth = 0.09;
  pen.stroke();
  pen.beginPath();
  for (const y of [-0.08, 0.14, 0.36]) {
    pen.moveTo(-0.24, y);
    pen.lineTo(0.26, y);
  }
  pen.stroke();
}

function scissors(pen: Pen, paper: string): void {
  pen.lineWidth = 0.2;
  pen.beginPath();
  for (const side of [-1, 1]) {
    pen.moveTo(side * 0.24, 0.24);
    pen.lineTo(side * -0.32, -0.7);
  }
  pen.stroke();
  pen.lineWidth = 0.15;
  for (const side of [-1, 1]) {
    circle(pen, { x: side * 0.33, y: 0.44 }, 0.2);
    pen.stroke();
  }
  pen.fillStyle = paper;
  circle(pen, { x: 0, y: -0.16 }, 0.07);
  pen.fill();
}

function shape(pen: Pen, corners: Corner[]): void {
  pen.beginPath();
  for (const [x, y] of corners) pen.lineTo(x, y);
  pen.closePath();
}
