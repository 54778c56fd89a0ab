/** A moment as a PNG, and files for people to keep. */

import type { Theme } from 'palestra/contract';
import { context } from '../painter';

export function toPng(canvas: HTMLCanvasElement): Promise<Blob> {
  return new Promise((resolve, reject) => {
    canvas.toBlob(
      (blob) => (blob ? resolve(blob) : reject(new Error('The picture could not be made.'))),
      'image/png',
    );
  });
}

/** The picture with every player's name under it, on as many lines as that takes, and when it was. */
export function withCaption(
  picture: HTMLCanvasElement,
  names: string[],
  when: string,
  theme: Theme,
): HTMLCanvasElement {
  const size = Math.max(12, Math.round(picture.width / 48));
  const font = `600 ${size}px system-ui, sans-serif`;
  const canvas = document.createElement('canvas');
  const measure = context(canvas, { alpha: false });
  measure.font = font;
  const width = (text: string): number => Math.ceil(measure.measureText(text).width);
  const places = lines([...names.map((name) => width(name) + size * 1.4), width(when)], picture.width, size);

  const line = size * 1.75;
  canvas.width = picture.width;
  canvas.height = picture.height + Math.ceil(size * 0.75 + line * ((places.at(-1)?.line ?? 0) + 1));
  const pen = context(canvas, { alpha: false });
  pen.fillStyle = theme.page;
  pen.fillRect(0, 0, canvas.width, canvas.height);
  pen.drawImage(picture, 0, 0);
  pen.font = font;
  pen.textBaseline = 'middle';
  const room = picture.width - 2 * size;
  places.forEach((place, i) => {
    const middle = picture.height + size * 0.375 + line * (place.line + 0.5);
    const name = names[i];
    pen.fillStyle = name === undefined ? theme.faint : theme.text;
    if (name === undefined) {
      pen.fillText(when, Math.max(size, canvas.width - size - width(when)), middle, room);
      return;
    }
    pen.fillText(name, place.x + size * 1.4, middle, room - size * 1.4);
    pen.fillStyle = theme.seat(i + 1).fill;
    pen.fillRect(place.x, middle - size / 2, size, size);
  });
  return canvas;
}

/** Where pieces of these widths begin that stand one after the other, `gap` apart and from the edges. */
export function lines(widths: number[], room: number, gap: number): { x: number; line: number }[] {
  let [x, line] = [gap, 0];
  return widths.map((width) => {
    if (x > gap && x + width > room - gap) [x, line] = [gap, line + 1];
    const place = { x, line };
    x += width + gap;
    return place;
  });
}

/** Hands a file to the person. */
export function save(blob: Blob, name: string): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}
