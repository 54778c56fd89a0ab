import { decode, decodeFrames } from 'modern-gif';
import { expect, test } from 'vitest';
import { GifWriter, Palette } from './gif';

/** A picture from one colour for each pixel. */
function picture(colours: number[][]): Uint8ClampedArray {
  return new Uint8ClampedArray(colours.flatMap(([red = 0, green = 0, blue = 0]) => [red, green, blue, 255]));
}

async function film(frames: Uint8ClampedArray[], width: number, height: number): Promise<ArrayBuffer> {
  const writer = new GifWriter(width, height, new Palette(frames));
  for (const frame of frames) writer.add(frame, 120);
  return writer.finish().arrayBuffer();
}

test('what is written can be read again, frame by frame', async () => {
  const red = [200, 0, 0];
  const blue = [0, 0, 200];
  const frames = [
    picture([red, red, red, red]),
    picture([red, blue, red, red]),
    picture([red, blue, red, red]),
  ];
  const bytes = await film(frames, 2, 2);
  const gif = decode(bytes);
  expect([gif.width, gif.height, gif.frames.length, gif.looped]).toEqual([2, 2, 3, true]);
  expect(gif.frames.map((frame) => frame.delay)).toEqual([120, 120, 120]);
  expect(decodeFrames(bytes).map(({ data }) => [...data])).toEqual(frames.map((frame) => [...frame]));
});

test('long pictures of many colours fill the table of codes more than once', async () => {
  const [width, height] = [200, 150];
  let state = 1;
  const noise = Array.from({ length: width * height }, () => {
    state = (state * 48271) % 2147483647;
    return [(state & 7) << 5, ((state >> 3) & 3) << 6, ((state >> 5) & 3) << 6];
  });
  const frame = picture(noise);
  const [read] = decodeFrames(await film([frame], width, height));
  expect(read && [...read.data].every((value, i) => value === frame[i])).toBe(true);
});

test('more colours than fit become the nearest that did', () => {
  const many = picture(
    Array.from({ length: 4096 }, (_, i) => [(i & 15) << 4, ((i >> 4) & 15) << 4, (i >> 8) << 4]),
  );
  const palette = new Palette([many, picture(Array.from({ length: 99 }, () => [250, 10, 10]))]);
  const at = palette.index(picture([[255, 0, 0]]), 0);
  expect([...palette.colours.slice(at * 3, at * 3 + 3)]).toEqual([250, 10, 10]);
});
