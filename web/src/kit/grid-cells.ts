/** Draws single cells of a grid, in pixels of the device: everything on the ground of a board. */

import type { Layer, Theme } from './contract';
import { isCity, shorten, widthOf } from './grid';
import { CASTLE, CROWN, MOUNTAIN, SNOW, trace } from './grid-icons';
import { mix } from './palette';

/** How cells are to look, apart from what is in them. */
export interface Style {
  theme: Theme;
  patterns: boolean;
  projector: boolean;
  /** Pixels of the device per cell. */
  scale: number;
}

/** All that can be seen of a cell. */
export interface Cell {
  kind: string;
  owner: number;
  units: number;
  wall: boolean;
  /** Whose capital it was made as; 0 for every other cell. */
  founder: number;
}

/** A rectangle, in pixels of the device. */
export interface Box {
  x: number;
  y: number;
  width: number;
  height: number;
}

/** Where a cell is: whole pixels, with a line between it and the next ones. */
export function boxOf(cell: number, columns: number, scale: number): Box {
  const [row, column] = [Math.floor(cell / columns), cell % columns];
  const [x, y] = [Math.round(column * scale), Math.round(row * scale)];
  const line = scale < 6 ? 0 : Math.max(1, Math.round(scale / 40));
  return {
    x,
    y,
    width: Math.round((column + 1) * scale) - x - line,
    height: Math.round((row + 1) * scale) - y - line,
  };
}

/** Below this many pixels a cell has no room for a drawing above its number. */
const ROOMY = 26;

export function drawCell(layer: Layer, style: Style, cell: Cell, box: Box): void {
  const { theme } = style;
  const area = areaColour(theme, cell);
  layer.fillStyle = area;
  layer.fillRect(box.x, box.y, box.width, box.height);
  const look = theme.seat(cell.owner);
  if (style.patterns && cell.owner && look.pattern) {
    layer.fillStyle = look.pattern;
    layer.fillRect(box.x, box.y, box.width, box.height);
  }
  if (cell.wall) drawWall(layer, theme, box);
  else if (cell.kind === 'C') drawRim(layer, look.ink, box);
  const side = Math.min(box.width, box.height) * (cell.wall ? 0.78 : 1);
  const x = box.x + box.width / 2;
  const y = box.y + box.height / 2;
  const ink = cell.owner ? look.ink : theme.text;
  if (cell.kind === 'M' || cell.kind === '!') {
    drawMountain(layer, theme, cell.kind, x, y, side);
  } else if (isCity(cell.kind)) {
    drawCity(layer, style, cell, x, y, side, area, ink);
  } else if (cell.units > 0) {
    // Most cells hold a single unit: quieter, so that armies stand out.
    layer.globalAlpha = cell.units > 1 || style.projector ? 1 : 0.6;
    drawNumber(layer, style, cell.units, x, y, side, ink, style.patterns && cell.owner ? area : null);
    layer.globalAlpha = 1;
  }
}

function areaColour(theme: Theme, { kind, owner, units }: Cell): string {
  if (kind === '?' || kind === '!') return theme.fog;
  if (kind === 'M') return mix(theme.ground, theme.solid, 0.3);
  if (owner) return theme.seat(owner).fill;
  if (isCity(kind)) return theme.neutral;
  return units > 0 ? mix(theme.ground, theme.neutral, 0.6) : theme.ground;
}

function drawMountain(layer: Layer, theme: Theme, kind: string, x: number, y: number, side: number): void {
  if (kind === '!') {
    // In the fog it may be something else: only an outline.
    trace(layer, MOUNTAIN, x, y, side * 0.62);
    layer.strokeStyle = mix(theme.fog, theme.text, 0.35);
    layer.lineWidth = Math.max(1, side * 0.05);
    layer.lineJoin = 'round';
    layer.stroke();
    return;
  }
  trace(layer, MOUNTAIN, x, y, side * 0.86);
  layer.fillStyle = theme.solid;
  layer.fill();
  if (side < 14) return;
  trace(layer, SNOW, x, y, side * 0.86);
  layer.fillStyle = mix(theme.solid, '#ffffff', theme.dark ? 0.45 : 0.75);
  layer.fill();
}

/** A thin frame, which makes capitals easy to find. */
function drawRim(layer: Layer, ink: string, { x, y, width, height }: Box): void {
  const thick = Math.max(1, Math.round(Math.min(width, height) * 0.05));
  layer.strokeStyle = ink;
  layer.lineWidth = thick;
  layer.strokeRect(x + thick / 2, y + thick / 2, width - thick, height - thick);
}

