import { CHUNK_MOMENTS } from 'palestra/constants';
import type { Moment } from 'palestra/contract';
import { expect, test } from 'vitest';
import { ownTurn } from './own-turns';

const END = 2 * CHUNK_MOMENTS;
/** Two seats take turns until the first is out after turn 201. */
const moment = (turn: number): Moment => ({
  turn,
  seat: turn === 0 ? null : turn > 201 || turn % 2 === 0 ? 2 : 1,
  round: 0,
  frame: { players: [{ fate: turn > 201 ? 'out' : 'alive' }, { fate: 'alive' }], to_move: null },
});

function search(from: number, direction: 1 | -1, asked: number[] = []): Promise<number | null> {
  return ownTurn({
    seat: 1,
    from,
    direction,
    end: END,
    known: (turn) => (turn < CHUNK_MOMENTS ? moment(turn) : null),
    fetch: (chunk) => {
      asked.push(chunk);
      return Promise.resolve(
        Array.from({ length: CHUNK_MOMENTS }, (_, i) => moment(chunk * CHUNK_MOMENTS + i)),
      );
    },
  });
}

test('leads to the nearest turn of the seat', async () => {
  expect(await search(3, 1)).toBe(5);
  expect(await search(4, 1)).toBe(5);
  expect(await search(5, -1)).toBe(3);
  expect(await search(1, -1)).toBeNull();
});

test('fetches what is not there, each chunk once, and looks no further than the seat plays', async () => {
  const asked: number[] = [];
  expect(await search(CHUNK_MOMENTS - 1, 1, asked)).toBe(CHUNK_MOMENTS + 1);
  expect(await search(END, -1, asked)).toBe(201);
  expect(await search(201, 1, asked)).toBeNull();
  expect(asked).toEqual([1, 1, 1]);
});
