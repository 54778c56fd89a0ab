/** Draws scenes of one match on two layers, on the page or for a picture. */

import type { Board, Moment, Scene } from 'palestra/contract';

/** A scene before it is known how large it will be. */
export type Picture = Omit<Scene, 'scale'>;

export class Painter {
  #ground: CanvasRenderingContext2D;
  #air: CanvasRenderingContext2D;
  #scale = 0;
  /** What the ground layer was drawn with; anything else needs a blank one. */
  #ink: unknown[] = [];

  constructor(
    private readonly board: Board,
    readonly ground: HTMLCanvasElement,
    readonly air: HTMLCanvasElement,
  ) {
    this.#ground = context(ground, { alpha: false });
    this.#air = context(air, {});
  }

  /** Pixels of the device per unit of the board. */
  get scale(): number {
    return this.#scale;
  }

  /** Makes the layers as large as fits into so many pixels of the device. */
  fit(moment: Moment, width: number, height: number): void {
    const extent = this.board.extent(moment.frame);
    const exact = Math.min(width / extent.width, height / extent.height);
    // Whole pixels per cell keep lines crisp; small boards and large cells have the room for it.
    const scale = exact >= 8 ? Math.floor(exact) : exact;
    const columns = Math.max(1, Math.round(extent.width * scale));
    const rows = Math.max(1, Math.round(extent.height * scale));
    if (scale === this.#scale && this.ground.width === columns && this.ground.height === rows) return;
    this.#scale = scale;
    for (const canvas of [this.ground, this.air]) {
      canvas.width = columns;
      canvas.height = rows;
    }
    this.#ink = [];
  }

  paint(picture: Picture): void {
    const { theme, patterns, projector, eye } = picture;
    const ink = [theme, patterns, projector, eye];
    const fresh = ink.some((part, i) => part !== this.#ink[i]) || this.#ink.length === 0;
    this.#ink = ink;
    if (fresh) this.#blank(theme.page);
    this.#air.setTransform(1, 0, 0, 1, 0, 0);
    this.#air.clearRect(0, 0, this.air.width, this.air.height);
    this.#ground.setTransform(this.#scale, 0, 0, this.#scale, 0, 0);
    this.#air.setTransform(this.#scale, 0, 0, this.#scale, 0, 0);
    this.board.draw(this.#ground, this.#air, { ...picture, scale: this.#scale }, fresh);
  }

  /** Both layers in the middle of one canvas; as large as they are unless said otherwise. */
  compose(
    page: string,
    width = this.ground.width,
    height = this.ground.height,
  ): { canvas: HTMLCanvasElement; pixels: CanvasRenderingContext2D } {
    const canvas = document.createElement('canvas');
    canvas.width = width;
    canvas.height = height;
    const pixels = context(canvas, { alpha: false, willReadFrequently: true });
    pixels.fillStyle = page;
    pixels.fillRect(0, 0, width, height);
    const left = Math.floor((width - this.ground.width) / 2);
    const top = Math.floor((height - this.ground.height) / 2);
    pixels.drawImage(this.ground, left, top);
    pixels.drawImage(this.air, left, top);
    return { canvas, pixels };
  }

  #blank(page: string): void {
    this.#ground.setTransform(1, 0, 0, 1, 0, 0);
    this.#ground.fillStyle = page;
    this.#ground.fillRect(0, 0, this.ground.width, this.ground.height);
  }
}

export function context(
  canvas: HTMLCanvasElement,
  settings: CanvasRenderingContext2DSettings,
): CanvasRenderingContext2D {
  const made = canvas.getContext('2d', settings);
  if (!made) throw new Error('This browser does not draw on canvases.');
  return made;
}
