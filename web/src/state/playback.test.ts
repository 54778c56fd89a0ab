import { beforeEach, expect, test } from 'vitest';
import { Playback } from './playback';

const everything = { at: () => true, newest: Infinity };
const nothing = { at: () => false, newest: 0 };
let playback: Playback;

beforeEach(() => {
  playback = new Playback();
  playback.grow(1000, true);
});

test('normal speed is four rounds a second', () => {
  playback.play();
  playback.tick(1, everything);
  expect(playback.turn).toBe(8);
  playback.turnsPerRound = 5;
  playback.tick(1, everything);
  expect(playback.turn).toBe(28);
});

test('between two turns the movement into the second is shown', () => {
  playback.play();
  playback.tick(1 / 32, everything);
  expect([playback.turn, playback.progress]).toEqual([1, 0.25]);
  playback.movement = false;
  expect(playback.progress).toBe(1);
});

test('pausing settles on the turn that is shown', () => {
  playback.play();
  playback.tick(1 / 32, everything);
  playback.pause();
  expect([playback.turn, playback.progress, playback.running]).toEqual([1, 1, false]);
});

test('time waits for what is not there', () => {
  playback.play();
  playback.tick(1, nothing);
  expect([playback.turn, playback.waiting]).toEqual([0, true]);
});

test('fast playing shows every so many turns, and then the very last one', () => {
  playback.grow(1003, true);
  playback.speed = 64;
  playback.play();
  expect(playback.every).toBe(8);
  playback.tick(0.1, everything);
  expect(playback.turn % 8).toBe(0);
  playback.tick(10, everything);
  expect([playback.turn, playback.playing]).toEqual([1003, false]);
});

test('as fast as possible takes a long match in seconds', () => {
  playback.grow(1_000_000, true);
  playback.speed = Infinity;
  playback.play();
  expect(playback.every).toBe(4096);
  playback.tick(4.1, everything);
  expect(playback.turn).toBe(1_000_000);
});

test('playing at the end starts anew', () => {
  playback.seek(1000);
  playback.play();
  expect(playback.turn).toBe(0);
});

test('steps stay within the match; one step on is a movement to its end', () => {
  playback.step(-1);
  expect(playback.turn).toBe(0);
  playback.step(1);
  expect([playback.turn, playback.running]).toEqual([1, true]);
  playback.tick(1, everything);
  expect([playback.turn, playback.progress, playback.running]).toEqual([1, 1, false]);
  playback.step(10);
  expect([playback.turn, playback.running]).toEqual([11, false]);
  playback.seek(5000);
  expect(playback.turn).toBe(1000);
});

test('a step during a step starts from where that one led', () => {
  playback.step(1);
  playback.step(1);
  expect(playback.turn).toBe(2);
});

test('a match that goes on is followed until somebody goes back', () => {
  playback.grow(1000, false);
  playback.follow();
  playback.tick(0.1, everything);
  expect([playback.turn, playback.following]).toEqual([1000, true]);
  playback.grow(1001, false);
  playback.tick(1, everything);
  expect(playback.turn).toBe(1001);
  playback.step(-1);
  playback.grow(1100, false);
  playback.tick(1, everything);
  expect([playback.turn, playback.following, playback.end]).toEqual([1000, false, 1100]);
});

test('playing up to the end of a match that goes on follows it, and its end is the end', () => {
  playback.grow(1000, false);
  playback.seek(999);
  playback.play();
  playback.tick(1, everything);
  expect(playback.following).toBe(true);
  playback.grow(1002, true);
  playback.tick(5, everything);
  playback.tick(5, everything);
  expect([playback.turn, playback.playing]).toEqual([1002, false]);
});

test('following goes as far as has been loaded', () => {
  playback.grow(1000, false);
  playback.follow();
  playback.tick(1, { at: () => true, newest: 900 });
  expect([playback.turn, playback.waiting]).toEqual([900, false]);
  playback.tick(1, { at: () => true, newest: 900 });
  expect(playback.waiting).toBe(true);
});
