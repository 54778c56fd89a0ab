/** What a person who plays has selected and ordered. */

import type { Layer, Scene } from 'palestra/contract';
import { arrow, between, circle, distance, short, stamp, type Bitmaps, type Point } from 'palestra/shapes';
import type { Frame } from '../frame';
import type { AuraluxHands, Order } from './hands';
import { rim, type Layout } from './layout';

export function plans(
  air: Layer,
  bitmaps: Bitmaps,
  layout: Layout,
  scene: Scene<Frame>,
  hands: AuraluxHands,
): void {
  const { radius } = layout;
  const { theme, scale } = scene;
  const { planets } = scene.now.frame;
  const place = (number: number): Point => layout.places[number - 1] ?? { x: 0, y: 0 };
  const edge = (number: number): number => rim(layout, planets[number - 1]?.level ?? 0) + radius * 0.18;
  air.strokeStyle = theme.accent;
  air.lineCap = air.lineJoin = 'round';

  air.lineWidth = radius * 0.12;
  for (const planet of hands.selected) {
    circle(air, place(planet), edge(planet));
    air.stroke();
  }

  const mark = (order: Order, end: Point, gap: number): void => {
    if (order.from === order.to) {
      chevron(air, place(order.from), edge(order.from) + radius * 0.45, radius);
      return;
    }
    const whole = Math.max(distance(place(order.from), end), 0.001);
    const start = between(place(order.from), end, Math.min(0.45, edge(order.from) / whole));
    const tip = between(end, place(order.from), Math.min(0.45, gap / whole));
    arrow(air, start, tip, radius * 0.5);
    // The number stands beside the line, so that even a short one shows.
    const middle = between(start, tip, 0.5);
    const aside = (radius * 0.6) / Math.max(distance(start, tip), 0.001);
    const at = { x: middle.x + (tip.y - start.y) * aside, y: middle.y - (tip.x - start.x) * aside };
    const size = Math.max(radius * 0.6 * scale, 12);
    stamp(air, bitmaps.text(short(order.ships), size, theme.accent, theme.ground), at, scale);
  };
  air.lineWidth = radius * 0.14;
  for (const order of joined(hands.orders)) mark(order, place(order.to), edge(order.to));

  const { gesture } = hands;
  if (gesture?.kind === 'send') {
    air.globalAlpha = gesture.to ? 1 : 0.6;
    const end = gesture.to ? place(gesture.to) : gesture.at;
    for (const from of gesture.from) {
      const order = { from, to: gesture.to, ships: hands.amount(from) };
      if (from !== gesture.to && order.ships > 0) mark(order, end, gesture.to ? edge(gesture.to) : 0);
    }
    if (gesture.to) {
      circle(air, end, edge(gesture.to));
      air.stroke();
    }
    air.globalAlpha = 1;
  } else if (gesture) {
    const { from, to } = gesture;
    air.lineWidth = radius * 0.06;
    air.fillStyle = `${theme.accent}22`;
    air.fillRect(from.x, from.y, to.x - from.x, to.y - from.y);
    air.strokeRect(from.x, from.y, to.x - from.x, to.y - from.y);
  }
}

/** Two strokes upwards over a planet whose ships are spent on it. */
function chevron(air: Layer, at: Point, height: number, radius: number): void {
  air.beginPath();
  for (const step of [0, 0.3]) {
    air.moveTo(at.x - radius * 0.4, at.y - height - radius * (step - 0.3));
    air.lineTo(at.x, at.y - height - radius * step);
    air.lineTo(at.x + radius * 0.4, at.y - height - radius * (step - 0.3));
  }
  air.stroke();
}

/** Orders over the same way as one. */
function joined(orders: Order[]): Order[] {
  const found = new Map<string, Order>();
  for (const order of orders) {
    const way = `${order.from} ${order.to}`;
    const ships = (found.get(way)?.ships ?? 0) + order.ships;
    found.set(way, { ...order, ships });
  }
  return [...found.values()];
}
