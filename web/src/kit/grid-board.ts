/** The board of a game of cells. */

import type { BaseFrame, Board, Layer, Scene } from './contract';
import { cellAt, describeCell, fights, kindAt, march, neighbours, unitsAt } from './grid';
import type { Grid, GridGame, March } from './grid';
import { boxOf, drawCell, drawNumber, write } from './grid-cells';
import type { Box, Cell } from './grid-cells';
import type { GridHands, Step } from './grid-hands';
import { arrow } from './grid-icons';
import type { Say } from './say';

const HEAT = '#ff2a1f';

export function gridBoard<F extends BaseFrame>(game: GridGame<F>, say: Say): Board<F, GridHands<F>> {
  const ground = new Ground();
  const glow = new Glow();

  function draw(below: Layer, above: Layer, scene: Scene<F, GridHands<F>>, fresh: boolean): void {
    const now = game.grid(scene.now.frame);
    const before = scene.before && game.grid(scene.before.frame);
    const moving = before && scene.progress < 1 ? march(before, now) : null;
    // Until the army arrives the board is as it was, without the army.
    const shown = before && moving ? before : now;
    inPixels(below, () => ground.draw(below, scene, shown, moving, fresh));
    inPixels(above, () => {
      const pen = { layer: above, scene, grid: now };
      // A round of a crowded board takes longer than that of a duel, so its fights glow longer.
      const span = Math.max(24, 2 * scene.now.frame.players.length);
      const history = scene.history(span + 1);
      for (const { cell, heat } of fights(moving ? history.slice(0, -1) : history, game.grid, span)) {
        glow.draw(above, boxOf(cell, now.columns, scene.scale), scene.scale, heat);
      }
      // Too fast to follow an arrow.
      if (scene.turnMillis >= 30 || !scene.playing) drawTrail(pen, game, moving);
      if (moving) drawMarch(pen, moving);
      if (scene.hands) drawHands(pen, scene.hands);
      drawHover(pen);
    });
  }

  return {
    extent: (frame) => {
      const { rows, columns } = game.grid(frame);
      return { width: columns, height: rows };
    },
    draw,
    describe: (scene, x, y) => {
      const grid = game.grid(scene.now.frame);
      const cell = cellAt(grid, x, y);
      return cell === null ? null : describeCell(game, grid, cell, scene.names, say);
    },
    // Every game of this kind sends the cells last, row by row, a line for each.
    spots: (sent, frame) => {
      const { rows, columns } = game.grid(frame);
      const first = sent.findLastIndex((line) => line !== '') + 1 - rows * columns;
      if (first < 0) return [];
      return Array.from({ length: rows * columns }, (_, cell) => ({
        line: first + cell,
        x: cell % columns,
        y: Math.floor(cell / columns),
        width: 1,
        height: 1,
      }));
    },
  };
}

/** Draws in whole pixels of the device: text and thin lines are crisp only there. */
function inPixels(layer: Layer, draw: () => void): void {
  const { e, f } = layer.getTransform();
  layer.save();
  layer.setTransform(1, 0, 0, 1, Math.round(e), Math.round(f));
  draw();
  layer.restore();
}

/** The cells, of which only those are drawn that look different from the last time. */
class Ground {
  private looks = new Float64Array();
  private style = '';

  draw(layer: Layer, scene: Scene, grid: Grid, moving: March | null, fresh: boolean): void {
    const { scale } = scene;
    const size = grid.rows * grid.columns;
    const style = `${scale} ${scene.patterns} ${scene.projector} ${scene.theme.dark}`;
    if (fresh || style !== this.style || size !== this.looks.length) {
      this.style = style;
      this.looks = new Float64Array(size).fill(-1);
      layer.fillStyle = scene.theme.line;
      layer.fillRect(0, 0, Math.round(grid.columns * scale), Math.round(grid.rows * scale));
    }
    for (let cell = 0, row = 0; row < grid.rows; row++) {
      const kinds = grid.kinds[row] ?? '';
      for (let column = 0; column < grid.columns; column++, cell++) {
        const units = moving?.from === cell ? moving.left : unitsAt(grid, cell);
        const owner = grid.owners[cell] ?? 0;
        const wall = grid.walls.has(cell);
        const founder = grid.founders.get(cell) ?? 0;
        // With at most 64 seats all of it fits into the 53 bits of a whole number.
        const kind = kinds.charCodeAt(column) * 2 + (wall ? 1 : 0);
        const look = ((units * 65 + owner) * 65 + founder) * 256 + kind;
        if (look === this.looks[cell]) continue;
        this.looks[cell] = look;
        const seen: Cell = { kind: kinds.charAt(column), owner, units, wall, founder };
        drawCell(layer, scene, seen, boxOf(cell, grid.columns, scale));
      }
    }
  }
}

