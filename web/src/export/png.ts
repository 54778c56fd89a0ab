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

/** The picture with a line under it that says who plays and when it was. */
export function withCaption(
  picture: HTMLCanvasElement,
  names: string[],
  when: string,
  theme: Theme,
): HTMLCanvasElement {
  const size = Math.max(12, Math.round(picture.width / 48));
  const canvas = document.createElement('canvas');
  canvas.width = picture.width;
  canvas.height = picture.height + size * 2.5;
  const pen = context(canvas, { alpha: false });
  pen.fillStyle = theme.page;
  pen.fillRect(0, 0, canvas.width, canvas.height);
  pen.drawImage(picture, 0, 0);

  const middle = picture.height + size * 1.25;
  pen.font = `600 ${size}px system-ui, sans-serif`;
  pen.textBaseline = 'middle';
  const end = canvas.width - size - pen.measureText(when).width;
  let x = size;
  for (const [i, name] of names.entries()) {
    const width = size * 1.4 + pen.measureText(name).width;
    if (x + width > end - size) break;
    pen.fillStyle = theme.seat(i + 1).fill;
    pen.fillRect(x, middle - size / 2, size, size);
    pen.fillStyle = theme.text;
    pen.fillText(name, x + size * 1.4, middle);
    x += width + size;
  }
  pen.fillStyle = theme.faint;
  pen.fillText(when, end, middle);
  return canvas;
}

/** Hands a file to the person. */
export function save(blob: Blob, name: string): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}
