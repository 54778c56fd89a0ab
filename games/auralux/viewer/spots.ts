/** Where the board shows what the lines of a bot's input tell. Nothing here draws. */

import type { Spot } from 'palestra/contract';
import type { Point } from 'palestra/shapes';
import type { Frame, GroupFrame } from '../frame';
import { dart } from './darts';
import { rim, type Layout } from './layout';

const around = (line: number, { x, y }: Point, reach: number): Spot => ({
  line,
  ...{ x: x - reach, y: y - reach, width: 2 * reach, height: 2 * reach },
});

export function spots(layout: Layout, sent: string[], frame: Frame): Spot[] {
  // The planets come last, a line for each.
  const first = sent.findLastIndex((line) => line !== '') + 1 - frame.planets.length;
  if (first < 0) return [];
  const planets = layout.places.map((place, index) =>
    around(first + index, place, rim(layout, frame.planets[index]?.level ?? 0)),
  );
  // Where a fleet passes over a planet, the planet is meant.
  const launches = launched(sent.slice(0, first), frame).map(({ line, group }) => {
    const { at, size } = dart(layout, { ...group, turns: group.turns_left, left: group.turns_left });
    return around(line, at, Math.max(size, layout.radius * 0.5));
  });
  return [...planets, ...launches];
}

/** The groups in flight that the lines above those of the planets tell of: their number, and a line for each. */
function launched(lines: string[], { groups }: Frame): { line: number; group: GroupFrame }[] {
  const count = lines.findLastIndex((line) => /^\d+$/.test(line));
  if (count < 0 || Number(lines[count]) !== lines.length - count - 1) return [];
  const flying = [...groups];
  return lines.slice(count + 1).flatMap((text, index) => {
    const [owner, from, to, ships] = text.split(' ').map(Number);
    // The latest of them: others of the same kind are closer to their goal.
    const place = flying.findLastIndex(
      (group) => group.owner === owner && group.from === from && group.to === to && group.ships === ships,
    );
    const [group] = place < 0 ? [] : flying.splice(place, 1);
    return group ? [{ line: count + 1 + index, group }] : [];
  });
}
