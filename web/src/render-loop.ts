/** The board on the page: two canvases as large as their box allows, drawn at most once per frame of the screen. */

import type { Board, Moment } from 'palestra/contract';
import { Painter, type Picture } from './painter';

/** What the next frame of the screen shows, and whether another one will follow by itself. */
export interface Next {
  picture: Picture | null;
  more: boolean;
}

/** A long pause, such as a hidden tab, is no reason to leap ahead. */
const LONGEST_FRAME = 0.25;

export class RenderLoop {
  readonly painter: Painter;
  frames = 0;
  #asked = 0;
  #last = 0;
  #recent: number[] = [];
  #shown: Picture | null = null;
  #resized = true;
  #observer: ResizeObserver;

  constructor(
    private readonly box: HTMLElement,
    board: Board,
    /** Lets some seconds pass. */
    private readonly next: (seconds: number) => Next,
    private readonly painted: (now: Moment) => void,
  ) {
    const [ground, air] = box.querySelectorAll('canvas');
    if (!ground || !air) throw new Error('The board needs its two canvases.');
    this.painter = new Painter(board, ground, air);
    this.#observer = new ResizeObserver(() => {
      this.#resized = true;
      this.wake();
    });
    this.#observer.observe(box);
  }

  /** Asks for a frame; asking again before it comes changes nothing. */
  wake(): void {
    this.#asked ||= requestAnimationFrame((time) => this.#frame(time));
  }

  /** Frames drawn in the last second. */
  get fps(): number {
    const since = performance.now() - 1000;
    return this.#recent.filter((time) => time > since).length;
  }

  /** Where a pointer is, in units of the board, and whether that is on the board. */
  locate(event: { clientX: number; clientY: number }): { x: number; y: number; inside: boolean } {
    const { ground, scale } = this.painter;
    const edge = ground.getBoundingClientRect();
    const right = event.clientX - edge.left;
    const down = event.clientY - edge.top;
    const unit = (scale * edge.width) / ground.width;
    const inside = right >= 0 && down >= 0 && right < edge.width && down < edge.height;
    return { x: right / unit, y: down / unit, inside };
  }

  /** Where a part of the board is in its box, in pixels of the page. */
  boxOf(part: { x: number; y: number; width: number; height: number }): {
    left: number;
    top: number;
    width: number;
    height: number;
  } {
    const { ground, scale } = this.painter;
    const edge = ground.getBoundingClientRect();
    const box = this.box.getBoundingClientRect();
    const unit = (scale * edge.width) / ground.width;
    return {
      left: edge.left - box.left + part.x * unit,
      top: edge.top - box.top + part.y * unit,
      width: part.width * unit,
      height: part.height * unit,
    };
  }

  close(): void {
    cancelAnimationFrame(this.#asked);
    this.#observer.disconnect();
  }

  #frame(time: number): void {
    this.#asked = 0;
    const seconds = this.#last ? Math.min(LONGEST_FRAME, (time - this.#last) / 1000) : 0;
    const { picture, more } = this.next(seconds);
    this.#last = more ? time : 0;
    if (picture) this.#shown = picture;
    if (this.#shown && (picture || this.#resized)) this.#draw(this.#shown, time);
    if (more) this.wake();
  }

  #draw(picture: Picture, time: number): void {
    if (this.#resized) this.#resize(picture.now);
    if (!this.painter.scale) return;
    this.painter.paint(picture);
    this.frames++;
    this.#recent.push(time);
    if (this.#recent.length > 120) this.#recent.splice(0, 60);
    this.painted(picture.now);
  }

  #resize(now: Moment): void {
    const { width, height } = this.box.getBoundingClientRect();
    if (!width || !height) return;
    this.#resized = false;
    const ratio = devicePixelRatio;
    this.painter.fit(now, width * ratio, height * ratio);
    for (const canvas of [this.painter.ground, this.painter.air]) {
      canvas.style.width = `${canvas.width / ratio}px`;
      canvas.style.height = `${canvas.height / ratio}px`;
    }
  }
}
