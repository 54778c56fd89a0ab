import { describe, expect, test } from 'vitest';
import type { BracketPart, DuelSide, DuelView } from './api';
import { LABEL, draw, type Box } from './bracket';

const side = (over: Partial<DuelSide>): DuelSide => ({
  player: null,
  winner_of: null,
  loser_of: null,
  nobody: false,
  ...over,
});
const seed = (player: number): DuelSide => side({ player });
const won = (winner_of: number): DuelSide => side({ winner_of });
const lost = (loser_of: number): DuelSide => side({ loser_of });
const nobody = side({ nobody: true });
const duel = (part: BracketPart, round: number, one: DuelSide, other: DuelSide): DuelView => ({
  part,
  round,
  sides: [one, other],
  winner: null,
  decision: null,
  meeting: null,
});

/** Five players, the best three without an opponent at first, and a duel for the third place. */
const SINGLE = [
  duel('upper', 1, seed(0), nobody),
  duel('upper', 1, seed(3), seed(4)),
  duel('upper', 1, seed(1), nobody),
  duel('upper', 1, seed(2), nobody),
  duel('upper', 2, won(0), won(1)),
  duel('upper', 2, won(2), won(3)),
  duel('final', 3, won(4), won(5)),
  duel('third-place', 3, lost(4), lost(5)),
];

/** Three players who may lose once: one duel of the losers has nobody. */
const DOUBLE = [
  duel('upper', 1, seed(0), nobody),
  duel('upper', 1, seed(1), seed(2)),
  duel('upper', 2, won(0), won(1)),
  duel('lower', 2, nobody, lost(1)),
  duel('lower', 3, lost(2), won(3)),
  duel('final', 4, won(2), won(4)),
  duel('second-final', 5, won(5), lost(5)),
];

const apart = (a: Box, b: Box): boolean =>
  a.x !== b.x || Math.abs(a.y - b.y) >= LABEL + Math.min(a.height, b.height);

describe.each([
  ['single', SINGLE],
  ['double', DOUBLE],
])('%s', (_, duels) => {
  test.each([
    [0, 0],
    [1100, 24],
    [5000, 0],
  ])('boxes do not touch, lead to the right, and stay in the picture', (room, more) => {
    const { boxes, boxWidth, width, height } = draw(duels, room, more);
    expect(width).toBeLessThanOrEqual(Math.max(room, 1300));
    for (const box of boxes) {
      expect(boxes.every((other) => other === box || apart(box, other))).toBe(true);
      expect(box.y).toBeGreaterThan(0);
      expect(box.x + boxWidth).toBeLessThanOrEqual(width);
      expect(box.y + LABEL + box.height).toBeLessThanOrEqual(height);
      for (const { winner_of } of duels[box.duel]?.sides ?? []) {
        const from = boxes.find((other) => other.duel === winner_of);
        if (from) expect(from.x + boxWidth).toBeLessThan(box.x);
      }
    }
  });
});

test('every round has its name, and finals have theirs', () => {
  const names = (duels: DuelView[]): string[] =>
    draw(duels).heads.map(({ part, step, left }) => `${part} ${step} ${left}`);
  expect(names(SINGLE)).toEqual(['upper 1 1', 'upper 2 0', 'final 1 0', 'third-place 1 0']);
  expect(names(DOUBLE)).toEqual([
    'upper 1 1',
    'upper 2 0',
    'lower 1 1',
    'lower 2 0',
    'final 1 0',
    'second-final 1 0',
  ]);
});

test('losers are below winners, and what nobody comes to is left out', () => {
  const empty = duel('lower', 2, nobody, nobody);
  const { boxes } = draw([...DOUBLE, empty]);
  expect(boxes.map(({ duel }) => duel)).toEqual([0, 1, 2, 3, 4, 5, 6]);
  const y = (part: BracketPart): number[] =>
    boxes.filter(({ duel }) => DOUBLE[duel]?.part === part).map((box) => box.y);
  expect(Math.min(...y('lower'))).toBeGreaterThan(Math.max(...y('upper')));
});
