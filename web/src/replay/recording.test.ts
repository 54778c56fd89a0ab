import { describe, expect, it } from 'vitest';
import type { Moment } from 'palestra/contract';
import type { Chunk, Head } from '../api';
import { unfold } from '../state/chunks';
import { answer, unpack, type Recording } from './recording';

const moments = Array.from(
  { length: 301 },
  (_, turn) => ({ turn, seat: null, round: turn }) as unknown as Moment,
);
const recording: Recording = { head: { id: 'replay', turns: 300 } as Head, moments };
const turns = (path: string): number[] =>
  unfold(answer(recording, `/api/matches/replay/frames?${path}`) as Chunk).map(({ turn }) => turn);

describe('a recording', () => {
  it('answers as a server does', () => {
    expect(answer(recording, '/api/matches/replay')).toBe(recording.head);
    expect(turns('every=1&chunk=0')).toEqual(moments.slice(0, 128).map(({ turn }) => turn));
    expect(turns('every=1&chunk=2')).toEqual(moments.slice(256).map(({ turn }) => turn));
    expect(turns('every=4&chunk=0')).toEqual(
      moments.filter(({ turn }) => turn % 4 === 0).map(({ turn }) => turn),
    );
    expect(turns('every=4&chunk=1')).toEqual([]);
    const more = answer(recording, '/api/matches/replay/frames?every=1&chunk=2&after=40') as Chunk;
    expect([more.first, more.changes.length]).toEqual([null, 5]);
    expect(answer(recording, '/api/matches/replay/turns/3')).toBe(null);
  });

  it('is unpacked', async () => {
    const packed = new Blob([JSON.stringify(recording)]).stream().pipeThrough(new CompressionStream('gzip'));
    const bytes = new Uint8Array(await new Response(packed).arrayBuffer());
    expect(await unpack(`\n${btoa(String.fromCharCode(...bytes))}\n`)).toEqual(recording);
  });
});