/** A red glow around a cell that leaves its middle clear; drawn once for a size of cells and then copied. */
class Glow {
  private image: OffscreenCanvas | null = null;
  private scale = 0;

  draw(layer: Layer, { x, y, width, height }: Box, scale: number, heat: number): void {
    const rim = Math.round(scale * 0.45);
    if (!this.image || scale !== this.scale) this.image = glowImage(width, rim);
    this.scale = scale;
    layer.globalAlpha = heat;
    layer.drawImage(this.image, x - rim, y - rim, width + 2 * rim, height + 2 * rim);
    layer.globalAlpha = 1;
  }
}

function glowImage(side: number, rim: number): OffscreenCanvas {
  const image = new OffscreenCanvas(side + 2 * rim, side + 2 * rim);
  const layer = image.getContext('2d');
  if (!layer) return image;
  const line = Math.max(2, side * 0.09);
  layer.strokeStyle = layer.shadowColor = HEAT;
  layer.shadowBlur = rim * 0.7;
  layer.lineWidth = line;
  layer.strokeRect(rim + line / 2, rim + line / 2, side - line, side - line);
  return image;
}

/** What the drawings above the ground work with. */
interface Pen<F extends BaseFrame> {
  layer: Layer;
  scene: Scene<F, GridHands<F>>;
  grid: Grid;
}

function boxIn<F extends BaseFrame>({ grid, scene }: Pen<F>, cell: number): Box {
  return boxOf(cell, grid.columns, scene.scale);
}

function middle({ x, y, width, height }: Box): { x: number; y: number } {
  return { x: x + width / 2, y: y + height / 2 };
}

/** A short arrow across the border of two cells: it leaves their numbers readable. */
function drawArrow<F extends BaseFrame>(
  pen: Pen<F>,
  from: number,
  to: number,
  colour: string,
  rim: string,
): void {
  const [a, b] = [middle(boxIn(pen, from)), middle(boxIn(pen, to))];
  const between = (share: number) => ({ x: a.x + (b.x - a.x) * share, y: a.y + (b.y - a.y) * share });
  arrow(pen.layer, between(0.27), between(0.69), pen.scene.scale * 0.11, colour, rim);
}

/** The last deeds of the round, the older the fainter. */
function drawTrail<F extends BaseFrame>(pen: Pen<F>, game: GridGame<F>, moving: March | null): void {
  const { layer, scene } = pen;
  const players = scene.now.frame.players.length;
  for (const { turn, frame } of scene.history(players)) {
    const { deed } = game.grid(frame);
    if (!deed || (turn === scene.now.turn && moving)) continue;
    layer.globalAlpha = 1 - (0.8 * (scene.now.turn - turn)) / players;
    const { fill, ink } = scene.theme.seat(deed.seat);
    if (deed.built) drawRing(pen, deed.to, ink);
    else drawArrow(pen, deed.from, deed.to, ink, fill);
  }
  layer.globalAlpha = 1;
}

/** The army between its cells. */
function drawMarch<F extends BaseFrame>(pen: Pen<F>, { seat, from, to, moved }: March): void {
  const { layer, scene } = pen;
  const share = scene.progress * scene.progress * (3 - 2 * scene.progress);
  const [a, b] = [boxIn(pen, from), boxIn(pen, to)];
  const inset = a.width * 0.06;
  const box = {
    x: a.x + (b.x - a.x) * share + inset,
    y: a.y + (b.y - a.y) * share + inset,
    width: a.width - 2 * inset,
    height: a.height - 2 * inset,
  };
  const { fill, ink } = scene.theme.seat(seat);
  layer.beginPath();
  layer.roundRect(box.x, box.y, box.width, box.height, box.width * 0.22);
  layer.fillStyle = fill;
  layer.fill();
  layer.strokeStyle = ink;
  layer.lineWidth = Math.max(1, box.width * 0.07);
  layer.stroke();
  const { x, y } = middle(box);
  drawNumber(layer, scene, moved, x, y, box.width * 0.92, ink, null, 0.46);
}

