/** One match, in a page that needs nothing but itself: what a notebook shows of a replay. */

import { mount } from 'svelte';
import '../app.css';
import { answerBy } from '../client';
import { loadViewer } from '../games';
import { language } from '../language.svelte';
import { Session } from '../session.svelte';
import { matchPlace } from '../state/address';
import { answer, unpack } from './recording';
import ReplayPage from './ReplayPage.svelte';

const text = document.getElementById('data')?.textContent;
const target = document.getElementById('app');
await language.start();
if (text && target) {
  const recording = await unpack(text);
  answerBy((path) => Promise.resolve(Response.json(answer(recording, path))));
  const { head } = recording;
  const place = { ...matchPlace(head.id), seat: head.eye, embed: true };
  mount(ReplayPage, { target, props: { session: new Session(head, await loadViewer(head.game.id), place) } });
}
