/**
 * Writes animated GIFs one frame at a time, so that a long film needs no more memory than its file. Boards have few
 * colours and change little from turn to turn: one palette for all frames, and of each frame only what changed.
 */

/* eslint-disable @typescript-eslint/no-non-null-assertion -- indices into typed arrays, in loops over every pixel */

/** Colours besides the transparent one. */
const COLOURS = 255;
const TRANSPARENT = 255;
const CODE_BITS = 8;
/** Colours are told apart by their upper five bits of red, green and blue. */
const BUCKETS = 1 << 15;

type Rgba = Uint8ClampedArray;

/** The most frequent colours of some pictures. */
export class Palette {
  /** Red, green, blue, red, … */
  readonly colours: Uint8Array;
  /** By bucket: the nearest colour, once it was looked for. */
  #nearest = new Int16Array(BUCKETS).fill(-1);

  constructor(samples: Rgba[]) {
    const counts = new Float64Array(BUCKETS);
    const sums = new Float64Array(BUCKETS * 3);
    for (const pixels of samples) {
      for (let i = 0; i < pixels.length; i += 4) {
        const at = bucket(pixels, i);
        counts[at]! += 1;
        for (let part = 0; part < 3; part++) sums[at * 3 + part]! += pixels[i + part]!;
      }
    }
    const used = [...counts.keys()].filter((at) => counts[at]! > 0);
    const best = used.sort((a, b) => counts[b]! - counts[a]!).slice(0, COLOURS);
    this.colours = new Uint8Array(256 * 3);
    best.forEach((at, i) => {
      for (let part = 0; part < 3; part++) {
        this.colours[i * 3 + part] = Math.round(sums[at * 3 + part]! / counts[at]!);
      }
      this.#nearest[at] = i;
    });
  }

  /** The number of the colour nearest to that of the pixel at this place. */
  index(pixels: Rgba, i: number): number {
    const at = bucket(pixels, i);
    const known = this.#nearest[at]!;
    return known >= 0
      ? known
      : (this.#nearest[at] = this.#search(pixels[i]!, pixels[i + 1]!, pixels[i + 2]!));
  }

  #search(red: number, green: number, blue: number): number {
    let best = 0;
    let least = Infinity;
    for (let i = 0; i < COLOURS; i++) {
      const distance =
        (this.colours[i * 3]! - red) ** 2 +
        (this.colours[i * 3 + 1]! - green) ** 2 +
        (this.colours[i * 3 + 2]! - blue) ** 2;
      if (distance < least) [best, least] = [i, distance];
    }
    return best;
  }
}

function bucket(pixels: Rgba, i: number): number {
  return ((pixels[i]! >> 3) << 10) | ((pixels[i + 1]! >> 3) << 5) | (pixels[i + 2]! >> 3);
}

export class GifWriter {
  #parts: Uint8Array<ArrayBuffer>[] = [];
  #before: Uint8Array | null = null;

  constructor(
    private readonly width: number,
    private readonly height: number,
    private readonly palette: Palette,
  ) {
    const size = [...short(width), ...short(height)];
    this.#write([...ascii('GIF89a'), ...size, 0xf7, 0, 0], palette.colours);
    // Repeat for ever.
    this.#write([0x21, 0xff, 11, ...ascii('NETSCAPE2.0'), 3, 1, 0, 0, 0]);
  }

  /** Adds a picture of the whole, shown for so long. */
  add(pixels: Rgba, delayMillis: number): void {
    const { width, height } = this;
    const now = new Uint8Array(width * height);
    for (let i = 0; i < now.length; i++) now[i] = this.palette.index(pixels, i * 4);
    const area = changed(this.#before, now, width, height);
    const indices = new Uint8Array(area.width * area.height);
    for (let y = 0; y < area.height; y++) {
      for (let x = 0; x < area.width; x++) {
        const at = (area.top + y) * width + area.left + x;
        const same = this.#before !== null && this.#before[at] === now[at];
        indices[y * area.width + x] = same ? TRANSPARENT : now[at]!;
      }
    }
    this.#before = now;
    // Keep what was there, let one colour through.
    this.#write([0x21, 0xf9, 4, 0b101, ...short(Math.round(delayMillis / 10)), TRANSPARENT, 0]);
    this.#write([0x2c, ...[area.left, area.top, area.width, area.height].flatMap(short), 0, CODE_BITS]);
    this.#write(compress(indices));
  }

  finish(): Blob {
    this.#write([0x3b]);
    return new Blob(this.#parts, { type: 'image/gif' });
  }

  #write(...pieces: (number[] | Uint8Array)[]): void {
    for (const piece of pieces) this.#parts.push(Uint8Array.from(piece));
  }
}

interface Area {
  left: number;
  top: number;
  width: number;
  height: number;
}

/** The smallest rectangle with everything that differs; one pixel if nothing does, as a frame cannot be empty. */
function changed(before: Uint8Array | null, now: Uint8Array, width: number, height: number): Area {
  if (!before) return { left: 0, top: 0, width, height };
  let [left, right, top, bottom] = [width, 0, height, 0];
  for (let at = 0; at < now.length; at++) {
    if (before[at] === now[at]) continue;
    const x = at % width;
    const y = (at - x) / width;
    left = Math.min(left, x);
    right = Math.max(right, x);
    top = Math.min(top, y);
    bottom = y;
  }
  if (left > right) return { left: 0, top: 0, width: 1, height: 1 };
  return { left, top, width: right - left + 1, height: bottom - top + 1 };
}

/** LZW as GIF has it, in blocks of at most 255 bytes and an empty one. */
function compress(indices: Uint8Array): Uint8Array {
  const clear = 1 << CODE_BITS;
  const out = new Blocks();
  /** By code and following index: the code of both together, if there is one. */
  let codes = new Uint16Array(4096 << CODE_BITS);
  let next = clear + 2;
  let bits = CODE_BITS + 1;
  out.write(clear, bits);
  let code = indices[0] ?? 0;
  for (let i = 1; i < indices.length; i++) {
    const key = (code << CODE_BITS) | indices[i]!;
    const known = codes[key]!;
    if (known) {
      code = known;
      continue;
    }
    out.write(code, bits);
    code = indices[i]!;
    if (next === 4096) {
      out.write(clear, bits);
      codes = new Uint16Array(4096 << CODE_BITS);
      next = clear + 2;
      bits = CODE_BITS + 1;
    } else {
      if (next === 1 << bits) bits++;
      codes[key] = next++;
    }
  }
  out.write(code, bits);
  out.write(clear + 1, bits);
  return out.finish();
}

class Blocks {
  #bytes: number[] = [0];
  #start = 0;
  #held = 0;
  #heldBits = 0;

  write(code: number, bits: number): void {
    this.#held |= code << this.#heldBits;
    this.#heldBits += bits;
    while (this.#heldBits >= 8) {
      this.#byte(this.#held & 255);
      this.#held >>>= 8;
      this.#heldBits -= 8;
    }
  }

  finish(): Uint8Array {
    if (this.#heldBits) this.#byte(this.#held & 255);
    if (this.#bytes[this.#start]) this.#bytes.push(0);
    return Uint8Array.from(this.#bytes);
  }

  #byte(value: number): void {
    this.#bytes.push(value);
    this.#bytes[this.#start]! += 1;
    if (this.#bytes[this.#start] !== 255) return;
    this.#start = this.#bytes.length;
    this.#bytes.push(0);
  }
}

const short = (value: number): number[] => [value & 255, value >> 8];
const ascii = (text: string): number[] => [...text].map((letter) => letter.charCodeAt(0));