/** A frame of bricks. */
function drawWall(layer: Layer, theme: Theme, { x, y, width, height }: Box): void {
  const thick = Math.max(2, Math.round(Math.min(width, height) * 0.13));
  const joint = Math.max(1, thick * 0.2);
  const ring = (inset: number): void =>
    layer.strokeRect(x + inset, y + inset, width - 2 * inset, height - 2 * inset);
  layer.strokeStyle = mix(theme.solid, '#ffffff', 0.4);
  layer.lineWidth = thick;
  ring(thick / 2);
  layer.strokeStyle = mix(theme.solid, '#000000', 0.65);
  layer.setLineDash([joint, thick * 1.5]);
  ring(thick / 2);
  layer.setLineDash([]);
  layer.lineWidth = joint;
  ring(joint / 2);
  ring(thick);
}

function drawCity(
  layer: Layer,
  style: Style,
  cell: Cell,
  x: number,
  y: number,
  side: number,
  area: string,
  ink: string,
): void {
  const { kind, owner, units } = cell;
  const roomy = side >= ROOMY * (style.projector ? 1.5 : 1);
  const size = side * (roomy ? (kind === 'c' ? 0.46 : 0.58) : 0.94);
  const top = roomy && units > 0 ? y - side * 0.2 : y;
  trace(layer, kind === 'c' ? CASTLE : CROWN, x, top, size, kind === 'F' ? FALLEN : 0);
  // What is nobody's is drawn quietly.
  layer.strokeStyle = layer.fillStyle = owner ? ink : style.theme.faint;
  if (kind === 'F') {
    layer.lineWidth = Math.max(1, size * 0.08);
    layer.lineJoin = 'round';
    layer.stroke();
  } else {
    layer.fill();
  }
  if (roomy && kind !== 'c') {
    layer.fillStyle = kind === 'F' ? ink : area;
    write(layer, style.theme.seat(cell.founder || owner).letter, x, top + size * 0.17, size * 0.5, 800);
  }
  if (units === 0) return;
  if (roomy) {
    const rim = style.patterns && owner ? area : null;
    drawNumber(layer, style, units, x, y + side * 0.25, side * 0.92, ink, rim, 0.38);
  } else if (kind === 'F') {
    drawNumber(layer, style, units, x, y, side, ink, area);
  } else {
    // The drawing is the plate on which the number stands.
    const plate = owner ? ink : style.theme.faint;
    drawNumber(layer, style, units, x, y + side * 0.13, side, owner ? area : style.theme.ground, plate);
  }
}

/** How far a crown tilts when it has fallen. */
const FALLEN = 0.35;

/** A number as large as fits into `side` pixels, with a rim where it would not stand out. */
export function drawNumber(
  layer: Layer,
  style: Style,
  value: number,
  x: number,
  y: number,
  side: number,
  ink: string,
  rim: string | null,
  share = 0.44,
): void {
  if (side < 9) return;
  const weight = style.projector ? 800 : 600;
  const digit = digitWidth(layer, weight);
  const readable = Math.min(side * 0.64, 9 * devicePixelRatio);
  const largest = Math.max(readable, side * (style.projector ? share * 1.35 : share));
  const room = side * 0.94;
  const text = shorten(value, room / (Math.max(readable, side * 0.28) * digit * 0.85));
  const size = Math.min(largest, room / (widthOf(text) * digit));
  if (rim) {
    layer.strokeStyle = rim;
    layer.lineWidth = Math.max(2, size * 0.25);
    layer.lineJoin = 'round';
    setFont(layer, size, weight);
    layer.strokeText(text, x, y + size * HALF_HEIGHT);
  }
  layer.fillStyle = ink;
  write(layer, text, x, y, size, weight);
}

const digitWidths = new Map<number, number>();

/** How wide a digit is for its font's size: that is different from system to system. */
function digitWidth(layer: Layer, weight: number): number {
  const known = digitWidths.get(weight);
  if (known) return known;
  setFont(layer, 100, weight);
  const width = layer.measureText('0').width / 100;
  digitWidths.set(weight, width);
  return width;
}

/** Half of a digit's height: centring by the font's own middle leaves digits too low. */
const HALF_HEIGHT = 0.36;

/** Text around a point. */
export function write(layer: Layer, text: string, x: number, y: number, size: number, weight: number): void {
  setFont(layer, size, weight);
  layer.fillText(text, x, y + size * HALF_HEIGHT);
}

function setFont(layer: Layer, size: number, weight: number): void {
  layer.font = `${weight} ${size.toFixed(1)}px system-ui, sans-serif`;
  layer.textAlign = 'center';
  layer.textBaseline = 'alphabetic';
}
