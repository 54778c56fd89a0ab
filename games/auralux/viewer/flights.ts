/** Where fleets are between two turns, and what happened in a turn. Nothing here draws. */

import type { Moment, Scene } from 'palestra/contract';
import type { Frame } from '../frame';

type Now = Moment<Frame>;

/** Groups of one owner that fly the same way side by side. */
export interface Fleet {
  owner: number;
  /** Planets, counted from 1. */
  from: number;
  to: number;
  ships: number;
  distance: number;
  /** Turns to go as the rules count them. */
  turns: number;
  /** Turns to go as shown, with the part of the present one that is already behind it. */
  left: number;
}

/** Something that happened on a planet, counted from 1. */
export interface Incident {
  planet: number;
  kind: 'joined' | 'fought' | 'raised' | 'fell';
  owner: number;
}

/** Everything in flight as it is to be shown. */
export function fleets(scene: Scene<Frame>): Fleet[] {
  const { now } = scene;
  const before = previous(scene);
  if (!before || (!scene.playing && scene.progress === 1)) return merged(now.frame, () => 0);
  const lead = scene.playing ? spread(scene, before) : stepped(scene, before);
  const mover = moverOf(now, before);
  const fresh = now.frame.groups.filter(
    (group) => group.owner === mover && group.turns_left === group.distance,
  );
  return merged({ groups: [...before.frame.groups, ...fresh] }, lead);
}

/** What happened on the way from one moment to the next; groups that land together are one event. */
export function events(before: Now, now: Now): Incident[] {
  const found: Incident[] = [];
  const closer = flown(before, now);
  const landed = new Set<number>();
  for (const { owner, to, turns_left } of before.frame.groups) {
    if (turns_left > 1 || landed.has(owner * 256 + to) || !closer.includes(owner)) continue;
    landed.add(owner * 256 + to);
    const there = before.frame.planets[to - 1]?.owner ?? 0;
    found.push({
      planet: to,
      kind: there === 0 || there === owner ? 'joined' : 'fought',
      owner,
    });
  }
  now.frame.planets.forEach((planet, index) => {
    const was = before.frame.planets[index];
    if (!was || was.level === planet.level) return;
    const raised = planet.level > was.level;
    found.push({
      planet: index + 1,
      kind: raised ? 'raised' : 'fell',
      owner: raised ? planet.owner : was.owner,
    });
  });
  return found;
}

/** The moment one turn before, if it is there: with whole rounds left out, nothing can be shown to move. */
export function previous(scene: Scene<Frame>): Now | null {
  return scene.before && scene.before.turn === scene.now.turn - 1 ? scene.before : null;
}

/** The seats whose groups came one turn closer on the way to a moment: the next one, and those passed over. */
export function flown(before: Now, now: Now): number[] {
  const { to_move, players } = now.frame;
  const mover = moverOf(now, before);
  if (to_move === null || mover === null) return [];
  const seats: number[] = [];
  let seat = mover;
  do {
    seat = (seat % players.length) + 1;
    seats.push(seat);
  } while (seat !== to_move);
  return seats;
}

function moverOf(now: Now, before: Now): number | null {
  return now.seat ?? before.frame.to_move;
}

/**
 * While time runs, a seat's flight from one of its turns to the next is spread over all the turns between them; as
 * nothing stops a group, what its next turn brings is known before it comes.
 */
function spread(scene: Scene<Frame>, before: Now): (owner: number) => number {
  const seats = before.frame.players.length;
  const past = scene.history(2 * seats + 2).filter((moment) => moment.turn <= before.turn);
  const time = before.turn + scene.progress;
  const leads = Array.from({ length: seats }, (_, index) => {
    const [last, earlier] = flights(past, index + 1);
    if (last === undefined) return 0;
    return Math.min(1, (time - last) / (earlier === undefined ? seats : last - earlier));
  });
  return (owner) => leads[owner - 1] ?? 0;
}

/** The turns after which a seat's groups had just flown, latest first. */
function flights(past: Now[], seat: number): number[] {
  const turns: number[] = [];
  for (let index = past.length - 1; index >= 0 && turns.length < 2; index -= 1) {
    const [before, now] = [past[index - 1], past[index]];
    if (!now) continue;
    const moved = before ? flown(before, now).includes(seat) : now.frame.to_move === seat;
    if (moved) turns.push(now.turn);
  }
  return turns;
}

/** When a single turn is shown, only what flies in it moves. */
function stepped(scene: Scene<Frame>, before: Now): (owner: number) => number {
  const moved = flown(before, scene.now);
  return (owner) => (moved.includes(owner) ? scene.progress : 0);
}

function merged({ groups }: Pick<Frame, 'groups'>, lead: (owner: number) => number): Fleet[] {
  const found = new Map<number, Fleet>();
  for (const { owner, from, to, ships, distance, turns_left } of groups) {
    const key = ((owner * 256 + from) * 256 + to) * 2048 + turns_left;
    const same = found.get(key);
    const left = turns_left - lead(owner);
    if (same) same.ships += ships;
    else if (left > 0) found.set(key, { owner, from, to, ships, distance, turns: turns_left, left });
  }
  return [...found.values()];
}
