/** The ground of the board: cells, factories and bases. */

import type { Layer, Scene, Theme } from 'palestra/contract';
import { mix } from 'palestra/palette';
import type { Point } from 'palestra/shapes';
import type { Frame } from '../frame';
import { factory, flag } from './icons';
import { factoryOf, MARGIN, middle } from './layout';

export function arena(ground: Layer, { theme, now, scale }: Scene<Frame>): void {
  const { size, bases } = now.frame;
  ground.fillStyle = theme.page;
  ground.fillRect(0, 0, size + 2 * MARGIN, size + 2 * MARGIN);
  ground.fillStyle = theme.ground;
  ground.fillRect(MARGIN, MARGIN, size, size);
  ground.fillStyle = theme.line;
  const thin = 1 / scale;
  for (let line = 0; line <= size; line += 1) {
    const at = Math.round((MARGIN + line) * scale) / scale;
    ground.fillRect(at, MARGIN, thin, size + thin);
    ground.fillRect(MARGIN, at, size + thin, thin);
  }
  for (const seat of [1, 2]) corner(ground, theme, factoryOf(seat, size), seat, factory);
  for (const base of bases) corner(ground, theme, base, base.owner ?? 0, flag);
}

function corner(ground: Layer, theme: Theme, cell: Point, seat: number, draw: (pen: Layer) => void): void {
  const look = theme.seat(seat);
  const at = middle(cell);
  ground.save();
  ground.fillStyle = mix(theme.ground, look.fill, seat === 0 ? 0.25 : 0.35);
  ground.fillRect(at.x - 0.5, at.y - 0.5, 1, 1);
  ground.strokeStyle = look.edge;
  ground.lineWidth = 0.08;
  ground.strokeRect(at.x - 0.46, at.y - 0.46, 0.92, 0.92);
  ground.translate(at.x, at.y);
  ground.scale(0.36, 0.36);
  ground.fillStyle = look.edge;
  draw(ground);
  ground.restore();
}
