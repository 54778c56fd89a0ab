/** Playing Grifaki by hand: besides moves there are walls and cities to build, and any number of units may move. */

import type { Control } from 'palestra/contract';
import { kindAt, neighbours, unitsAt } from 'palestra/grid';
import type { Grid } from 'palestra/grid';
import { GridHands } from 'palestra/grid-hands';
import type { Amount, Step } from 'palestra/grid-hands';
import type { Building, Frame } from '../frame';

const BUILDINGS = {
  WALL: { word: 'wall', key: 'V', price: 'wall', becomes: { wall: true } },
  CITY: { word: 'city', key: 'C', price: 'city', becomes: { kind: 'c' } },
} as const;

export class GrifakiHands extends GridHands<Frame> {
  /** What is about to be built, once a cell has been chosen. */
  private aim: Building | null = null;

  override get keys(): [string, string][] {
    return [
      ...super.keys,
      ['X', this.say('key_all')],
      ['N', this.say('key_number')],
      ['V', this.say('key_wall')],
      ['C', this.say('key_city')],
    ];
  }

  override sites(): number[] {
    const { grid, aim } = this;
    return grid && aim ? this.sitesFor(grid, aim) : [];
  }

  override controls(): Control[] {
    return [
      {
        kind: 'choice',
        label: this.say('next_move'),
        value: typeof this.amount === 'number' ? 'number' : this.amount,
        options: [
          { value: 'most', label: this.say('all_but_one') },
          { value: 'half', label: this.say('half'), key: 'Z' },
          ...(this.frame?.leave_one ? [] : [{ value: 'all', label: this.say('all'), key: 'X' }]),
          { value: 'number', label: this.say('number'), key: 'N' },
        ],
        choose: (value) => this.act(() => this.choose(value)),
      },
      ...this.numberControl(),
      this.buildControl('WALL'),
      this.buildControl('CITY'),
      ...this.queueControls(),
    ];
  }

  override hint(): string {
    if (this.message || !this.aim) return super.hint();
    return this.say(`site_${BUILDINGS[this.aim].word}`, { n: this.price(this.aim) });
  }

  protected override write(grid: Grid, step: Step): string | null {
    const place = (cell: number): string => `${Math.floor(cell / grid.columns)} ${cell % grid.columns}`;
    if (step.kind === 'pass') return 'EMPTY\n';
    if (step.kind === 'move') {
      const units = this.units(grid, step);
      return units > 0 ? `MOVE ${place(step.from)} ${place(step.to)} ${units}\n` : null;
    }
    const building = step.building as Building;
    const from = this.payer(grid, building, step.at);
    if (from === null) return null;
    return `BUILD ${place(from)} ${place(step.at)} ${building}\n`;
  }

  protected override click(cell: number, shift: boolean): void {
    if (this.aim) this.build(this.aim, cell);
    else super.click(cell, shift);
  }

  protected override press(key: string): boolean {
    const deed = {
      x: () => (this.frame?.leave_one ? undefined : this.toggle('all')),
      n: () => this.choose(typeof this.amount === 'number' ? 'most' : 'number'),
      v: () => this.take('WALL'),
      c: () => this.take('CITY'),
    }[key];
    if (deed) this.act(deed);
    return deed !== undefined || super.press(key);
  }

  /** Whoever goes on moving does not want to build just now. */
  protected override select(cell: number | null): void {
    super.select(cell);
    this.aim = null;
  }

  private choose(value: string): void {
    this.amount = value === 'number' ? Math.max(1, Math.floor(this.here() / 2)) : (value as Amount);
  }

  /** Units in the selected cell. */
  private here(): number {
    return this.grid && this.selected !== null ? unitsAt(this.grid, this.selected) : 0;
  }

  private numberControl(): Control[] {
    if (typeof this.amount !== 'number') return [];
    return [
      {
        kind: 'range',
        label: this.say('units_label'),
        min: 1,
        max: Math.max(1, this.here() - (this.frame?.leave_one ? 1 : 0)),
        step: 1,
        value: this.amount,
        set: (value) => this.act(() => (this.amount = value)),
      },
    ];
  }

  private buildControl(building: Building): Control {
    const { word, key } = BUILDINGS[building];
    const units = this.price(building);
    const possible = this.grid !== null && this.sitesFor(this.grid, building).length > 0;
    return {
      kind: 'button',
      label: this.say(`build_${word}`, { n: units }),
      key,
      pressed: this.aim === building,
      disabled: !possible,
      title: possible ? this.say(`about_${word}`, { n: units }) : this.tooDear(building),
      press: () => this.act(() => this.take(building)),
    };
  }

  private tooDear(building: Building): string {
    return this.say(`dear_${BUILDINGS[building].word}`, { n: this.price(building) });
  }

  /** What the next building of a kind costs; without end if it is out of reach. */
  private price(building: Building): number {
    return this.frame?.prices?.[BUILDINGS[building].price] ?? Infinity;
  }

  private sitesFor(grid: Grid, building: Building): number[] {
    const cells = [...grid.owners.keys()];
    return cells.filter((cell) => this.payer(grid, building, cell) !== null);
  }

  /** Who pays for a building: the largest army in or beside its cell. Null if it cannot be built there. */
  private payer(grid: Grid, building: Building, at: number): number | null {
    const units = this.price(building);
    const free = building === 'WALL' ? !grid.walls.has(at) : kindAt(grid, at) === '.';
    if (!this.owns(at) || !free) return null;
    let best: number | null = null;
    for (const cell of [at, ...neighbours(grid, at)]) {
      // A cell that pays its last unit is nobody's any more.
      if (!this.owns(cell) || unitsAt(grid, cell) <= units) continue;
      if (best === null || unitsAt(grid, cell) > unitsAt(grid, best)) best = cell;
    }
    return best;
  }

  /** The button or key of a building: first to choose it, then for the selected cell or to let it be. */
  private take(building: Building): void {
    if (this.aim !== building) {
      this.aim = building;
      if (this.sites().length > 0) return;
      this.aim = null;
      this.message = this.tooDear(building);
    } else if (this.selected !== null && this.sites().includes(this.selected)) {
      this.build(building, this.selected);
    } else this.aim = null;
  }

  private build(building: Building, at: number): void {
    if (!this.sites().includes(at)) {
      this.message = this.whyNot(building, at);
      return;
    }
    this.queue.push({
      kind: 'build',
      at,
      building,
      becomes: BUILDINGS[building].becomes,
    });
    this.aim = null;
  }

  private whyNot(building: Building, at: number): string {
    if (!this.grid || !this.owns(at)) return this.say('own_cells_only');
    if (building === 'WALL' && this.grid.walls.has(at)) return this.say('wall_there');
    if (building === 'CITY' && kindAt(this.grid, at) !== '.') return this.say('city_on_plain');
    return this.tooDear(building);
  }
}
