/** Small drawings for cells, as outlines in a box of side 1 around the origin, and the arrow. */

import type { Layer } from './contract';

type Outline = readonly (readonly [x: number, y: number])[];

export const CROWN: Outline = [
  [-0.5, -0.26],
  [-0.25, -0.12],
  [0, -0.44],
  [0.25, -0.12],
  [0.5, -0.26],
  [0.4, 0.42],
  [-0.4, 0.42],
];

export const CASTLE: Outline = [
  [-0.46, 0.44],
  [-0.46, -0.42],
  [-0.24, -0.42],
  [-0.24, -0.26],
  [-0.11, -0.26],
  [-0.11, -0.42],
  [0.11, -0.42],
  [0.11, -0.26],
  [0.24, -0.26],
  [0.24, -0.42],
  [0.46, -0.42],
  [0.46, 0.44],
];

export const MOUNTAIN: Outline = [
  [-0.5, 0.36],
  [-0.13, -0.38],
  [0.08, 0.02],
  [0.2, -0.16],
  [0.5, 0.36],
];

export const SNOW: Outline = [
  [-0.13, -0.38],
  [-0.01, -0.15],
  [-0.09, -0.08],
  [-0.15, -0.17],
  [-0.24, -0.1],
  [-0.26, -0.12],
];

/** Leaves an outline as the current path, `side` pixels wide around a point, turned by `angle`. */
export function trace(layer: Layer, outline: Outline, x: number, y: number, side: number, angle = 0): void {
  const [cos, sin] = [Math.cos(angle) * side, Math.sin(angle) * side];
  layer.beginPath();
  for (const [dx, dy] of outline) layer.lineTo(x + dx * cos - dy * sin, y + dx * sin + dy * cos);
  layer.closePath();
}

interface Point {
  x: number;
  y: number;
}

/** An arrow with a thin rim, so that it stands out from any colour. */
export function arrow(
  layer: Layer,
  from: Point,
  to: Point,
  width: number,
  colour: string,
  rim: string,
): void {
  const length = Math.hypot(to.x - from.x, to.y - from.y);
  const [ux, uy] = [(to.x - from.x) / length, (to.y - from.y) / length];
  const point = (along: number, aside: number): [number, number] => [
    from.x + ux * along - uy * aside,
    from.y + uy * along + ux * aside,
  ];
  const neck = length - width * 2;
  layer.beginPath();
  layer.moveTo(...point(0, -width / 2));
  layer.lineTo(...point(neck, -width / 2));
  layer.lineTo(...point(neck, -width * 1.4));
  layer.lineTo(...point(length, 0));
  layer.lineTo(...point(neck, width * 1.4));
  layer.lineTo(...point(neck, width / 2));
  layer.lineTo(...point(0, width / 2));
  layer.closePath();
  layer.lineJoin = 'round';
  layer.lineWidth = width * 0.6;
  layer.strokeStyle = rim;
  layer.stroke();
  layer.fillStyle = colour;
  layer.fill();
}