/** What the person playing has chosen and queued. */
function drawHands<F extends BaseFrame>(pen: Pen<F>, hands: GridHands<F>): void {
  const { layer, scene } = pen;
  for (const cell of hands.sites()) drawRing(pen, cell, scene.theme.accent);
  if (hands.selected !== null) drawSelection(pen, hands, hands.selected);
  hands.queue.forEach((step, index) => {
    layer.globalAlpha = Math.max(0.3, 1 - index * 0.06);
    drawStep(pen, step);
  });
  layer.globalAlpha = 1;
}

function drawStep<F extends BaseFrame>(pen: Pen<F>, step: Step): void {
  const { layer, scene } = pen;
  const { accent, page } = scene.theme;
  if (step.kind === 'pass') return;
  if (step.kind === 'build') {
    const box = boxIn(pen, step.at);
    drawCell(layer, scene, { ...hoped(pen.grid, step.at), ...step.becomes }, box);
    drawRing(pen, step.at, accent);
    return;
  }
  drawArrow(pen, step.from, step.to, accent, page);
  if (step.amount !== 'most') drawTag(pen, step.from, amountTag(step.amount));
}

/** A cell as it will be when something has been built there. */
function hoped(grid: Grid, cell: number): Cell {
  return {
    kind: kindAt(grid, cell),
    owner: grid.owners[cell] ?? 0,
    units: unitsAt(grid, cell),
    wall: grid.walls.has(cell),
    founder: grid.founders.get(cell) ?? 0,
  };
}

function amountTag(amount: string | number): string {
  return amount === 'half' ? '½' : String(amount);
}

function drawSelection<F extends BaseFrame>(pen: Pen<F>, hands: GridHands<F>, cell: number): void {
  const { layer, scene, grid } = pen;
  layer.globalAlpha = 0.8;
  layer.setLineDash([scene.scale * 0.12, scene.scale * 0.1]);
  for (const next of neighbours(grid, cell)) {
    if (kindAt(grid, next) !== 'M') drawRing(pen, next, scene.theme.accent, 0.05);
  }
  layer.setLineDash([]);
  layer.globalAlpha = 1;
  // Around the cell rather than in it, so that the number has its room.
  const { x, y, width, height } = boxIn(pen, cell);
  layer.strokeStyle = scene.theme.page;
  layer.lineWidth = scene.scale * 0.2;
  layer.strokeRect(x, y, width, height);
  layer.strokeStyle = scene.theme.accent;
  layer.lineWidth = scene.scale * 0.12;
  layer.strokeRect(x, y, width, height);
  if (hands.amount !== 'most') drawTag(pen, cell, amountTag(hands.amount));
}

/** A frame just inside a cell. */
function drawRing<F extends BaseFrame>(pen: Pen<F>, cell: number, colour: string, share = 0.08): void {
  const { x, y, width, height } = boxIn(pen, cell);
  const line = Math.max(1.5, width * share);
  pen.layer.strokeStyle = colour;
  pen.layer.lineWidth = line;
  pen.layer.strokeRect(x + line / 2, y + line / 2, width - line, height - line);
}

/** A small label in the corner of a cell: how many units will move. */
function drawTag<F extends BaseFrame>(pen: Pen<F>, cell: number, text: string): void {
  const { layer, scene } = pen;
  const box = boxIn(pen, cell);
  const size = Math.max(box.width * 0.3, 9);
  layer.fillStyle = scene.theme.accent;
  const width = size * (0.5 + 0.62 * text.length);
  layer.beginPath();
  layer.roundRect(box.x + box.width - width, box.y, width, size * 1.25, size * 0.3);
  layer.fill();
  layer.fillStyle = scene.theme.page;
  write(layer, text, box.x + box.width - width / 2, box.y + size * 0.63, size, 700);
}

function drawHover<F extends BaseFrame>(pen: Pen<F>): void {
  const { scene, grid, layer } = pen;
  const cell = scene.pointer && cellAt(grid, scene.pointer.x, scene.pointer.y);
  if (cell === null) return;
  layer.globalAlpha = 0.7;
  drawRing(pen, cell, scene.theme.text, 0.05);
  layer.globalAlpha = 1;
}
