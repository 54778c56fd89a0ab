/** What a person who plays has selected and ordered. */

import type { Layer, Scene } from 'palestra/contract';
import { arrow, clamp } from 'palestra/shapes';
import type { Frame } from '../frame';
import type { RpsHands } from './hands';
import { flag } from './icons';
import { MARGIN, middle } from './layout';

/** Where units are bound for, and the box around those to be selected. */
export function plans(air: Layer, { theme, now }: Scene<Frame>, hands: RpsHands): void {
  const { gesture, targets, selected, rally } = hands;
  air.strokeStyle = theme.accent;
  air.lineCap = air.lineJoin = 'round';
  if (rally) {
    const at = middle(rally);
    air.save();
    air.fillStyle = theme.accent;
    air.translate(at.x, at.y);
    air.scale(0.32, 0.32);
    flag(air);
    air.restore();
  }
  air.lineWidth = 0.07;
  for (const unit of now.frame.units) {
    const aimed = gesture?.kind === 'send' && selected.has(unit.id);
    const target = aimed ? gesture.to : targets.get(unit.id);
    if (!target) continue;
    air.globalAlpha = selected.has(unit.id) ? 1 : 0.5;
    air.setLineDash([0.16, 0.14]);
    arrow(air, middle(unit), middle(target), 0.28);
    air.setLineDash([]);
    air.strokeRect(target.x + MARGIN + 0.08, target.y + MARGIN + 0.08, 0.84, 0.84);
  }
  air.globalAlpha = 1;
  if (gesture?.kind !== 'box') return;
  const { from, to } = gesture;
  const limit = (value: number): number => clamp(value, 0, now.frame.size);
  const box = [
    limit(from.x) + MARGIN,
    limit(from.y) + MARGIN,
    limit(to.x) - limit(from.x),
    limit(to.y) - limit(from.y),
  ] as const;
  air.fillStyle = `${theme.accent}22`;
  air.fillRect(...box);
  air.strokeRect(...box);
}
