import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { Chunk } from '../api';
import { CHUNK_MOMENTS } from 'palestra/constants';
import { Chunks, coarseStride, needs, strideFor, type Source } from './chunks';

/** A match of so many turns; its moments say their turn. */
function match(turns: () => number): Source & { mock: { calls: unknown[][] } } {
  return vi.fn((every: number, chunk: number, after: number): Promise<Chunk> => {
    const here: number[] = [];
    for (let i = 0; i < CHUNK_MOMENTS; i++) {
      const turn = (chunk * CHUNK_MOMENTS + i) * every;
      if (turn <= turns()) here.push(turn);
    }
    const moments = here.map((turn) => ({ turn }));
    const first = after === 0 ? (moments[0] ?? null) : null;
    const changes = moments.slice(Math.max(1, after));
    return Promise.resolve({ every, chunk, after, turns: turns(), over: true, first, changes });
  }) as never;
}

const fails = (error: unknown): void => {
  throw error;
};
const settle = (): Promise<unknown> => vi.advanceTimersByTimeAsync(0);

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test('a stride shows something new in every frame of the screen', () => {
  expect([0.1, 1, 1.9, 2, 7.9, 8, 1e9].map(strideFor)).toEqual([1, 1, 1, 2, 4, 8, 4096]);
  expect([0, 127, 128, 255, 256, 100_000].map(coarseStride)).toEqual([1, 1, 2, 2, 4, 1024]);
});

test('needs are cut off where the match ends', () => {
  expect(needs(130, 1, 300, 2)).toEqual([
    { every: 1, chunk: 1, turn: 255 },
    { every: 1, chunk: 2, turn: 300 },
  ]);
  expect(needs(130, 4, 300, 5)).toEqual([{ every: 4, chunk: 0, turn: 300 }]);
});

test('moments are fetched once and found', async () => {
  const source = match(() => 1000);
  const chunks = new Chunks(source, () => undefined, fails);
  expect(chunks.at(5)).toBe(null);
  chunks.want(needs(5, 1, 1000, 1));
  chunks.want(needs(5, 1, 1000, 1));
  await settle();
  expect(chunks.at(5)?.turn).toBe(5);
  expect(chunks.at(200)?.turn).toBe(200);
  expect(chunks.newest).toBe(255);
  expect(source.mock.calls.length).toBe(2);
});

test('a coarse moment stands in for one that is not there', async () => {
  const chunks = new Chunks(
    match(() => 1000),
    () => undefined,
    fails,
  );
  chunks.want(needs(0, 8, 1000, 0));
  await settle();
  expect(chunks.at(501)).toBe(null);
  expect(chunks.nearest(501)?.turn).toBe(496);
  expect(chunks.newest).toBe(0);
});

test('history ends with now and stops where nothing has been loaded', async () => {
  const chunks = new Chunks(
    match(() => 1000),
    () => undefined,
    fails,
  );
  chunks.want(needs(128, 1, 1000, 0));
  await settle();
  const now = chunks.at(130);
  if (!now) return expect.unreachable();
  expect(chunks.history(now, 2).map((moment) => moment.turn)).toEqual([129, 130]);
  expect(chunks.history(now, 9).map((moment) => moment.turn)).toEqual([128, 129, 130]);
});

test('what was used longest ago makes room', async () => {
  const chunks = new Chunks(
    match(() => 10_000),
    () => undefined,
    fails,
    2,
  );
  for (const turn of [0, 128, 256]) {
    chunks.want(needs(turn, 1, 10_000, 0));
    await settle();
  }
  expect(chunks.at(0)).toBe(null);
  chunks.want(needs(128, 1, 10_000, 0));
  chunks.want(needs(512, 1, 10_000, 0));
  await settle();
  expect(chunks.at(128)?.turn).toBe(128);
  expect(chunks.at(256)).toBe(null);
});

test('a chunk of a match that goes on is fetched again when it has grown', async () => {
  let turns = 10;
  const source = match(() => turns);
  const chunks = new Chunks(source, () => undefined, fails);
  chunks.want(needs(10, 1, 10, 0));
  await settle();
  chunks.want(needs(10, 1, 10, 0));
  await settle();
  expect(source.mock.calls.length).toBe(1);
  turns = 12;
  chunks.want(needs(12, 1, 12, 0));
  await settle();
  expect([chunks.at(12)?.turn, chunks.newest]).toEqual([12, 12]);
});

test('what is no longer wanted is given up', () => {
  const signals: AbortSignal[] = [];
  const source: Source = (_every, _chunk, _after, signal) => {
    signals.push(signal);
    return new Promise(() => undefined);
  };
  const chunks = new Chunks(source, () => undefined, fails);
  chunks.want(needs(0, 1, 1000, 0));
  chunks.want(needs(500, 1, 1000, 0));
  expect(signals.map((signal) => signal.aborted)).toEqual([true, false]);
});

test('after a failure it rests and then says that it may be asked again', async () => {
  const source = vi.fn(() => Promise.reject(new Error('gone')));
  const arrived = vi.fn();
  const failed = vi.fn();
  const chunks = new Chunks(source, arrived, failed);
  chunks.want(needs(0, 1, 1000, 0));
  await settle();
  chunks.want(needs(0, 1, 1000, 0));
  await settle();
  expect([source.mock.calls.length, failed.mock.calls.length, arrived.mock.calls.length]).toEqual([1, 1, 0]);
  await vi.advanceTimersByTimeAsync(2000);
  expect(arrived.mock.calls.length).toBe(1);
});
